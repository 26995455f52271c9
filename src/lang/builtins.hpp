// The functions of the language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/node.hpp"

namespace daedal::lang {

enum class FunctionKind {
  elementary,  // one argument, elementwise: sin, exp, abs, ...
  square_root,
  log10,
  atan2,
  minimum,  // of two scalars, of an array, or over iterators; so is maximum
  maximum,
  derivative,
  previous,     // pre
  transparent,  // noEvent, smooth: their last argument as it is
  sum,
  product,
  size,
  fill,
  zeros,
  ones,
  structural,  // mod, div, rem, floor, ceil, integer: of numbers that are known before the run
  outside,     // functions of full Modelica that the language leaves out
};

struct Function {
  std::string_view name;
  FunctionKind kind;
  expr::Op op = expr::Op::constant;  // elementary, atan2, minimum, maximum
  int min_arguments = 1;
  int max_arguments = 1;
};

const Function* find_function(std::string_view name);

// Names for suggestions; those outside the language are left out.
std::vector<std::string> function_names();

// What to write instead of a function that other languages or full Modelica have, such as pow, ln
// or edge; "" if nothing is known.
std::string_view replacement_for(std::string_view name);

}  // namespace daedal::lang

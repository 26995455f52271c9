// Loops over statements, and the indices that they give to names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/lower.hpp"

namespace daedal::lang {

class Unroller {
 public:
  explicit Unroller(Lowering& lowering) : lowering_(lowering) {}

  // Runs `body` for every statement of every turn. Stops at the first turn with an error: the
  // others would repeat it. False, and reported, if it stopped.
  bool run(const Statement& loop, const std::function<void(const Statement&)>& body);

  // length, length[2] in a loop or for an element of an array, length[2,1] in both; "" without a
  // label.
  std::string name_of(Symbol label, const Dimensions& dimensions = {},
                      std::size_t element = 0) const;

 private:
  Lowering& lowering_;
  std::vector<Symbol> variables_;  // outermost first
};

}  // namespace daedal::lang

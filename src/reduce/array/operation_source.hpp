// The operations of a series program as C: the rules of series_kernels.cpp, operation by operation
// and rounding by rounding, as statements about coefficients. Up to `most_unrolled_orders`
// coefficients every one has a statement of its own, beyond it there are loops.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reduce/array/series_kernels.hpp"

namespace daedal::reduce {

// The number of a coefficient: known, or an expression of loop variables.
class SeriesIndex {
 public:
  explicit SeriesIndex(int number) : number_(number), text_(std::to_string(number)) {}
  explicit SeriesIndex(std::string text) : text_(std::move(text)) {}

  const std::optional<int>& number() const { return number_; }
  const std::string& text() const { return text_; }
  // As a factor of a product of doubles.
  std::string factor() const { return number_ ? text_ + ".0" : text_; }
  SeriesIndex minus(const SeriesIndex& other) const {
    return number_ && other.number_ ? SeriesIndex(*number_ - *other.number_)
                                    : SeriesIndex(text_ + " - " + other.text_);
  }

 private:
  std::optional<int> number_;
  std::string text_;
};

// How a coefficient is written: "u[2]".
using CoefficientText = std::function<std::string(const SeriesIndex&)>;

struct OperationText {
  OperationKind kind = OperationKind::multiply;
  expr::Op function = expr::Op::constant;
  int num_orders = 1;
  std::vector<CoefficientText> results, arguments;
  std::string number;  // the value that a rule takes beside series: a factor, an exponent
};

// The statements, a line each. Sums are not among the operations that have one.
std::vector<std::string> statements_of(const OperationText& operation);

// What an operation is called as a C function: "multiply", "log". Its parameters: results, series,
// then the number if it takes one.
std::string function_name(const Operation& operation);
struct OperationShape {
  int num_results = 1, num_series = 1;
  bool takes_number = false;
};
OperationShape shape_of(OperationKind kind);
// The whole static function, for one number of coefficients.
std::string function_text(const Operation& operation);
// The static function of a sum with tables: number + sum a_j times the series at place u_j of a
// table.
std::string sum_function(int num_orders);
// "multiply_4"
std::string function_symbol(const Operation& operation);

// Functions that statements may call and <math.h> does not have; each with its name.
struct LibraryFunction {
  const char* name;
  const char* text;
};
const std::vector<LibraryFunction>& library_functions();

}  // namespace daedal::reduce

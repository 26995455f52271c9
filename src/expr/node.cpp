#include "expr/node.hpp"

#include <array>

namespace daedal::expr {

std::string_view name_of(Op op) {
  static constexpr std::array<std::string_view, 33> names = {
      "constant", "parameter", "time",     "unknown",     "der",   "affine", "product",
      "quotient", "power",     "pow",      "exp",         "log",   "sin",    "cos",
      "tan",      "asin",      "acos",     "atan",        "atan2", "sinh",   "cosh",
      "tanh",     "asinh",     "acosh",    "atanh",       "erf",   "abs",    "sign",
      "min",      "max",       "positive", "nonnegative", "select"};
  return names[static_cast<std::size_t>(op)];
}

}  // namespace daedal::expr

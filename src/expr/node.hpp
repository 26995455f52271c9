// What a node of the expression graph is.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.hpp"

namespace daedal::expr {

using NodeId = base::Id<struct NodeTag>;
using UnknownId = base::Id<struct UnknownTag>;
using ParameterId = base::Id<struct ParameterTag>;

// The highest derivative: far above that of any model, far below any overflow.
inline constexpr int largest_order = 1000;

// Canonical forms (docs/theory/expression-graph.md):
//   affine    c_0 + sum c_k v_k; arguments distinct, ascending, none a number; c_1 > 0 unless it is
//   the only term;
//             never a lone 1*v or an empty sum
//   product   v_1 v_2 ... v_m, m >= 2; arguments ascending, distinct, none a number, none of the
//   form c*v quotient  v_1 / v_2; neither a number (c/v is c * v^-1, v/c is (1/c)*v) power     v^r,
//   r a number other than 0 and 1; sqr is r = 2, sqrt is r = 1/2, the reciprocal r = -1 pow
//   v_1^v_2, the exponent not a number diff      d^k v/dt^k, k >= 1; v is not a diff, a number, a
//   parameter or time
//   select    v_2 where the condition v_1 holds, else v_3. A condition is a number, 1 or 0:
//   positive is v > 0, nonnegative is v >= 0, `a and b` is a*b, `not a` is 1 - a. The argument of a
//   relation has its sign pulled out: x < y is y - x > 0, which is not x - y >= 0
enum class Op : std::uint8_t {
  constant,
  parameter,
  time,
  unknown,
  diff,
  affine,
  product,
  quotient,
  power,
  pow,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  abs,
  sign,
  min,
  max,
  positive,
  nonnegative,
  select,
};

// The name as people write it in a model: "sin", "atan2", "der", ...
std::string_view name_of(Op op);

// v > 0, v >= 0.
inline bool is_relation(Op op) { return op == Op::positive || op == Op::nonnegative; }
// One argument, value = f(argument): exp ... erf, abs, sign, positive, nonnegative.
inline bool is_unary_function(Op op) {
  return (op >= Op::exp && op <= Op::sign && op != Op::atan2) || is_relation(op);
}
// Follows one of several branches: abs, sign, min, max, relations, select.
inline bool is_piecewise(Op op) { return op >= Op::abs; }

}  // namespace daedal::expr

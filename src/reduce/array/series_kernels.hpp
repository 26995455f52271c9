// The operations of a series program: each computes the whole series of its result at once, z_0 ..
// z_{n-1}, from whole series of its arguments, by the rules of taylor/rules.hpp
// (docs/theory/taylor-rules.md). Up to `most_unrolled_orders` coefficients there is one function
// per operation and n, with every loop written out; beyond it n is an ordinary number.
#pragma once

#include <array>
#include <cstdint>

#include "expr/node.hpp"

namespace daedal::reduce {

enum class OperationKind : std::uint8_t {
  sum,               // number + terms
  scaled_sum,        // number + one term
  sum_of_two,        // number + two terms
  scale,             // argument 0, steady, times argument 1
  multiply,          // argument 0 * argument 1
  square,            // argument 0 squared
  divide,            // argument 0 / argument 1
  divide_by_steady,  // the same, argument 1 steady
  reciprocal,        // 1 / argument 0
  square_root,       // of argument 0
  power,             // argument 0 ^ number
  steady_power,      // argument 0 ^ argument 1, steady
  varying_power,     // argument 1 ^ argument 2 = exp(argument 0)
  exponential,       // exp(argument 0)
  sine_and_cosine,   // of argument 0: results 0 and 1
  hyperbolic_sine_and_cosine,
  tangent,             // of argument 0; result 1 is 1 + tan^2
  hyperbolic_tangent,  // result 1 is 1 - tanh^2
  function,            // f(argument 0), argument 1 is the series of f'(argument 0)
  angle,               // atan2(argument 0, argument 2), with partners 1 and 3
  absolute,
  sign,
  minimum,
  maximum,
};

struct Operation;
// factor * series at `position`, in a sum.
struct SumTerm {
  std::uint32_t position = 0;
  double factor = 1.0;
};

using Kernel = void (*)(const Operation& operation, double* table, const SumTerm* terms);

// Positions are places in the table, of coefficient 0 of a series; the others follow it.
struct Operation {
  Kernel run = nullptr;
  std::array<std::uint32_t, 2> result = {};  // sine and cosine are computed together
  std::array<std::uint32_t, 4> argument = {};
  std::uint32_t num_orders = 1;
  std::uint32_t first_term = 0, num_terms = 0;
  expr::Op function = expr::Op::constant;
  OperationKind kind = OperationKind::sum;
  double number = 0.0;
};

inline constexpr int most_unrolled_orders = 8;

Kernel kernel_of(OperationKind kind, int num_orders);

}  // namespace daedal::reduce

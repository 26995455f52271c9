// The value of one operation: IEEE doubles in, a double out. The one place that says what an
// operation computes.
#pragma once

#include <span>

#include "expr/graph.hpp"

namespace daedal::expr {

// v^r. Small integer exponents by repeated squaring, so that x^2 is x*x to the last bit; others by
// std::pow.
// Real is double or long double.
template <typename Real>
Real apply_power(Real base, double exponent);
// Whether it needs square roots, products and reciprocals only.
bool is_root_or_product(double exponent);

template <typename Real>
Real apply_unary(Op op, Real argument);

// The value of any operation but leaves and diff, given its arguments' values.
double apply(const Graph& graph, NodeId node, std::span<const double> arguments);

}  // namespace daedal::expr

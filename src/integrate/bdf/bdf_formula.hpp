// Backward differentiation formulas on any points of time (docs/theory/bdf.md, rules B4 to B6).
#pragma once

#include <array>
#include <span>

namespace daedal::integrate {

inline constexpr int highest_bdf_order = 5;

// The slope at t of the polynomial through (t, z) and the last k points (t_i, z_i), i = 1..k, the
// newest first:
//
//   z' = alpha[0] z + alpha[1] z_1 + ... + alpha[k] z_k.
struct BdfFormula {
  int order = 1;
  std::array<double, highest_bdf_order + 1> alpha = {};
};
BdfFormula bdf_formula(double t, std::span<const double> past_times, int order);

// The value at t of the polynomial through the points given: the sum of weights[i] z_i.
using ExtrapolationWeights = std::array<double, highest_bdf_order + 1>;
ExtrapolationWeights extrapolation_weights(double t, std::span<const double> past_times);

// Error of a step of this order divided by the difference of z and the value extrapolated from the
// last k + 1 points: 1/((t - t_{k+1}) alpha_0); for equal steps 1/((k + 1)(1 + 1/2 + ... + 1/k)).
double bdf_error_constant(double t, std::span<const double> past_times, int order);

}  // namespace daedal::integrate

// The polynomial with given derivatives at both ends of a step.
#pragma once

#include <array>
#include <span>

namespace daedal::integrate {

// With scaled derivatives a_l = h^l x^(l)/l!, l = 0..m, at s = 0 and b_l at s = 1: the coefficients
// of the polynomial of degree 2m + 1 in s. Written as T(s) + s^(m+1) Q(s), T the Taylor polynomial
// at 0: then (s - 1)-coefficients of Q are those of (b - T)/s^(m+1), 1/s^(m+1) = sum_i C(m+i, i)
// (1-s)^i.
inline constexpr int most_derivatives = 8;  // m; more of them lose by rounding what they gain

class Hermite {
 public:
  // begin, end: a and b; result: 2 (m + 1) coefficients.
  void interpolate(std::span<const double> begin, std::span<const double> end,
                   std::span<double> result);

 private:
  std::array<double, most_derivatives + 1> rest_ = {};
};

}  // namespace daedal::integrate

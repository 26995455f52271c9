// A number with a running bound of its rounding error, to first order. In long double, so that an
// identity that vanishes leaves 1e-19 rather than 1e-16 of its terms. So "zero" is distinguished
// from "small".
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace daedal::linear {

struct Rounded {
  using Real = long double;

  Real value = 0;
  Real error = 0;

  constexpr Rounded() = default;
  constexpr Rounded(double exact) : value(exact) {}  // NOLINT(google-explicit-constructor)
  constexpr Rounded(Real v, Real e) : value(v), error(e) {}

  // Not distinguishable from zero. Eight: bounds are first order, and library functions may be off
  // by a few units in the last place.
  bool is_zero() const { return std::abs(value) <= 8 * error; }
  bool is_finite() const { return std::isfinite(value) && std::isfinite(error); }

  static constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
};

namespace rounding {

// One operation rounds its result by half a unit in the last place.
inline Rounded result(Rounded::Real value, Rounded::Real propagated) {
  return {value, propagated + Rounded::epsilon / 2 * std::abs(value)};
}

}  // namespace rounding

inline Rounded operator-(Rounded a) { return {-a.value, a.error}; }
inline Rounded operator+(Rounded a, Rounded b) {
  return rounding::result(a.value + b.value, a.error + b.error);
}
inline Rounded operator-(Rounded a, Rounded b) {
  return rounding::result(a.value - b.value, a.error + b.error);
}
inline Rounded operator*(Rounded a, Rounded b) {
  return rounding::result(a.value * b.value,
                          std::abs(a.value) * b.error + std::abs(b.value) * a.error);
}
inline Rounded operator/(Rounded a, Rounded b) {
  const Rounded::Real quotient = a.value / b.value;
  return rounding::result(quotient, (a.error + std::abs(quotient) * b.error) / std::abs(b.value));
}
inline Rounded& operator+=(Rounded& a, Rounded b) { return a = a + b; }
inline Rounded& operator-=(Rounded& a, Rounded b) { return a = a - b; }
inline Rounded& operator*=(Rounded& a, Rounded b) { return a = a * b; }

// f(a), the error carried over by the values of f at both ends of a's interval, or of one unit in
// the last place of a where that is more.
template <typename Function>
Rounded apply_rounded(Function f, Rounded a) {
  const Rounded::Real value = f(a.value);
  const Rounded::Real reach = std::max(a.error, Rounded::epsilon * std::abs(a.value));
  Rounded::Real spread = 0;
  for (const Rounded::Real end : {f(a.value - reach), f(a.value + reach)})
    if (std::isfinite(end)) spread = std::max(spread, std::abs(end - value));
  const Rounded::Real carried = reach > 0 ? spread * (a.error / reach) : 0;
  return {value, carried + Rounded::epsilon * std::abs(value)};
}

// A number as people write it: a multiple of 2^-20 is meant exactly, any other (0.1) is known to
// half a unit in the last place of a double.
template <typename Scalar>
Scalar written(double number) {
  if constexpr (std::is_same_v<Scalar, Rounded>) {
    const double scaled = number * 0x1p20;
    if (scaled == std::floor(scaled)) return number;
    return {number, std::numeric_limits<double>::epsilon() / 2 * std::abs(number)};
  } else {
    return number;
  }
}

inline bool is_finite(double a) { return std::isfinite(a); }
inline bool is_finite(Rounded a) { return a.is_finite(); }
inline double value_of(double a) { return a; }
inline double value_of(Rounded a) { return static_cast<double>(a.value); }

}  // namespace daedal::linear

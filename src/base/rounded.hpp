// A number with a running bound of its rounding error, to first order: what a result computed in
// doubles may differ from the exact one. With it, "zero" can be told from "small".
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::base {

struct Rounded {
  double value = 0.0;
  double error = 0.0;

  constexpr Rounded() = default;
  constexpr Rounded(double exact) : value(exact) {}  // NOLINT(google-explicit-constructor)
  constexpr Rounded(double v, double e) : value(v), error(e) {}

  // Not distinguishable from zero. Eight: bounds are first order, and library functions may be off
  // by a few units in the last place.
  bool is_zero() const { return std::abs(value) <= 8.0 * error; }
};

namespace rounding {

// One operation rounds its result by half a unit in the last place.
inline Rounded result(double value, double propagated) {
  return {value, propagated + 0.5 * std::numeric_limits<double>::epsilon() * std::abs(value)};
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
  const double quotient = a.value / b.value;
  return rounding::result(quotient, (a.error + std::abs(quotient) * b.error) / std::abs(b.value));
}
inline Rounded& operator+=(Rounded& a, Rounded b) { return a = a + b; }
inline Rounded& operator-=(Rounded& a, Rounded b) { return a = a - b; }
inline Rounded& operator*=(Rounded& a, Rounded b) { return a = a * b; }

// f(a), the error carried over by the values of f at both ends of a's interval, or by one unit in
// the last place of a where that is more.
template <typename Function>
Rounded apply_rounded(Function f, Rounded a) {
  const double value = f(a.value);
  const double reach =
      std::max(a.error, std::numeric_limits<double>::epsilon() * std::abs(a.value));
  double spread = 0.0;
  for (const double end : {f(a.value - reach), f(a.value + reach)})
    if (std::isfinite(end)) spread = std::max(spread, std::abs(end - value));
  const double carried = reach > 0.0 ? spread * (a.error / reach) : 0.0;
  return {value, carried + std::numeric_limits<double>::epsilon() * std::abs(value)};
}

inline bool is_finite(double a) { return std::isfinite(a); }
inline bool is_finite(Rounded a) { return std::isfinite(a.value); }
inline double value_of(double a) { return a; }
inline double value_of(Rounded a) { return a.value; }

}  // namespace daedal::base

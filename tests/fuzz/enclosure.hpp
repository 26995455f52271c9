// An interval that holds the value of an expression however it is reordered, factored or multiplied
// out in doubles; unknown where that cannot be said (poles, edges of domains, overflow).
//
// `magnitude` bounds the sum of the absolute values of all terms that multiplying out could make:
// rounding is relative to it. Functions start a new magnitude, since nothing is multiplied out
// across them.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "expr/evaluate.hpp"

namespace daedal::fuzz {

struct Enclosure {
  double low = 0.0;
  double high = 0.0;
  double magnitude = 0.0;

  static Enclosure of(double value) { return {value, value, std::abs(value)}; }
  static Enclosure unknown() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity, infinity};
  }
  bool is_known() const { return magnitude < std::numeric_limits<double>::infinity(); }
  bool contains(double value) const { return low <= value && value <= high; }
  bool meets(const Enclosure& other) const { return low <= other.high && other.low <= high; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

// Beyond these, products overflow or lose their relative precision.
inline constexpr double largest_tame = 1e60;
inline constexpr double smallest_tame = 1e-60;
// Units in the last place that an operation may be off by: its own rounding, that of the constants
// it was merged with, and that of library functions.
inline constexpr double slack = 64 * std::numeric_limits<double>::epsilon();

// [low, high] with room for rounding; `magnitude` is at least that of the ends.
inline Enclosure widened(double low, double high, double magnitude) {
  if (!(magnitude < largest_tame)) return Enclosure::unknown();
  const double room = slack * magnitude + smallest_tame;
  return {low - room, high + room, magnitude};
}

inline Enclosure hull_of(std::initializer_list<double> values, double magnitude = 0.0) {
  const auto [low, high] = std::minmax(values);
  for (const double value : values)
    if (!std::isfinite(value)) return Enclosure::unknown();
  return widened(low, high, std::max({magnitude, std::abs(low), std::abs(high)}));
}

inline Enclosure operator+(const Enclosure& a, const Enclosure& b) {
  if (!a.is_known() || !b.is_known()) return Enclosure::unknown();
  return widened(a.low + b.low, a.high + b.high, a.magnitude + b.magnitude);
}

inline Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  if (!a.is_known() || !b.is_known()) return Enclosure::unknown();
  return hull_of({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high},
                 a.magnitude * b.magnitude);
}

inline Enclosure reciprocal(const Enclosure& a) {
  if (!a.is_known() || a.contains(0.0)) return Enclosure::unknown();
  return hull_of({1 / a.low, 1 / a.high});
}

// Monotone between the ends, and defined there.
template <typename Function>
Enclosure monotone(Function f, const Enclosure& a) {
  return hull_of({f(a.low), f(a.high)});
}

// |f'| <= slope everywhere.
template <typename Function>
Enclosure lipschitz(Function f, const Enclosure& a, double slope) {
  const double middle = a.low + (a.high - a.low) / 2;
  const double reach = slope * (a.high - a.low);
  return hull_of({f(middle) - reach, f(middle) + reach}, std::abs(middle) * slope);
}

inline Enclosure power(const Enclosure& a, double exponent) {
  if (!a.is_known()) return Enclosure::unknown();
  const auto f = [&](double u) { return expr::apply_power(u, exponent); };
  const bool is_whole = exponent == std::floor(exponent) && std::abs(exponent) <= 64;
  if (is_whole && exponent > 0) {
    const double magnitude = f(a.magnitude);
    return a.contains(0.0) ? hull_of({f(a.low), f(a.high), 0.0}, magnitude)
                           : hull_of({f(a.low), f(a.high)}, magnitude);
  }
  if (a.contains(0.0) || (!is_whole && a.low < 0)) return Enclosure::unknown();
  // A relative change of the base is multiplied by the exponent, and so is that of the exponent by
  // the base's logarithm.
  const double stretch = 1 + std::abs(exponent) * (1 + std::abs(std::log(a.largest())));
  return hull_of({f(a.low), f(a.high)},
                 stretch * std::max(std::abs(f(a.low)), std::abs(f(a.high))));
}

inline Enclosure pow(const Enclosure& a, const Enclosure& b) {
  if (!a.is_known() || !b.is_known() || a.low <= 0) return Enclosure::unknown();
  double largest = 0;
  for (const double u : {a.low, a.high})
    for (const double v : {b.low, b.high}) largest = std::max(largest, std::pow(u, v));
  const double stretch =
      (1 + b.largest()) * (1 + std::abs(std::log(a.high)) + std::abs(std::log(a.low)));
  return hull_of({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                  std::pow(a.high, b.high)},
                 largest * stretch);
}

inline Enclosure atan2(const Enclosure& y, const Enclosure& x) {
  if (!y.is_known() || !x.is_known() || (x.low <= 0 && y.contains(0.0)))
    return Enclosure::unknown();
  return hull_of({std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
                  std::atan2(y.high, x.high)});
}

inline Enclosure unary(expr::Op op, const Enclosure& a) {
  using expr::Op;
  if (!a.is_known()) return Enclosure::unknown();
  const auto f = [op](double u) { return expr::apply_unary(op, u); };
  const auto is_within = [&](double low, double high) { return low < a.low && a.high < high; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::exp: return a.high < 100 ? lipschitz(f, a, std::exp(a.high)) : Enclosure::unknown();
    case Op::sinh:
    case Op::cosh:
      return a.largest() < 100 ? lipschitz(f, a, std::cosh(a.largest())) : Enclosure::unknown();
    case Op::sin:
    case Op::cos:
    case Op::atan:
    case Op::tanh:
    case Op::asinh: return lipschitz(f, a, 1.0);
    case Op::erf: return lipschitz(f, a, 1.2);
    case Op::log: return is_within(0, infinity) ? monotone(f, a) : Enclosure::unknown();
    case Op::asin:
    case Op::acos:
    case Op::atanh: return is_within(-1, 1) ? monotone(f, a) : Enclosure::unknown();
    case Op::acosh: return is_within(1, infinity) ? monotone(f, a) : Enclosure::unknown();
    case Op::tan:
      return std::cos(a.low) * std::cos(a.high) > 0 && a.high - a.low < 1 ? monotone(f, a)
                                                                          : Enclosure::unknown();
    case Op::abs:
      return a.contains(0.0) ? hull_of({0.0, -a.low, a.high}, a.magnitude)
                             : hull_of({f(a.low), f(a.high)}, a.magnitude);
    default: return monotone(f, a);  // sign and relations ascend
  }
}

inline Enclosure minimum(const Enclosure& a, const Enclosure& b) {
  if (!a.is_known() || !b.is_known()) return Enclosure::unknown();
  return hull_of({std::min(a.low, b.low), std::min(a.high, b.high)},
                 std::max(a.magnitude, b.magnitude));
}
inline Enclosure maximum(const Enclosure& a, const Enclosure& b) {
  if (!a.is_known() || !b.is_known()) return Enclosure::unknown();
  return hull_of({std::max(a.low, b.low), std::max(a.high, b.high)},
                 std::max(a.magnitude, b.magnitude));
}
inline Enclosure select(const Enclosure& condition, const Enclosure& then,
                        const Enclosure& otherwise) {
  // A condition is made of sums and products of 0 and 1: within rounding of 0 it is exactly 0.
  if (!condition.is_known()) return Enclosure::unknown();
  if (!condition.contains(0.0)) return then;
  if (condition.largest() < 0.5) return otherwise;
  if (!then.is_known() || !otherwise.is_known()) return Enclosure::unknown();
  return hull_of({then.low, then.high, otherwise.low, otherwise.high},
                 std::max(then.magnitude, otherwise.magnitude));
}

}  // namespace daedal::fuzz

#include "expr/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "expr/evaluate.hpp"

namespace daedal::expr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// sin or cos: between the values at the ends, unless a peak lies between them. Peaks of +1 are at
// `top` + 2 pi k, those of -1 half a turn from there.
Range wave(Op op, Range a, double top) {
  constexpr double pi = std::numbers::pi;
  if (!(a.high - a.low < 2 * pi)) return {-1.0, 1.0};
  const auto has_peak = [&](double phase) {
    return std::floor((a.high - phase) / (2 * pi)) >= std::ceil((a.low - phase) / (2 * pi));
  };
  const double x = apply_unary(op, a.low), y = apply_unary(op, a.high);
  return {has_peak(top - pi) ? -1.0 : std::min(x, y), has_peak(top) ? 1.0 : std::max(x, y)};
}

Range monotone(Op op, Range a) { return {apply_unary(op, a.low), apply_unary(op, a.high)}; }

}  // namespace

const Range anything{-infinity, infinity};

Range widened(Range r) {
  constexpr double rounding = 1e-14;
  if (std::isnan(r.low) || std::isnan(r.high)) return anything;
  return {r.low - rounding * std::abs(r.low), r.high + rounding * std::abs(r.high)};
}

Range times(Range a, Range b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double x : p)
    if (std::isnan(x)) return anything;
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

Range square(Range a) {
  const double low = a.low * a.low, high = a.high * a.high;
  return {a.has_zero() ? 0.0 : std::min(low, high), std::max(low, high)};
}

Range inverse(Range a) { return a.has_zero() ? anything : Range{1 / a.high, 1 / a.low}; }

Range power(Range a, double exponent) {
  const bool is_integer = exponent == std::floor(exponent);
  if (exponent < 0.0) return inverse(power(a, -exponent));
  const bool is_even = is_integer && std::fmod(exponent, 2.0) == 0.0;
  if (!is_integer && a.low < 0.0) return anything;
  const double low = apply_power(a.low, exponent), high = apply_power(a.high, exponent);
  if (!is_even || a.low >= 0.0) return {low, high};
  if (a.high <= 0.0) return {high, low};
  return {0.0, std::max(low, high)};
}

Range smaller(Range a, Range b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Range larger(Range a, Range b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

Range apply_unary(Op op, Range a) {
  switch (op) {
    case Op::sin: return wave(op, a, std::numbers::pi / 2);
    case Op::cos: return wave(op, a, 0.0);
    case Op::abs:
      if (a.has_zero()) return {0.0, std::max(-a.low, a.high)};
      return a.low > 0.0 ? a : Range{-a.high, -a.low};
    case Op::log: return a.low > 0.0 ? monotone(op, a) : anything;
    case Op::exp:
    case Op::atan:
    case Op::tanh:
    case Op::sinh:
    case Op::asinh:
    case Op::erf:
    case Op::sign: return monotone(op, a);
    default: return anything;
  }
}

}  // namespace daedal::expr

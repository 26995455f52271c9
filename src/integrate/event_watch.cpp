#include "integrate/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double none = std::numeric_limits<double>::infinity();
// What a function that begins at zero may be off by there: by rounding, relative to its size, or by
// what could not be refined.
constexpr double rounding_at_zero = 1e-12;
constexpr double tolerances_at_zero = 30.0;
// A function that was zero all along and is more than so many tolerances of its size is not any
// more.
constexpr double tolerances_away = 100.0;
// Roots this near to the first one, as a part of the step, are at the same instant.
constexpr double same_instant = 1e-12;

}  // namespace

double EventWatch::negligible(const WatchedFunction& function, solution::Polynomial p,
                              double end) const {
  double largest = 0.0, power = 1.0;
  for (int k = 0; k < p.size(); ++k, power *= std::abs(end))
    largest = std::max(largest, std::abs(p[k]) * power);
  const double rounding = 4 * epsilon * largest;
  if (!function.is_at_zero) return rounding;
  const double off = std::min(std::abs(p[0]), tolerances_at_zero * tolerance_ * function.size);
  return std::max({rounding, rounding_at_zero * function.size, 8 * off});
}

double EventWatch::distance_to_zero(const WatchedFunction& function, solution::Polynomial p,
                                    double s, double value) const {
  const double slope = solution::scaled_derivative(p, 1, s);
  if (function.side == 0) return 0.0;
  if (std::abs(value) <= epsilon * function.size || slope == 0.0) return 0.0;
  const double distance = value / slope;
  return std::abs(distance) <= 0.1 * std::abs(s) ? distance : 0.0;
}

int EventWatch::side_behind(const WatchedFunction& function, const solution::StepView& step,
                            const solution::StepLayout& layout, double length) const {
  const solution::Polynomial p = step.polynomial(layout, function.unknown);
  const double end = length / step.scale;
  return hybrid::side_after(p, end, negligible(function, p, end));
}

// One that is zero has left it when a term is more than the tolerance explains: at once, then.
std::optional<hybrid::Root> EventWatch::first_root(const WatchedFunction& function,
                                                   solution::Polynomial p, double end) {
  if (function.side != 0)
    return finder_.first_root(p, function.side, end, negligible(function, p, end),
                              tolerance_ * function.size);
  if (hybrid::side_after(p, end, tolerances_away * tolerance_ * function.size) == 0)
    return std::nullopt;
  return hybrid::Root{0.0, false};
}

double EventWatch::up_to_first(const solution::StepView& step, const solution::StepLayout& layout,
                               double t_new, double shortest) {
  arrivals_.clear();
  if (functions_.empty()) return t_new;
  const double end = (t_new - step.begin) / step.scale;
  roots_.assign(functions_.size(), {none, false});
  double first = none;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const auto root =
        first_root(functions_[k], step.polynomial(layout, functions_[k].unknown), end);
    if (!root) continue;
    roots_[k] = {std::abs(root->s), root->touches};
    first = std::min(first, std::abs(root->s));
  }
  if (first == none) return t_new;
  const double near = std::max(same_instant * std::abs(end), shortest / std::abs(step.scale));
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    if (roots_[k].s > first + near) continue;
    const WatchedFunction& function = functions_[k];
    const int away = function.side != 0
                         ? -function.side
                         : hybrid::side_after(step.polynomial(layout, function.unknown), end,
                                              tolerances_away * tolerance_ * function.size);
    arrivals_.push_back(
        {static_cast<int>(k), roots_[k].touches, roots_[k].touches ? function.side : away});
  }
  const double length = std::max(first * std::abs(step.scale), shortest);
  const double t = step.begin + (t_new > step.begin ? length : -length);
  return std::abs(t - step.begin) < std::abs(t_new - step.begin) ? t : t_new;
}

}  // namespace daedal::integrate

#include "integrate/event_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "integrate/taylor/step_control.hpp"

namespace daedal::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double none = std::numeric_limits<double>::infinity();
// What a function that begins at zero may be off by there: by rounding, relative to its size, or by
// what could not be refined.
constexpr double rounding_at_zero = 1e-12;
constexpr double tolerances_at_zero = 30.0;
// Where steps are short, a function that begins at zero is not away from zero before it is larger
// than so many tolerances of its size.
constexpr double tolerances_undecided = 4.0;
// A function that was zero all along and is more than so many tolerances of its size is not any
// more.
constexpr double tolerances_away = 100.0;
// The part of a step in which a function that is near zero is to be away from it.
constexpr double no_time = 1e-4;
// A function that has touched zero, which is to be within a tolerance of it, is away from there
// once it is this many times as far: any number above 1 keeps one touch from being told twice.
constexpr double tolerances_of_band = 2.0;
// Roots this near to the first one, as a part of the step, are at the same instant.
constexpr double same_instant = 1e-12;
// What is left out of a series may be so many times its last term.
constexpr double margin = 10.0;
// The shortest step of any method, in units of rounding of the time.
constexpr double least_units = 64.0;
// Terms that fall by this factor bound what is left out.
constexpr double convergent = 0.7;

// By which terms of the series fall at its end, from the last two and the two before (one of two
// may vanish); 0 if they all do.
double ratio_of_terms(solution::Polynomial p, double end) {
  const int n = p.size();
  if (n < 5) return 0.0;
  const double last = std::max(std::abs(p[n - 1]) * end, std::abs(p[n - 2]));
  const double before = std::max(std::abs(p[n - 3]) * end, std::abs(p[n - 4]));
  return before > 0.0 ? end * std::sqrt(last / before) : 0.0;
}

// Adds x^(order) at the beginning and its first two coefficients of time, times a factor.
void add_first_terms(std::array<double, 3>& sum, solution::Polynomial x, int order, double factor,
                     double scale) {
  for (int m = 1; m <= order; ++m) factor *= m / scale;
  for (int k = 0; k < 3 && k + order < x.size(); ++k) {
    sum[k] += factor * x[k + order];
    factor *= static_cast<double>(k + 1 + order) / ((k + 1) * scale);
  }
}

// The smallest positive root of a + b t + c t^2.
double first_positive_root(double a, double b, double c) {
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0.0) return none;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  double first = none;
  for (const double root : {q / c, a / q})
    if (root > 0.0) first = std::min(first, root);
  return first;
}

}  // namespace

bool leaves_a_step(double t, double end) {
  return std::abs(end - t) > least_units * epsilon * std::max(std::abs(t), std::abs(end));
}

// The sum of the sizes of its terms: cheaper than Bernstein coefficients, and enough for most.
const EventWatch::Motion& EventWatch::motion_of(const WatchedFunction::Term& term,
                                                const solution::StepView& step,
                                                const solution::StepLayout& layout, double end) {
  if (motion_.unknown == term.unknown && motion_.order == term.order && motion_.end == end)
    return motion_;
  motion_ = {term.unknown, term.order, end};
  const solution::Polynomial x = step.polynomial(layout, term.unknown);
  if (x.size() <= term.order) {
    motion_.largest = none;
    return motion_;
  }
  double factor = 1.0;
  for (int m = 1; m <= term.order; ++m) factor *= m / step.scale;
  motion_.value = factor * x[term.order];
  const double s = std::abs(end);
  if (term.order == 0) {
    for (int k = x.size() - 1; k > 0; --k) motion_.largest = s * (std::abs(x[k]) + motion_.largest);
    return motion_;
  }
  factor = std::abs(factor);
  for (int k = 1; k + term.order < x.size(); ++k) {
    factor *= s * static_cast<double>(k + term.order) / k;
    motion_.largest += factor * std::abs(x[k + term.order]);
  }
  return motion_;
}

// Coefficient k of x^(m) is m! C(k+m, m)/scale^m times coefficient k + m of x.
solution::Polynomial EventWatch::polynomial(const WatchedFunction& function,
                                            const solution::StepView& step,
                                            const solution::StepLayout& layout) {
  if (function.terms.size() == 1 && function.terms[0].order == 0 &&
      function.terms[0].factor == 1.0 && function.constant == 0.0 && function.slope == 0.0)
    return step.polynomial(layout, function.terms[0].unknown);
  int degree = layout.num_rows;
  for (const auto& term : function.terms)
    degree = std::min(degree, layout.degree(term.unknown) - term.order);
  coefficients_.assign(degree + 1, 0.0);
  coefficients_[0] = function.constant + function.slope * step.begin;
  if (degree > 0) coefficients_[1] = function.slope * step.scale;
  for (const auto& term : function.terms) {
    const solution::Polynomial x = step.polynomial(layout, term.unknown);
    double factor = term.factor;
    for (int m = 1; m <= term.order; ++m) factor *= m / step.scale;  // m!/scale^m
    for (int k = 0; k <= degree; ++k) {
      coefficients_[k] += factor * x[k + term.order];
      if (term.order > 0) factor *= static_cast<double>(k + 1 + term.order) / (k + 1);
    }
  }
  return coefficients_;
}

double EventWatch::negligible(const WatchedFunction& function, solution::Polynomial p,
                              double end) const {
  double motion = 0.0, power = std::abs(end);
  for (int k = 1; k < p.size(); ++k, power *= std::abs(end))
    motion = std::max(motion, std::abs(p[k]) * power);
  const double rounding = 4 * epsilon * std::max(motion, std::abs(p[0]));
  const bool begins_at_zero =
      function.is_at_zero || (function.is_near_zero && std::abs(p[0]) <= no_time * motion);
  // Where it does not, it is on its side at the begin, however far it moves on a long step.
  if (!begins_at_zero) return std::min(rounding, 0.25 * std::abs(p[0]));
  const double off = std::min(std::abs(p[0]), tolerances_at_zero * tolerance_ * function.size);
  const double noise = (is_coarse_ ? tolerance_ : rounding_at_zero) * function.size;
  return std::max({rounding, noise, 8 * off});
}

int EventWatch::side_behind(const WatchedFunction& function, const solution::StepView& step,
                            const solution::StepLayout& layout, double length) {
  const solution::Polynomial p = polynomial(function, step, layout);
  double end = length / step.scale;
  if (function.is_own)
    end =
        std::copysign(std::min(std::abs(end), longest_accurate(p, tolerance_, function.size)), end);
  return hybrid::side_after(p, end, negligible(function, p, end));
}

// The side that a function goes to; 0 for one that is zero while no term is more than the tolerance
// explains.
int EventWatch::side_away(const WatchedFunction& function, solution::Polynomial p,
                          double end) const {
  return function.side != 0
             ? -function.side
             : hybrid::side_after(p, end, tolerances_away * tolerance_ * function.size);
}

// A crossing that comes back before the tolerance can tell it from zero touches, as it would if it
// fell short by as much.
hybrid::Root EventWatch::as_touch(const WatchedFunction& function, solution::Polynomial p,
                                  double end, const hybrid::Root& root) {
  shifted_.resize(p.size());
  for (int k = 0; k < p.size(); ++k) shifted_[k] = solution::scaled_derivative(p, k, root.s);
  shifted_[0] = 0.0;
  const auto back = finder_.first_root(shifted_, -function.side, end - root.s, 0.0);
  if (!back || back->touches || back->s == 0.0) return root;
  const double bottom = root.s + 0.5 * back->s;
  const bool is_shallow =
      std::abs(solution::scaled_derivative(p, 0, bottom)) <= tolerance_ * function.size;
  return is_shallow ? hybrid::Root{bottom, true} : root;
}

double EventWatch::band_of(const WatchedFunction& function) const {
  return tolerances_of_band * tolerance_ * function.size;
}

std::optional<hybrid::Root> EventWatch::root_after_touch(const WatchedFunction& function,
                                                         solution::Polynomial p, double end,
                                                         double& away) {
  moved_.resize(p.size());
  const auto leaves_band = [&](int side) -> std::optional<hybrid::Root> {
    for (int k = 0; k < p.size(); ++k) moved_[k] = p[k];
    moved_[0] -= side * band_of(function);
    if (side * moved_[0] > 0.0) return hybrid::Root{0.0, false};
    return finder_.first_root(moved_, -side, end, 0.0);
  };
  const auto back = leaves_band(function.side), beyond = leaves_band(-function.side);
  if (beyond && (!back || std::abs(beyond->s) < std::abs(back->s))) return beyond;
  if (!back) return std::nullopt;
  away = back->s;
  for (int k = 0; k < p.size(); ++k) moved_[k] = solution::scaled_derivative(p, k, away);
  auto root =
      finder_.first_root(moved_, function.side, end - away, 0.0, tolerance_ * function.size);
  if (root && !root->touches) root = as_touch(function, moved_, end - away, *root);
  if (root) root->s += away;
  return root;
}

// Functions that have touched and were away from zero by t may touch it again.
void EventWatch::leave_band(double t) {
  for (std::size_t k = 0; k < functions_.size() && k < time_to_leave_.size(); ++k)
    if (std::abs(t - searched_from_) >= time_to_leave_[k]) functions_[k].has_touched = false;
}

// One that is zero leaves at once, if it does.
std::optional<hybrid::Root> EventWatch::first_root(const WatchedFunction& function,
                                                   solution::Polynomial p, double end) {
  if (function.side != 0) {
    const auto root = finder_.first_root(p, function.side, end, negligible(function, p, end),
                                         tolerance_ * function.size);
    return root && !root->touches && root->s != 0.0 ? as_touch(function, p, end, *root) : root;
  }
  if (side_away(function, p, end) == 0) return std::nullopt;
  return hybrid::Root{0.0, false};
}

// Whether bounds of its terms keep a function from zero, and from touching it: most calls end here.
bool EventWatch::is_far(const WatchedFunction& function, const solution::StepView& step,
                        const solution::StepLayout& layout, double end) {
  if (function.side == 0 || function.is_at_zero || function.is_near_zero || function.has_touched)
    return false;
  const double near = tolerance_ * function.size;
  const double at_begin = function.slope * step.begin;
  const double at_end = function.slope * (step.begin + end * step.scale);
  double value = function.constant + at_begin, motion = std::abs(at_end - at_begin);
  for (const auto& term : function.terms) {
    const Motion& x = motion_of(term, step, layout, end);
    value += term.factor * x.value;
    motion += std::abs(term.factor) * x.largest;
  }
  const double rounding = 8 * epsilon * (function.size + std::abs(value) + motion);
  if (function.side * value - motion > near + rounding) return true;
  hybrid::Range sum{function.constant + std::min(at_begin, at_end),
                    function.constant + std::max(at_begin, at_end)};
  for (const auto& term : function.terms) {
    const hybrid::Range x =
        hybrid::range_of(step.polynomial(layout, term.unknown), term.order, step.scale, end);
    sum.low += term.factor * (term.factor > 0.0 ? x.low : x.high);
    sum.high += term.factor * (term.factor > 0.0 ? x.high : x.low);
  }
  return function.side > 0 ? sum.low > near : sum.high < -near;
}

// Far from zero a function needs no accuracy; but that it is far is known only as far as its series
// converges.
double EventWatch::longest_step_of_own(const solution::StepView& step,
                                       const solution::StepLayout& layout, double length) {
  for (const WatchedFunction& function : functions_) {
    if (!function.is_own) continue;
    const solution::Polynomial p = polynomial(function, step, layout);
    const double ratio = ratio_of_terms(p, length / std::abs(step.scale));
    if (ratio > convergent) length *= convergent / ratio;
    const double end = length / std::abs(step.scale);
    double rest = 0.0, power = end, last = 0.0;
    for (int k = 1; k < p.size(); ++k, power *= end) {
      const double term = std::abs(p[k]) * power;
      rest += term;
      if (k + 2 >= p.size()) last = std::max(last, term);
    }
    if (std::abs(p[0]) > rest + margin * last) continue;
    length =
        std::min(length, std::abs(step.scale) * longest_accurate(p, tolerance_, function.size));
  }
  return length;
}

// The function that would be the first to be zero if all went on as they begin; -1 if none would.
int EventWatch::likely_first(const solution::StepView& step, const solution::StepLayout& layout,
                             double t_new) const {
  const double direction = t_new >= step.begin ? 1.0 : -1.0;
  double soonest = none;
  int likely = -1;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const WatchedFunction& function = functions_[k];
    std::array<double, 3> sum = {function.constant + function.slope * step.begin, function.slope};
    for (const auto& term : function.terms)
      add_first_terms(sum, step.polynomial(layout, term.unknown), term.order, term.factor,
                      step.scale);
    const double time = first_positive_root(sum[0], direction * sum[1], sum[2]);
    if (!(time < soonest)) continue;
    soonest = time;
    likely = static_cast<int>(k);
  }
  return likely;
}

// Looks for the first root of a function; how far the step needs to be searched after that.
double EventWatch::search(int k, const solution::StepView& step, const solution::StepLayout& layout,
                          double end, double needed) {
  const WatchedFunction& function = functions_[k];
  if (function.terms.empty() || is_far(function, step, layout, std::copysign(needed, end)))
    return needed;
  const solution::Polynomial p = polynomial(function, step, layout);
  if (is_undecided(function, p, end)) return needed;
  double away = none;
  auto root = function.has_touched ? root_after_touch(function, p, end, away)
                                   : first_root(function, p, end);
  time_to_leave_[k] = std::abs(away * step.scale);
  if (!root && has_sunk(function, p, end)) root = hybrid::Root{end, false};
  if (!root) return needed;
  roots_[k] = {std::abs(root->s), root->touches};
  away_[k] = root->touches ? function.side : side_away(function, p, end);
  return std::min(needed, roots_[k].s);
}

// What comes after the first root found so far makes no difference: most functions are far from
// zero until then, if that of the likely first is found first.
double EventWatch::find_first(const solution::StepView& step, const solution::StepLayout& layout,
                              double t_new, double shortest) {
  const double end = (t_new - step.begin) / step.scale;
  roots_.assign(functions_.size(), {none, false});
  away_.assign(functions_.size(), 0);
  time_to_leave_.assign(functions_.size(), none);
  searched_from_ = step.begin;
  motion_ = {};
  const double instant = std::max(same_instant * std::abs(end), shortest / std::abs(step.scale));
  const int likely = likely_first(step, layout, t_new);
  double needed = std::abs(end);
  const auto search_for = [&](int k) {
    const double root = search(k, step, layout, end, needed);
    needed = std::min(needed, root + instant);
  };
  if (likely >= 0) search_for(likely);
  for (int k = 0; k < static_cast<int>(functions_.size()); ++k)
    if (k != likely) search_for(k);
  double first = none;
  for (const hybrid::Root& root : roots_) first = std::min(first, root.s);
  if (first == none) return t_new;
  for (std::size_t k = 0; k < functions_.size(); ++k)
    if (roots_[k].s <= first + instant)
      arrivals_.push_back({static_cast<int>(k), roots_[k].touches, away_[k]});
  const double length = std::max(first * std::abs(step.scale), shortest);
  const double t = step.begin + (t_new > step.begin ? length : -length);
  const bool is_before = std::abs(t - step.begin) + shortest < std::abs(t_new - step.begin);
  return is_before && leaves_a_step(t, t_new) ? t : t_new;
}

// Whether a short step leaves a function that begins at zero as good as there, or on its side.
bool EventWatch::is_undecided(const WatchedFunction& function, solution::Polynomial p,
                              double end) const {
  if (!is_coarse_ || (!function.is_at_zero && !function.is_near_zero)) return false;
  const double unit = tolerance_ * function.size;
  double motion = 0.0, power = std::abs(end);
  for (int k = 1; k < p.size(); ++k, power *= std::abs(end)) motion += std::abs(p[k]) * power;
  return motion <= tolerances_undecided * unit &&
         std::abs(p[0]) <= (tolerances_at_zero + tolerances_undecided) * unit;
}

// Whether it comes out of there on the other side, farther than where it may have begun.
bool EventWatch::has_sunk(const WatchedFunction& function, solution::Polynomial p,
                          double end) const {
  if (!is_coarse_ || function.side == 0) return false;
  if (!function.is_at_zero && !function.is_near_zero) return false;
  return function.side * solution::scaled_derivative(p, 0, end) <
         -(tolerances_at_zero + tolerances_undecided) * tolerance_ * function.size;
}

void EventWatch::leave_zero(const solution::StepView& step, const solution::StepLayout& layout) {
  leave_band(step.end);
  for (WatchedFunction& function : functions_) {
    if (!function.is_at_zero && !function.is_near_zero) continue;
    const double value = function.value(step.end, [&](int unknown, int order) {
      return step.value(layout, unknown, step.end, order);
    });
    const double away = function.side == 0 ? std::abs(value) : function.side * value;
    if (away > tolerances_undecided * tolerance_ * function.size)
      function.is_at_zero = function.is_near_zero = false;
  }
}

double EventWatch::correction(const solution::StepView& step, const solution::StepLayout& layout,
                              double t_new, double value) {
  const WatchedFunction& function = *crossing();
  const double s = (t_new - step.begin) / step.scale;
  const double slope = solution::scaled_derivative(polynomial(function, step, layout), 1, s);
  if (std::abs(value) <= epsilon * function.size || slope == 0.0) return 0.0;
  const double distance = value / slope;
  return std::abs(distance) <= 0.1 * std::abs(s) ? distance * step.scale : 0.0;
}

}  // namespace daedal::integrate

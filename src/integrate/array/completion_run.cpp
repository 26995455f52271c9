#include "integrate/array/completion_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr int degree = 3;
constexpr int most_trials = 30;
// Differences below this part of an unknown's size are rounding.
constexpr double rounding = 8e-15;

// Gauss's formula with 6 points, exact on polynomials of degree 11: points of (0, 1), and weights.
constexpr int num_points = 6;
constexpr std::array<double, num_points> points = {0.033765242898423975, 0.16939530676686776,
                                                   0.38069040695840156,  0.6193095930415985,
                                                   0.8306046932331322,   0.966234757101576};
constexpr std::array<double, num_points> weights = {0.0856622461895852,  0.18038078652406930,
                                                    0.23395696728634550, 0.23395696728634550,
                                                    0.18038078652406930, 0.0856622461895852};

}  // namespace

CompletionRun::CompletionRun(reduce::Completion& completion, double t, const std::vector<double>& x,
                             const RungeKuttaOptions& options, bool depends_on_time)
    : completion_(completion),
      method_([this](double time, std::span<const double> values,
                     std::span<double> slope) { return find_slope_of_stage(time, values, slope); },
              t, x, options),
      options_(options),
      begin_(t),
      slope_(x.size()),
      depends_on_time_(depends_on_time),
      is_blind_(x.size()),
      is_even_(x.size()),
      x_inside_(x.size()),
      slope_inside_(x.size()),
      integral_(x.size()) {
  for (std::size_t j = 0; j < x.size(); ++j) layout_.column.push_back(static_cast<int>(j));
  layout_.degrees.assign(x.size(), degree);
  layout_.num_rows = degree + 1;
  step_.assign(layout_.size(), 0.0);
  if (find_slope()) completion_.keep();
}

// Stages that come to another branch disagree with those before, and the trial is rejected. The
// next one, shorter, begins on the solution's own branch again.
bool CompletionRun::find_slope_of_stage(double t, std::span<const double> x,
                                        std::span<double> slope) {
  if (method_.num_trials() != num_trials_) completion_.return_to_kept();
  num_trials_ = method_.num_trials();
  return completion_.derivative(t, x, slope);
}

bool CompletionRun::find_slope() {
  is_defined_ = completion_.derivative(method_.t(), method_.x(), slope_);
  return is_defined_;
}

// Where a stage has no x' the library gives up: a shorter step is tried from the same point.
bool CompletionRun::advance(double stop) {
  const std::vector<double> from(method_.x().begin(), method_.x().end()), slope = slope_;
  const double begin = t();
  for (int trial = 0; trial < most_trials; ++trial) {
    const bool is_made = method_.step(stop);
    if (is_made && t() == begin) return false;  // too short to change t: values would creep
    if (is_made && are_quadratures_good(begin, from, slope) && find_slope()) {
      completion_.keep();
      begin_ = begin;
      set_polynomials(t() - begin, from, slope);
      return true;
    }
    const double length = is_made ? std::abs(t() - begin) : method_.last_trial();
    completion_.return_to_kept();
    method_.restart(begin, from, options_.nominals, std::copysign(0.5 * length, stop - begin));
  }
  slope_ = slope;
  return false;
}

// Fehlberg's pair of order 8 differs in stages that have the same t and another x: of components
// whose slope is a function of t, and of what moves evenly with it, it estimates an error of zero,
// to rounding. They are seen by their slope where the step begins, which is the same with all else
// as at its end.
bool CompletionRun::has_blind_components(double begin, std::span<const double> from,
                                         std::span<const double> slope) {
  const double h = t() - begin;
  const auto errors = method_.estimated_errors();
  const auto size = [&](std::size_t j) { return options_.nominals[j] + std::abs(method_.x()[j]); };
  bool is_any = false, is_any_even = depends_on_time_;
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double change = method_.x()[j] - from[j];
    const bool is_moved = std::abs(change) > options_.tolerance * size(j);
    is_blind_[j] = is_moved && std::abs(errors[j]) <= rounding * size(j);
    is_even_[j] = is_moved && std::abs(change - h * slope[j]) <= rounding * size(j);
    x_inside_[j] = is_even_[j] ? from[j] : method_.x()[j];
    is_any = is_any || is_blind_[j];
    is_any_even = is_any_even || is_even_[j];
  }
  if (!is_any || !is_any_even) return false;
  if (!completion_.derivative(begin, x_inside_, slope_inside_)) return false;
  for (std::size_t j = 0; j < from.size(); ++j)
    if (!(std::abs((slope_inside_[j] - slope[j]) * h) <= rounding * size(j))) is_blind_[j] = false;
  return std::find(is_blind_.begin(), is_blind_.end(), true) != is_blind_.end();
}

// The change of blind components, by another formula.
bool CompletionRun::are_quadratures_good(double begin, std::span<const double> from,
                                         std::span<const double> slope) {
  const double h = t() - begin;
  const std::vector<double> found = completion_.found();
  const bool is_blind = has_blind_components(begin, from, slope);
  std::fill(integral_.begin(), integral_.end(), 0.0);
  for (int k = 0; k < num_points && is_blind; ++k) {
    for (std::size_t j = 0; j < from.size(); ++j)
      if (is_even_[j]) x_inside_[j] = from[j] + points[k] * (method_.x()[j] - from[j]);
    if (!completion_.derivative(begin + points[k] * h, x_inside_, slope_inside_)) return false;
    for (std::size_t j = 0; j < from.size(); ++j) integral_[j] += weights[k] * h * slope_inside_[j];
  }
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double allowed = options_.tolerance * (options_.nominals[j] + std::abs(method_.x()[j]));
    if (is_blind && is_blind_[j] && !(std::abs(method_.x()[j] - from[j] - integral_[j]) <= allowed))
      return false;
  }
  completion_.return_to(found);
  return true;
}

void CompletionRun::set_polynomials(double h, std::span<const double> from,
                                    std::span<const double> slope) {
  const std::size_t n = slope_.size();
  for (std::size_t j = 0; j < n; ++j) {
    const double change = method_.x()[j] - from[j];
    step_[j] = from[j];
    step_[n + j] = h * slope[j];
    step_[2 * n + j] = 3 * change - h * (2 * slope[j] + slope_[j]);
    step_[3 * n + j] = h * (slope[j] + slope_[j]) - 2 * change;
  }
}

double CompletionRun::derivative(int unknown, int order) const {
  if (order == 0) return method_.x()[unknown];
  return order == 1 ? slope_[unknown] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace daedal::integrate

#include "integrate/completion_run.hpp"

#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr int degree = 3;
constexpr int most_trials = 30;

}  // namespace

CompletionRun::CompletionRun(reduce::Completion& completion, double t, const std::vector<double>& x,
                             const RungeKuttaOptions& options)
    : completion_(completion),
      method_([this](double time, std::span<const double> values,
                     std::span<double> slope) { return find_slope_of_stage(time, values, slope); },
              t, x, options),
      nominals_(options.nominals),
      begin_(t),
      slope_(x.size()) {
  for (std::size_t j = 0; j < x.size(); ++j) layout_.column.push_back(static_cast<int>(j));
  layout_.degrees.assign(x.size(), degree);
  layout_.num_rows = degree + 1;
  step_.assign(layout_.size(), 0.0);
  find_slope();
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
  is_defined_ = completion_.derivative(t(), method_.x(), slope_);
  if (is_defined_) completion_.keep();
  return is_defined_;
}

// Where a stage has no x' the library gives up: a shorter step is tried from the same point.
bool CompletionRun::make_step(double stop) {
  const std::vector<double> from(method_.x().begin(), method_.x().end());
  const double begin = t();
  for (int trial = 0; trial < most_trials; ++trial) {
    const bool is_made = method_.step(stop);
    if (is_made && t() == begin) return false;  // too short to change t: values would creep
    if (is_made && find_slope()) return true;
    const double length = is_made ? std::abs(t() - begin) : method_.last_trial();
    completion_.return_to_kept();
    method_.restart(begin, from, nominals_, std::copysign(0.5 * length, stop - begin));
  }
  return false;
}

bool CompletionRun::advance(double stop) {
  const std::size_t n = slope_.size();
  const std::vector<double> from(method_.x().begin(), method_.x().end()), slope = slope_;
  const double begin = t();
  if (!make_step(stop)) return false;
  begin_ = begin;
  const double h = t() - begin;
  for (std::size_t j = 0; j < n; ++j) {
    const double change = method_.x()[j] - from[j];
    step_[j] = from[j];
    step_[n + j] = h * slope[j];
    step_[2 * n + j] = 3 * change - h * (2 * slope[j] + slope_[j]);
    step_[3 * n + j] = h * (slope[j] + slope_[j]) - 2 * change;
  }
  return true;
}

double CompletionRun::derivative(int unknown, int order) const {
  if (order == 0) return method_.x()[unknown];
  return order == 1 ? slope_[unknown] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace daedal::integrate

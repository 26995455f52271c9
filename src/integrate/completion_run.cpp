#include "integrate/completion_run.hpp"

#include <limits>

namespace daedal::integrate {
namespace {

constexpr int degree = 3;

}  // namespace

CompletionRun::CompletionRun(reduce::Completion& completion, double t, const std::vector<double>& x,
                             const RungeKuttaOptions& options)
    : completion_(completion),
      method_(
          [&completion](double time, std::span<const double> values, std::span<double> slope) {
            return completion.derivative(time, values, slope);
          },
          t, x, options),
      begin_(t),
      slope_(x.size()) {
  for (std::size_t j = 0; j < x.size(); ++j) layout_.column.push_back(static_cast<int>(j));
  layout_.degrees.assign(x.size(), degree);
  layout_.num_rows = degree + 1;
  step_.assign(layout_.size(), 0.0);
  find_slope();
}

bool CompletionRun::find_slope() {
  is_defined_ = completion_.derivative(t(), method_.x(), slope_);
  return is_defined_;
}

bool CompletionRun::advance(double stop) {
  const std::size_t n = slope_.size();
  const std::vector<double> from(method_.x().begin(), method_.x().end()), slope = slope_;
  const double begin = t();
  if (!method_.step(stop) || !find_slope()) return false;
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

// Steps of a hybrid run by a method other than Taylor's, whose series serve at events: they refine
// the instant, and modes are left and entered from them.
#include <algorithm>
#include <cmath>

#include "solve/hybrid_run.hpp"
#include "solve/run_limits.hpp"

namespace daedal::solving {

// The method goes on from where the series are.
void HybridRun::begin_method() {
  ++num_begun_;
  const integrate::TaylorRun& series = run_now();
  integrate::MethodRun& run = mode_->method(settings_, options_);
  const bool is_begun = run.begin(series.t(), series.end(), derivatives_of(series));
  recorder_->follow(run);
  if (!is_begun) return end(explain_method_stop(mode_->active_plan(), settings_, run, solution_));
  run.watch(series.watched());
}

// The series at the point that the method has reached.
bool HybridRun::stand_with_series() {
  const integrate::MethodRun& run = *mode_->method();
  return mode_->series(settings_, options_)
      .begin(run.t(), entry_.reader().next_stop(*mode_, run.t()), run.derivatives(), 0,
             std::abs(settings_.to - settings_.from));
}

// Polynomials of a method are as accurate as the tolerance; the series find the zero of an event
// function to rounding. False if there are none.
bool HybridRun::refine_event() {
  constexpr int most_refinements = 3;
  constexpr double nearby = 0.01;  // as a part of the step
  constexpr double same_time = 1e-14;
  integrate::MethodRun& run = *mode_->method();
  for (int n = 0; n <= most_refinements; ++n) {
    if (!stand_with_series()) return false;
    const integrate::WatchedFunction* function = run.crossing();
    if (function == nullptr || n == most_refinements) break;
    const integrate::TaylorRun& series = run_now();
    const double value = function->value(
        series.t(), [&](int unknown, int order) { return series.derivative(unknown, order); });
    double rate = function->slope;
    for (const auto& term : function->terms)
      rate += term.factor * series.derivative(term.unknown, term.order + 1);
    double t = run.t() - value / rate;
    if (std::abs(t - series.end()) <= same_time * std::max(std::abs(t), run.duration()))
      t = series.end();
    const solution::StepView step = run.accepted();
    if (!(std::abs(t - run.t()) <= nearby * std::abs(step.end - step.begin)) || t == run.t()) break;
    run.end_at(t);
  }
  run_now().arrive(run.arrivals());
  return true;
}

void HybridRun::take_method_step() {
  integrate::MethodRun& run = *mode_->method();
  const auto stop = [&] {
    return explain_method_stop(mode_->active_plan(), settings_, run, solution_);
  };
  if (!run.advance()) {
    if (!stand_with_series() || !arrives_early()) end(stop());
    return;
  }
  const bool is_event = !run.arrivals().empty() || run.is_done();
  const bool has_series = is_event && refine_event();
  if (!recorder_->accept(run))
    return end(explain_interruption(run.t(), solution_.statistics.steps));
  at_event_.clear();
  if (is_event) {
    if (!has_series) return end(stop());
    const long num_begun = num_begun_;
    arrive();
    if (is_under_way_ && num_begun_ == num_begun && run.is_done() && run.t() != settings_.to)
      begin_method();
    if (!is_under_way_) return;
    if (num_begun_ == num_begun) run.watch(run_now().watched());
  }
  if (now() == settings_.to) return end({});
  if (const auto limit = reached_limit(settings_, options_, now(), solution_)) end(*limit);
}

void HybridRun::add_method_statistics() {
  for (const auto& mode : modes_.modes())
    if (mode->method() != nullptr) add_statistics(mode->active_plan(), *mode->method(), solution_);
  if (mode_ != nullptr && mode_->method() != nullptr)
    solution_.order = mode_->method()->method().order();
}

}  // namespace daedal::solving

// Steps of a hybrid run by a method other than Taylor's, whose series serve at events: they refine
// the instant, and modes are left and entered from them.
#include <algorithm>
#include <cmath>

#include "run/cut_step.hpp"
#include "run/modes/transitions.hpp"

namespace daedal::run {

// The method goes on from where the series are.
void Transitions::begin_method() {
  ++num_begun_;
  const integrate::EventSource& series = run_now();
  MethodStepper& method = mode_->method(settings_, options_);
  const bool is_begun =
      method.begin_with(series.t(), up_to_pause(series.end()), derivatives_of(series));
  recorder_->enter(method.run());
  if (is_begun)
    method.run().watch(series.watched());
  else
    end_before(series.t(), derivatives_of(series), method.explain(*solution_));
}

// The series at the point that the method has reached; on the array, its polynomials there.
bool Transitions::stand_with_series() {
  const integrate::MethodRun& run = mode_->method()->run();
  if (mode_->is_on_array())
    return mode_->array(settings_).find_near(run.t(), run.derivatives(), {}).ok() &&
           mode_->begin_on_array(run.t(), entry_.reader().next_stop(*mode_, run.t()));
  return mode_->series(settings_, options_)
      .begin(run.t(), entry_.reader().next_stop(*mode_, run.t()), run.derivatives(), 0,
             std::abs(settings_.to - settings_.from));
}

// A mode may end at its own guard, beyond which its equations are not defined: sqrt(h) where h > 0.
// The last point of the step at which they are is near enough to it.
bool Transitions::stand_before_event() {
  constexpr int halvings = 40;
  integrate::MethodRun& run = mode_->method()->run();
  const solution::StepView step = run.accepted();
  double inside = step.begin, outside = step.end;
  for (int n = 0; n < halvings; ++n) {
    const double t = inside + 0.5 * (outside - inside);
    run.end_at(t);
    (stand_with_series() ? inside : outside) = t;
  }
  run.end_at(inside == step.begin ? step.end : inside);
  return inside != step.begin && stand_with_series();
}

// A function that begins as good as zero may end a step beyond it without an event; where the
// equations of the mode are not defined there, that is where they end.
bool Transitions::stops_at_own_guard() {
  const integrate::MethodRun& run = mode_->method()->run();
  std::vector<integrate::Arrival> beyond;
  for (int k = 0; k < static_cast<int>(run.watched().size()); ++k) {
    const integrate::WatchedFunction& function = run.watched()[static_cast<std::size_t>(k)];
    if (function.side == 0 || (!function.is_at_zero && !function.is_near_zero)) continue;
    const double value = function.value(
        run.t(), [&](int unknown, int order) { return run.derivative(unknown, order); });
    if (function.side * value < 0.0) beyond.push_back({k, false, -function.side});
  }
  if (beyond.empty() || stand_with_series() || !stand_before_event()) return false;
  run_now().arrive(beyond);
  return true;
}

// Polynomials of a method are as accurate as the tolerance; the series find the zero of an event
// function to rounding. False if there are none.
bool Transitions::refine_event() {
  constexpr int most_refinements = 3;
  constexpr double nearby = 0.01;  // as a part of the step
  constexpr double same_time = 1e-14;
  integrate::MethodRun& run = mode_->method()->run();
  for (int n = 0; n <= most_refinements; ++n) {
    if (!stand_with_series() && !stand_before_event()) return false;
    const integrate::WatchedFunction* function = run.crossing();
    if (function == nullptr || n == most_refinements) break;
    const integrate::EventSource& series = run_now();
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

// Where a guard is as good as zero, its event says what holds there.
bool Transitions::is_near_guard(double t) const {
  const solution::StepView step = steps().accepted();
  return std::any_of(
      watched().begin(), watched().end(), [&](const integrate::WatchedFunction& function) {
        const double value = function.value(t, [&](int unknown, int order) {
          return step.value(steps().layout(), unknown, t, order);
        });
        return function.side != 0 && entry_.reader().is_near_zero(value, function.size);
      });
}

// Whoever makes steps.
const solution::StepSource& Transitions::steps() const {
  return makes_method_steps() ? static_cast<const solution::StepSource&>(mode_->method()->run())
                              : run_now();
}

const std::vector<integrate::WatchedFunction>& Transitions::watched() const {
  return makes_method_steps() ? mode_->method()->run().watched() : run_now().watched();
}

// Steps on the array are given up for other reasons.
integrate::Progress Transitions::progress() const {
  if (is_by_method()) return mode_->method()->run().progress();
  return mode_->is_by_array() ? integrate::Progress{} : mode_->taylor().run().progress();
}

void Transitions::set_progress(const integrate::Progress& progress) {
  if (is_by_method())
    mode_->method()->run().set_progress(progress);
  else if (!mode_->is_by_array())
    mode_->taylor().run().set_progress(progress);
}

// A step that ends in an event is looked at up to shortly before: a mode may end where its own
// operations do, sqrt(h) where h > 0.
std::optional<explain::StopReason> Transitions::objection() {
  constexpr double left_out = 1e-3;
  if (!makes_method_steps() && !mode_->is_by_array()) return std::nullopt;
  const solution::StepView step = steps().accepted();
  const double end = is_event_ ? step.end - left_out * (step.end - step.begin) : step.end;
  auto reason = edges().look(CutStep(steps(), end), end, solution_->statistics.steps);
  const auto off_branch = signs().take_objection();
  if (!reason) reason = off_branch;
  const bool is_guarded =
      reason && !edges().has_passed_feature() &&
      (is_near_guard(step.begin) || is_near_guard(*reason->cut_at) || is_near_guard(end));
  return is_guarded ? std::nullopt : reason;
}

EdgeWatch& Transitions::edges() const {
  return makes_method_steps() ? mode_->method()->edges()
                              : mode_->array(settings_).stepper().edges();
}

SignWatch& Transitions::signs() const {
  return makes_method_steps() ? mode_->method()->signs()
                              : mode_->array(settings_).stepper().signs();
}

void Transitions::refine() {
  if (mode_->is_by_array()) is_event_ = !run_now().arrivals().empty() || run_now().is_done();
  if (!makes_method_steps()) return;
  const integrate::MethodRun& run = mode_->method()->run();
  is_event_ = !run.arrivals().empty() || run.is_done();
  has_series_ = !is_event_ || refine_event();
  if (!is_event_) is_event_ = stops_at_own_guard();
}

void Transitions::after_method_step() {
  if (!is_event_) return;
  if (!has_series_) {
    end_ = mode_->method()->explain(*solution_);
    return;
  }
  integrate::MethodRun& run = mode_->method()->run();
  if (is_at_pause_only(run.arrivals())) return;
  const long num_begun = num_begun_;
  arrive();
  if (!is_over() && num_begun_ == num_begun && run.is_done() && run.t() != settings_.to)
    begin_method();
  if (!is_over() && num_begun_ == num_begun) run.watch(run_now().watched());
}

void Transitions::settle(solution::Record& solution) {
  if (mode_ == nullptr) return;
  leave_mode();
  if (!is_by_method() && !is_recorded_) mode_->stepper().settle(solution);
  modes_.for_each([&](Mode& mode) {
    if (mode.method() != nullptr) mode.method()->count(solution);
  });
}

}  // namespace daedal::run

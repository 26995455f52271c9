// Steps of a hybrid run by a method other than Taylor's, whose series serve at events: they refine
// the instant, and modes are left and entered from them.
#include <algorithm>
#include <cmath>

#include "solution/access.hpp"
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

// A mode may end at its own guard, behind which its equations are not defined: sqrt(h) where h > 0.
bool HybridRun::stand_before_event() {
  integrate::MethodRun& run = *mode_->method();
  const solution::StepView step = run.accepted();
  for (const double part : {1e-9, 1e-6, 1e-3}) {  // of the step that is left out
    run.end_at(step.end - part * (step.end - step.begin));
    if (stand_with_series()) return true;
  }
  return false;
}

// Polynomials of a method are as accurate as the tolerance; the series find the zero of an event
// function to rounding. False if there are none.
bool HybridRun::refine_event() {
  constexpr int most_refinements = 3;
  constexpr double nearby = 0.01;  // as a part of the step
  constexpr double same_time = 1e-14;
  integrate::MethodRun& run = *mode_->method();
  for (int n = 0; n <= most_refinements; ++n) {
    if (!stand_with_series() && !stand_before_event()) return false;
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

// Where a guard is as good as zero, its event says what holds there.
bool HybridRun::is_near_guard(double t) const {
  const integrate::MethodRun& run = *mode_->method();
  const solution::StepView step = run.accepted();
  return std::any_of(
      run.watched().begin(), run.watched().end(), [&](const integrate::WatchedFunction& function) {
        const double value = function.value(
            t, [&](int unknown, int order) { return step.value(run.layout(), unknown, t, order); });
        return function.side != 0 && entry_.reader().is_near_zero(value, function.size);
      });
}

// A step that ends in an event is looked at up to shortly before: a mode may end where its own
// operations do, sqrt(h) where h > 0.
std::optional<StopReason> HybridRun::edge_passed(bool is_event) {
  constexpr double left_out = 1e-3;
  const integrate::MethodRun& run = *mode_->method();
  const solution::StepView step = run.accepted();
  const double end = is_event ? step.end - left_out * (step.end - step.begin) : step.end;
  auto reason = mode_->edges().look(CutStep(run, end), end, solution_.statistics.steps + 1);
  const bool is_guarded =
      reason && (is_near_guard(step.begin) || is_near_guard(*reason->cut_at) || is_near_guard(end));
  return is_guarded ? std::nullopt : reason;
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
  if (const auto reason = edge_passed(is_event)) return end(*reason);
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

// The way back from a state to the same state is the same in a run that was never interrupted.
void HybridRun::anchor_if_due() {
  if (!is_under_way_ || !anchors_.is_due(solution_.statistics.steps) || !can_anchor()) return;
  if (is_by_method()) {
    double& residual = solution_.statistics.constraint_residual;
    residual = std::max(residual, mode_->method()->method().constraint_residual());
    add_method_statistics();
  }
  const State now = state();
  keep_state(settings_, solution_, "modes by " + options_.method, now.t, now);
  begin_again(now);
}

// Between events, and not just behind one, where values do not tell the sides of guards.
bool HybridRun::can_anchor() const {
  if (!at_event_.empty() || now() == run_now().end()) return false;
  const auto leaves_zero = [](const integrate::WatchedFunction& function) {
    return function.is_at_zero || function.is_near_zero;
  };
  const auto& watched = is_by_method() ? mode_->method()->watched() : run_now().watched();
  return std::none_of(watched.begin(), watched.end(), leaves_zero);
}

HybridRun::State HybridRun::state() {
  State now{.t = this->now(),
            .values = is_by_method() ? mode_->method()->derivatives() : values_now(),
            .sides = sides_,
            .parameters = parameters_,
            .is_guarded = mode_->is_guarded(),
            .progress = is_by_method() ? mode_->method()->progress() : run_now().progress(),
            .entered_at = entered_at_,
            .last_event = last_event_,
            .num_far = num_far_,
            .num_short = num_short_,
            .rhythms = rhythms_,
            .modes = {}};
  for (const auto& mode : modes_.modes())
    if (mode->number > 0)
      now.modes.push_back({mode->sides(), mode->number, mode->entries, mode->time});
  return now;
}

bool HybridRun::is_good(const State& state) const {
  const auto fits = [&](const hybrid::Sides& sides) {
    return sides.size() == static_cast<std::size_t>(guards_.size()) &&
           std::all_of(sides.begin(), sides.end(), hybrid::is_side);
  };
  const auto is_numbered = [&](const ModeRecord& mode) {
    return fits(mode.sides) && mode.number >= 1 &&
           mode.number <= static_cast<int>(state.modes.size());
  };
  const auto is_rhythm = [](const auto& rhythm) { return rhythm.second.is_good(); };
  return std::isfinite(state.t) && fits(state.sides) &&
         state.values.size() >= model_.variables.size() &&
         state.parameters.size() == parameters_.size() && !state.modes.empty() &&
         std::all_of(state.modes.begin(), state.modes.end(), is_numbered) &&
         std::all_of(state.rhythms.begin(), state.rhythms.end(), is_rhythm);
}

// Of a checkpoint.
void HybridRun::take(const State& state) {
  sides_ = state.sides;
  parameters_ = state.parameters;
  entered_at_ = state.entered_at;
  last_event_ = state.last_event;
  num_far_ = state.num_far;
  num_short_ = state.num_short;
  rhythms_ = state.rhythms;
  at_event_.clear();
  num_modes_ = static_cast<int>(state.modes.size());
  for (const auto& mode : modes_.modes()) mode->number = 0;
  for (const ModeRecord& record : state.modes) {
    Mode& mode = modes_.at(record.sides, parameters_);
    mode.number = record.number;
    mode.entries = record.entries;
    mode.time = record.time;
  }
  SolutionAccess::set_parameters(solution_, parameters_);
}

void HybridRun::begin_again(const State& state) {
  anchors_.begin_at(solution_.statistics.steps);
  modes_.forget();
  mode_ = &modes_.at(sides_, parameters_);
  integrate::TaylorIntegrator& integrator = state.is_guarded
                                                ? mode_->guarded(settings_, options_)
                                                : mode_->integrator(settings_, options_);
  switch_to(integrator, state.t, state.values);
  if (!is_under_way_) return;
  entry_.reader().watch_on(*mode_, sides_, {});
  if (!is_by_method()) return run_now().set_progress(state.progress);
  mode_->method()->set_progress(state.progress);
  mode_->method()->watch(run_now().watched());
}

void HybridRun::add_method_statistics() {
  for (const auto& mode : modes_.modes())
    if (mode->method() != nullptr) add_statistics(mode->active_plan(), *mode->method(), solution_);
  if (mode_ != nullptr && mode_->method() != nullptr)
    solution_.order = mode_->method()->method().order();
}

}  // namespace daedal::solving

#include "solve/member.hpp"

#include <cmath>

#include "solve/run_limits.hpp"

namespace daedal::solving {

Member::Member(const Plan& plan, const Settings& settings, const SolveOptions& options,
               Solution& solution)
    : plan_(plan),
      settings_(settings),
      options_(options),
      solution_(solution),
      recorder_(plan, settings, options, solution),
      anchors_(settings, steps_of_taylor) {}

void Member::begin(integrate::TaylorIntegrator& integrator, int lane) {
  integrator_ = &integrator;
  lane_ = lane;
  run_ = &integrator.run(lane);
  is_under_way_ = true;
  watch_.lap();
  const auto state = resumed();
  if (!state) return begin_at_start();
  recorder_.resume();
  begin_at(*state);
}

std::optional<Member::State> Member::resumed() {
  return resumed_state(settings_, solution_, "taylor", State{}, [&](const State& state) {
    return std::isfinite(state.t) && state.values.size() == run_->layout().column.size() &&
           state.lost.size() == run_->lost().size();
  });
}

// A run that does not get that far tells nothing but why.
void Member::begin_at_start() {
  const auto refuse = [&](const StopReason& reason) {
    solution_.status = reason.status;
    solution_.problems.push_back(reason.problem);
    is_under_way_ = false;
  };
  if (!integrator_->begin(settings_.from, settings_.to, solution_.start.values, lane_))
    return refuse(explain_no_series(plan_, *run_));
  recorder_.check_start(*run_);
  if (const auto lost = explain_lost_equations(plan_, settings_, run_->t(), solution_.statistics))
    return refuse(*lost);
  recorder_.begin(*run_);
  end_if_over();
}

void Member::take_step() {
  const bool goes_on = recorder_.accept(*run_);
  const long num_steps = solution_.statistics.steps;
  if (!goes_on)
    end(explain_interruption(run_->t(), num_steps));
  else if (const auto lost =
               explain_lost_equations(plan_, settings_, run_->t(), solution_.statistics))
    end(*lost);
  else if (recorder_.lost_block() >= 0)
    end(explain_lost_block(plan_, *run_, num_steps, recorder_.lost_block()));
  else
    end_if_over();
}

bool Member::anchor_if_due() {
  if (!is_under_way_ || !anchors_.is_due(solution_.statistics.steps)) return false;
  const State state{run_->t(), derivatives_of(*run_), run_->progress(), run_->lost()};
  keep_state(settings_, solution_, "taylor", state.t, state);
  begin_at(state);
  return true;
}

void Member::begin_at(const State& state) {
  anchors_.begin_at(solution_.statistics.steps);
  run_->forget();
  const bool is_begun = integrator_->begin(state.t, settings_.to, state.values, lane_,
                                           std::abs(settings_.to - settings_.from));
  run_->set_lost(state.lost);
  run_->set_progress(state.progress);
  recorder_.follow(plan_, *run_);
  if (!is_begun) end(explain_no_series(plan_, *run_));
}

void Member::take_failure() { end(explain_stop(plan_, *run_, solution_.statistics.steps)); }

void Member::end_if_over() {
  if (run_->is_done())
    end({});
  else if (const auto limit = reached_limit(settings_, options_, run_->t(), solution_))
    end(*limit);
}

void Member::end(const StopReason& reason) {
  recorder_.finish(*run_);
  solution_.status = reason.status;
  if (!solution_.ok()) solution_.problems.push_back(reason.problem);
  solution_.seconds.integrate = watch_.lap();
  is_under_way_ = false;
}

}  // namespace daedal::solving

#include "solve/member.hpp"

#include "solve/run_limits.hpp"

namespace daedal::solving {

Member::Member(const Plan& plan, const Settings& settings, const SolveOptions& options,
               Solution& solution)
    : plan_(plan),
      settings_(settings),
      options_(options),
      solution_(solution),
      recorder_(plan, settings, options, solution) {}

void Member::begin(integrate::TaylorIntegrator& integrator, int lane) {
  run_ = &integrator.run(lane);
  is_under_way_ = true;
  watch_.lap();
  if (!integrator.begin(settings_.from, settings_.to, solution_.start.values, lane)) {
    const StopReason reason = explain_no_series(plan_, *run_);
    solution_.status = reason.status;
    solution_.problems.push_back(reason.problem);
    is_under_way_ = false;
    return;
  }
  recorder_.begin(*run_);
  end_if_over();
}

void Member::take_step() {
  const bool goes_on = recorder_.accept(*run_);
  const long num_steps = solution_.statistics.steps;
  if (!goes_on)
    end(explain_interruption(run_->t(), num_steps));
  else if (recorder_.lost_block() >= 0)
    end(explain_lost_block(plan_, *run_, num_steps, recorder_.lost_block()));
  else
    end_if_over();
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

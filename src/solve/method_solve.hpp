// Runs by methods that know the ends of their steps, of models without modes.
#pragma once

#include "daedal/solve.hpp"
#include "integrate/method_run.hpp"
#include "solve/plan.hpp"
#include "solve/regularized_model.hpp"
#include "solve/settings.hpp"
#include "solve/stop_reason.hpp"

namespace daedal::solving {

// From the solution's start.
void run_by_method(RegularizedModel& model, const Settings& settings, const SolveOptions& options,
                   Solution& solution);

// S-INT-001 to S-INT-004, after begin() or advance() returned false: what the series say there, or
// that this method finds no step.
StopReason explain_method_stop(Plan& plan, const Settings& settings,
                               const integrate::MethodRun& run, const Solution& solution);

// Counters of the method, and the state vectors that it used.
void add_statistics(const Plan& plan, integrate::MethodRun& run, Solution& solution);

}  // namespace daedal::solving

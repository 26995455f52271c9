// Why a run could not go on, in the user's names.
#pragma once

#include <optional>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/status.hpp"
#include "explain/domain_edge.hpp"
#include "integrate/taylor/taylor_run.hpp"
#include "plan/plan.hpp"
#include "settings/settings.hpp"

namespace daedal::explain {

struct StopReason {
  Status status = Status::ok;
  Problem problem;
  // The last step is good up to here only, and not recorded yet.
  std::optional<double> cut_at = {};
  // The end is recorded: the trajectory was tried to be continued from there, in vain.
  bool is_recorded = false;
  // The last step has passed over something, and shorter ones may not.
  bool is_passed_over = false;
  std::vector<Problem> others = {};  // besides the first
};

// S-INT-001 to S-INT-004: after begin() returned false, and after advance() did, of which the state
// is restored.
StopReason explain_no_series(const plan::Plan& plan, integrate::TaylorRun& run);
StopReason explain_stop(const plan::Plan& plan, integrate::TaylorRun& run, long num_steps);

// S-INT-002: an operation near the edge of its domain, at t.
StopReason explain_edge(const plan::Plan& plan, const NearEdge& edge, double t, long num_steps);

// S-STR-003 if the solution of a converted model has left the equations as they were written; none
// while it has not.
std::optional<StopReason> explain_lost_equations(const plan::Plan& plan,
                                                 const settings::Settings& settings, double t,
                                                 const Statistics& statistics);

// S-INT-003: steps that are accepted and lead nowhere.
StopReason explain_creeping(const integrate::Progress& progress, double t,
                            const std::string& where);

// S-INT-001: the Jacobian of a block changes its sign again and again.
StopReason explain_lost_block(const plan::Plan& plan, integrate::TaylorRun& run, long num_steps,
                              int block);

// S-INT-005: the tolerance is below what double precision has.
StopReason explain_tolerance(const settings::Settings& settings);
// S-INT-006, S-INT-007
StopReason explain_interruption(double t, long num_steps);
StopReason explain_step_limit(double t, long num_steps);
// S-LIM-001, S-LIM-002; `resident` bytes are what the process holds.
StopReason explain_time_limit(const settings::Settings& settings, const SolveOptions& options,
                              double t, long num_steps);
StopReason explain_memory_limit(const settings::Settings& settings, const SolveOptions& options,
                                double t, long num_steps, double resident);

}  // namespace daedal::explain

// Many runs of one model with different parameters.
//
//   std::vector<daedal::ParameterValues> members = {{{"L", 9.0}}, {{"L", 10.0}}, {{"L", 11.0}}};
//   std::vector<daedal::Solution> swings = daedal::solve_ensemble(model, members, {.to = 100.0});
#pragma once

#include <span>
#include <vector>

#include "daedal/model.hpp"
#include "daedal/solution.hpp"
#include "daedal/solve.hpp"

namespace daedal {

struct EnsembleOptions {
  // Trajectories that a thread computes side by side, one in each lane of the processor's vectors,
  // by methods with MethodInfo::has_lanes. Range 1 to 64.
  int lanes = 8;
  // Threads, 0 to 1024; 0: as many as the machine runs at once. No more are started than the
  // members can fill.
  int threads = 0;
};

// One solution per member, in order. A member is the values of the parameters in which it differs
// from the model; start values follow if they are expressions of parameters. What a member gives is
// bit by bit what solve() gives for a model with these parameters, whatever the number of lanes and
// threads.
//
// options.on_step and on_sample are called from several threads, but one at a time; their arguments
// do not say for which member. on_step returning false stops that member alone. Throws what solve()
// throws, E-OPT-006 for a checkpoint or resume, and E-MOD-003, E-MOD-007, E-MOD-010, E-MOD-011,
// E-MOD-013 for parameters that cannot be set; if several threads throw, what one of them threw.
//
// Where members are solved in lanes (MethodInfo::has_lanes, no modes), `seconds.analysis` is that
// of all members together, and `seconds.integrate` the time from a member's first step to its last,
// which it shared with the members in the other lanes.
std::vector<Solution> solve_ensemble(const Model& model, std::span<const ParameterValues> members,
                                     const SolveOptions& options = {},
                                     const EnsembleOptions& ensemble = {});

}  // namespace daedal

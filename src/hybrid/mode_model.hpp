// One mode of a hybrid model as a model without branches: each guard has a side, each `if` the
// branch that follows from it (docs/theory/hybrid.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hybrid/guards.hpp"
#include "hybrid/switches.hpp"

namespace daedal::hybrid {

// A function that must keep its sign while the mode lasts: the guard, as
// constant + slope*t + sum factor_k x_k^(order_k); numbers are expressions of parameters.
struct Watch {
  struct Term {
    int unknown;
    int order;
    NodeId factor;
  };
  int guard = 0;
  std::vector<Term> terms = {};
  NodeId constant, slope;
  // A guard that slides is left when its weight reaches 0 or 1, to this side.
  std::optional<Side> way_out = {};
};

// A guard that depends on time alone, slope*t + value: its zero is known beforehand.
struct Timer {
  int guard = 0;
  NodeId slope, at_zero;  // of parameters
};

// A guard that depends on parameters alone in this mode, because the conditions inside it are
// decided: its sign is known without a solution.
struct DecidedGuard {
  int guard = 0;
  NodeId function;
};

struct ModeModel {
  // Unknowns: the user's; one weight for each guard that slides; the values of guards. Equations:
  // the user's; guards that slide are zero; values of guards.
  model::ModelData data;
  model::ModelData own;  // without values of guards: what the mode's equations are
  // By guard: whether its side decides about equations; those of when clauses are only watched.
  std::vector<bool> is_relevant;
  // By guard: whether it is an input, so that the mode is that of either side and of zero.
  std::vector<bool> is_switch;
  std::vector<SwitchInput> inputs;  // the last parameters of both models, in their order
  std::vector<Watch> watches;
  std::vector<NodeId> valued;  // guards that have an unknown of their own, in the graph of `own`
  std::vector<Timer> timers;
  std::vector<DecidedGuard> decided;
};

// Sides of guards that depend on parameters alone are those for these parameters. `nominals` of the
// model's unknowns scale the guards. Sides of guards that turn out not to matter are of no
// consequence, and none but `slides` is where `switches` has the guard.
ModeModel make_mode_model(const model::ModelData& model, const Guards& guards, const Sides& sides,
                          const std::vector<double>& parameters, std::span<const double> nominals,
                          std::vector<bool> switches = {});

// On the way from the sides before to those after: the branches of guards that differ are mixed.
struct Blend {
  const Sides& before;
  double part;  // of the sides after, 0 to 1
};
// Equations only: nothing is watched.
ModeModel make_blended_model(const model::ModelData& model, const Guards& guards,
                             const Sides& sides, const std::vector<double>& parameters,
                             std::span<const double> nominals, const Blend& blend);

// Whether a condition holds; not if a guard that slides decides it.
bool holds(const model::ModelData& model, const Guards& guards, NodeId condition,
           const Sides& sides, const std::vector<double>& parameters);

}  // namespace daedal::hybrid

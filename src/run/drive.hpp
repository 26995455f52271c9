// The loop over steps. Runs are advanced together, each in a lane; a single run is alone in one.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "integrate/taylor/taylor_integrator.hpp"
#include "run/run.hpp"

namespace daedal::run {

// Runs that go on side by side.
class Lanes {
 public:
  using Outcome = integrate::TaylorIntegrator::Outcome;

  virtual ~Lanes() = default;
  virtual std::span<Run* const> runs() = 0;  // by lane; null where there is none
  // Makes a step, or one trial of a step, in every lane that has a run.
  virtual std::span<const Outcome> advance() = 0;
  // The run in this lane is over: another one may take its place.
  virtual void replace(int lane) = 0;
};

// Drives all runs, which have begun, to their ends.
void drive(Lanes& lanes);
// Drives one run that has begun to its end or its pause, or until is_enough() is true after a step.
void drive(Run& run, const std::function<bool()>& is_enough = {});

}  // namespace daedal::run

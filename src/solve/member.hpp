// One member's way from start to end: what happens between the steps of its trajectory.
#pragma once

#include "integrate/taylor_integrator.hpp"
#include "solve/plan.hpp"
#include "solve/recorder.hpp"
#include "solve/settings.hpp"
#include "solve/stop_reason.hpp"

namespace daedal::solving {

class Member {
 public:
  // Holds references. The solution has its start.
  Member(const Plan& plan, const Settings& settings, const SolveOptions& options,
         Solution& solution);

  // In this lane of the integrator, from the solution's start.
  void begin(integrate::TaylorIntegrator& integrator, int lane);
  bool is_under_way() const { return is_under_way_; }
  // After a step was accepted, or was found impossible.
  void take_step();
  void take_failure();

 private:
  void end_if_over();
  void end(const StopReason& reason);

  const Plan& plan_;
  const Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  Recorder recorder_;
  integrate::TaylorRun* run_ = nullptr;
  bool is_under_way_ = false;
};

}  // namespace daedal::solving

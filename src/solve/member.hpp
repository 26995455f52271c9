// One member's way from start to end: what happens between the steps of its trajectory.
#pragma once

#include "integrate/taylor_integrator.hpp"
#include "solve/plan.hpp"
#include "solve/recorder.hpp"
#include "solve/settings.hpp"
#include "solve/stop_reason.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {

class Member {
 public:
  // Holds references. The solution has its start.
  Member(const Plan& plan, const Settings& settings, const SolveOptions& options,
         Solution& solution);

  // The user's own equations are checked, too.
  void check(std::unique_ptr<OriginalResidual> original) { recorder_.check(std::move(original)); }

  // In this lane of the integrator, from the solution's start.
  void begin(integrate::TaylorIntegrator& integrator, int lane);
  bool is_under_way() const { return is_under_way_; }
  // After a step was accepted, or was found impossible.
  void take_step();
  void take_failure();
  // After the run went across a singular point.
  void take_crossing(const SingularPassage::Crossing& crossing) {
    recorder_.accept(crossing, *run_);
  }

 private:
  void end_if_over();
  void end(const StopReason& reason);

  const Plan& plan_;
  const Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  Recorder recorder_;
  Stopwatch watch_;  // from begin() on
  integrate::TaylorRun* run_ = nullptr;
  bool is_under_way_ = false;
};

}  // namespace daedal::solving

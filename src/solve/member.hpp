// One member's way from start to end: what happens between the steps of its trajectory.
#pragma once

#include "integrate/taylor_integrator.hpp"
#include "solve/checkpoints.hpp"
#include "solve/plan.hpp"
#include "solve/recorder.hpp"
#include "solve/run_parts.hpp"
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

  // In this lane of the integrator, from the solution's start, or from a checkpoint.
  void begin(integrate::TaylorIntegrator& integrator, int lane);
  bool is_under_way() const { return is_under_way_; }
  // After a step was accepted, or was found impossible.
  void take_step();
  void take_failure();
  // Begins again at the present point if it is time for that (docs/theory/checkpoints.md, rule K1);
  // then nothing learnt until then may be used. Between steps of all lanes.
  bool anchor_if_due();
  // After the run went across a singular point.
  void take_crossing(const SingularPassage::Crossing& crossing) {
    recorder_.accept(crossing, *run_);
  }

 private:
  // Where a trajectory can be begun again.
  struct State {
    double t = 0.0;
    Values values;
    integrate::Progress progress;
    std::vector<double> lost;  // by rounding: what the sums of all steps owe
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.progress, state.lost);
  }
  std::optional<State> resumed();
  void begin_at_start();
  void begin_at(const State& state);
  void end_if_over();
  void end(const StopReason& reason);

  const Plan& plan_;
  const Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  Recorder recorder_;
  Stopwatch watch_;  // from begin() on
  integrate::TaylorIntegrator* integrator_ = nullptr;
  int lane_ = 0;
  integrate::TaylorRun* run_ = nullptr;
  AnchorRhythm anchors_;
  bool is_under_way_ = false;
};

}  // namespace daedal::solving

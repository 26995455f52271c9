// Collects what a run of the Taylor method produces: steps, statistics, singular points.
#pragma once

#include <memory>

#include "daedal/solve.hpp"
#include "integrate/method_run.hpp"
#include "integrate/taylor_run.hpp"
#include "solve/edge_watch.hpp"
#include "solve/original_residual.hpp"
#include "solve/plan.hpp"
#include "solve/settings.hpp"
#include "solve/singular_passage.hpp"
#include "solve/singular_time.hpp"
#include "solve/step_recorder.hpp"

namespace daedal::solving {

class Recorder {
 public:
  // Holds references.
  Recorder(const Plan& plan, const Settings& settings, const SolveOptions& options,
           Solution& solution);

  void begin(const integrate::TaylorRun& run);
  // See StepRecorder; to be followed by follow().
  void resume() { steps_.resume(); }
  // The run goes on, behind an event, with the equations of another plan.
  void go_on(const Plan& plan, const integrate::TaylorRun& run);
  // The same without an event: nothing new is to be told.
  void follow(const Plan& plan, const integrate::TaylorRun& run);
  // The step just accepted. False if the caller wants to stop.
  bool accept(const integrate::TaylorRun& run);
  // The run went across a singular point and stands behind it.
  void accept(const SingularPassage::Crossing& crossing, const integrate::TaylorRun& run);
  void finish(const integrate::TaylorRun& run);

  // Steps that another method makes, while the series serve at events.
  void follow(const integrate::MethodRun& run) { steps_.enter(run); }
  bool accept(const integrate::MethodRun& run);
  void finish(const integrate::MethodRun& run, const StopReason& reason) {
    solving::finish(steps_, run, reason);
  }

  // From now on the user's own equations are checked at the end of each step.
  void check(std::unique_ptr<OriginalResidual> original) { original_ = std::move(original); }
  // At the start, before it is told.
  void check_start(const integrate::TaylorRun& run) {
    if (original_) solution_.statistics.original_residual = original_->at(run);
  }

  // A block whose determinant changed sign while its highest derivatives jumped, or twice within
  // three steps: the steps go to and fro between branches that meet at a singular point. -1 if
  // there is none.
  int lost_block() const { return lost_block_; }

 private:
  struct Counters {
    long rejected = 0, factorisations = 0, newton_iterations = 0;
  };
  static Counters counters_of(const integrate::TaylorRun& run);
  void add_up(const integrate::TaylorRun& run);
  void watch_determinants(const integrate::TaylorRun& run);
  void begin_watch(const integrate::TaylorRun& run);
  void note_condition(int block, const integrate::TaylorRun& run);
  double singular_time(int block, const integrate::TaylorRun& run);
  std::string names_of(int block) const;

  const Plan* plan_;
  Solution& solution_;
  StepRecorder steps_;
  int lost_block_ = -1;
  // Of former plans' runs, and of the present one when it was entered.
  Counters former_, at_entry_;
  std::vector<long> last_change_;  // of a sign, by block: the number of the step
  std::unique_ptr<OriginalResidual> original_;
  std::unique_ptr<SingularTime> singular_time_;  // built when first needed
  std::vector<int> signs_;                       // of the blocks' determinants at the last step end
  std::vector<int> varying_blocks_;              // whose Jacobian is not constant
};

}  // namespace daedal::solving

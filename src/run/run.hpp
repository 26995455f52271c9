// One run, whichever method makes its steps: what happens around a step.
//
//   begin         at the start, or where a checkpoint says
//   take_step     a step was made: count it, look whether it is good, record it
//   take_failure  none was possible: say why
//   go_on         what comes before the next: events, the end, limits, singular points, anchors
//
// A run pauses at settings.pause, and ends where its reason says; what was computed until then is
// in the solution. Runs that share an integrator, one in each lane, are advanced together
// (run/drive.hpp).
#pragma once

#include <memory>

#include "base/stopwatch.hpp"
#include "daedal/solve.hpp"
#include "run/checkpoints.hpp"
#include "run/modes/transitions.hpp"
#include "run/original_residual.hpp"
#include "run/step_recorder.hpp"
#include "run/stepper.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"
#include "start/consistent_start.hpp"

namespace daedal::run {

// What a run writes to: with its start, for the plan's parameters, and a status other than ok if
// there is none to begin a run from.
solution::Record begin_solution(start::StartSearch& search, const settings::Settings& settings);
solution::Record begin_solution(const plan::Plan& plan, ConsistentPoint start,
                                const settings::Settings& settings);

class Run {
 public:
  // Keeps references. The plan is that of the equations which are solved; the solution has its
  // start.
  Run(const plan::Plan& plan, const settings::Settings& settings, const SolveOptions& options,
      Stepper& stepper, solution::Record& solution);
  // A run of a model with modes, whose start was found.
  Run(Transitions& transitions, const settings::Settings& settings, const SolveOptions& options,
      solution::Record& solution);

  // The user's own equations are checked, too; before begin().
  void check(std::unique_ptr<run::OriginalResidual> original) { original_ = std::move(original); }

  // Begins at settings.from, or where the checkpoint that is resumed says.
  void begin();
  // Begins from a state that save() gave, of a run of the same model and options; the solution
  // begins there. Throws base::BadArchive if it makes no sense.
  void begin_from(base::Reader& state);
  // All that the steps to come depend on; none where the state does not show it, as right after an
  // event. The run itself goes on from this state alone (rule K1).
  std::optional<std::string> save();
  bool is_under_way() const { return is_under_way_; }
  // Whether the converted model's solution is none of the user's equations right at the start.
  bool is_lost_at_start() const { return is_lost_at_start_; }
  Stepper& stepper() { return *stepper_; }

  void take_step();
  void take_failure();
  void go_on();

  // A run waits at settings.pause for its user, who may have it changed there, or may move the
  // pause and let it go on.
  bool is_paused() const { return is_paused_; }
  // Goes on until settings.stop(), which has moved. For runs with Transitions only.
  void follow_stop();
  // Changes values and parameters at the present time. For runs with Transitions only.
  void change(const StateChange& change);
  // Puts the present values into the solution as its final ones.
  void record_present();
  // Ends the run where it is, with Status::ok.
  void end_here() { end({}); }

 private:
  Anchored& anchored();
  void follow_transitions();
  OriginalResidual* original();
  std::optional<explain::StopReason> objection();
  std::optional<explain::StopReason> lost_equations(const solution::StepSource& trajectory);
  bool resume();
  void load(base::Reader& archive);
  void begin_at_start();
  void begin_again();
  void anchor_if_due();
  void end_if_over();
  void end_if_limit_reached();
  void refuse(const explain::StopReason& reason);
  void end(const explain::StopReason& reason);
  void conclude(const explain::StopReason& reason);

  const plan::Plan& plan_;
  const settings::Settings& settings_;
  const SolveOptions& options_;
  Stepper* stepper_;                    // of the present mode
  Transitions* transitions_ = nullptr;  // none if the model has no modes
  solution::Record& solution_;
  StepRecorder recorder_;
  std::unique_ptr<OriginalResidual> original_;
  AnchorRhythm anchors_;
  base::Stopwatch watch_;       // from begin() on
  bool is_taken_back_ = false;  // the last step
  bool is_under_way_ = false, is_lost_at_start_ = false, is_paused_ = false;
};

}  // namespace daedal::run

// Whether a step of a method that knows no series went across a singular point: where the
// determinant of a block's Jacobian changes its sign, solutions meet, end, or nearly meet, and
// steps that are judged at their ends may go over to another branch. Signs are looked at after
// steps for which the method had to factorise anew: a determinant that vanishes has made its
// factors useless.
//
// Where a sign changes though branches part there, the step has left its own. Otherwise the Taylor
// method goes on from the begin of the step: if it ends on the way, the run ends there; if it comes
// elsewhere, the step has left its branch, too, and is made again, shorter. What is left is noted,
// and the run is warned of it.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explain/stop_reason.hpp"
#include "plan/plan.hpp"
#include "run/steppers/branch_meeting.hpp"
#include "run/steppers/singular_points.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"
#include "solution/step_source.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::run {

class SignWatch {
 public:
  // Keeps references.
  SignWatch(plan::Plan& plan, const settings::Settings& settings)
      : plan_(plan), settings_(settings), meeting_(plan, settings) {}

  // After a step, before it is recorded. statistics.steps counts the step already.
  void look(const solution::StepSource& run, solution::Record& solution);
  // What was seen before does not count: signs are taken from the begin of the next step.
  void forget() {
    signs_.clear();
    earlier_.reset();
    latest_.reset();
  }
  // Why the run ends in the last step, if it does.
  std::optional<explain::StopReason> take_objection() {
    return std::exchange(objection_, std::nullopt);
  }

 private:
  struct Change {
    double t;
    int block;
    bool is_in_step;  // not in one before, of which nobody looked at the signs
  };
  // Where the Taylor method can begin.
  struct State {
    double t;
    std::vector<std::vector<double>> derivatives;
  };
  double far() const;
  void keep_state(const solution::StepSource& run);
  State origin(const Change& change, const solution::StepSource& run) const;
  bool has_varying_blocks();
  std::vector<int> signs_at_begin(const solution::StepSource& run);
  std::vector<int> signs_at_end(const solution::StepSource& run);
  void judge(const Change& change, const solution::StepSource& run, solution::Record& solution);
  void compare(const Change& change, const solution::StepSource& run,
               const std::vector<double>& values, solution::Record& solution);
  void note(const Change& change, const solution::StepSource& run, const std::string& words,
            solution::Record& solution) const;
  std::string names_of(int block) const;

  plan::Plan& plan_;
  const settings::Settings& settings_;
  BranchMeeting meeting_;
  std::unique_ptr<expr::Graph> graph_;  // grows by derivatives, and must not change the plan's
  std::optional<taylor::SeriesSolver> series_;                  // whose blocks are evaluated
  std::vector<std::unique_ptr<taylor::BlockJacobian>> blocks_;  // null: constant
  std::optional<SingularTime> times_;
  std::vector<int> signs_;  // by block, at the end of the last step that was looked at
  // States of the run some time ago: a singular point cannot be judged from a step that begins too
  // near to it.
  std::optional<State> earlier_, latest_;
  bool is_prepared_ = false, has_varying_ = false;
  std::optional<explain::StopReason> objection_;
};

}  // namespace daedal::run

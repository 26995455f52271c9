// Points where the determinant of a block's Jacobian vanishes: when that is, what a run of the
// Taylor method sees of it, and the way across.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrate/taylor/taylor_integrator.hpp"
#include "integrate/taylor/taylor_run.hpp"
#include "plan/plan.hpp"
#include "run/steppers/branch_meeting.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"
#include "solution/step.hpp"
#include "taylor/block_jacobian.hpp"

namespace daedal::run {

// When, in a step, does the determinant of a block's Jacobian change sign?
class SingularTime {
 public:
  // Keeps a reference. What evaluates a block is made when the block is first asked for, and kept.
  SingularTime(const taylor::SeriesSolver& series, int lane)
      : series_(series), lane_(lane), jacobians_(series.num_blocks()) {}

  // By bisection on the step's polynomials, with the parameters of the lane, from the sign that the
  // determinant has at the step's begin. Nothing if it has the same at the end, or the block is
  // constant.
  std::optional<double> find(int block, int sign_at_begin, const solution::StepView& step,
                             const solution::StepLayout& layout);

 private:
  const taylor::SeriesSolver& series_;
  int lane_;
  std::vector<std::unique_ptr<taylor::BlockJacobian>> jacobians_;  // by block; null: not asked for
};

// Signs and condition of the blocks' Jacobians along a run of the Taylor method. A sign that
// changes between two steps is a singular point, and is reported even if the solution passes it
// smoothly.
class DeterminantWatch {
 public:
  // Keeps a reference.
  explicit DeterminantWatch(const plan::Plan& plan) : plan_(plan) {}

  // Another stretch of the run begins.
  void begin(const integrate::TaylorRun& run, solution::Record& solution);
  // The run has gone across a singular point: the signs are those of the present series.
  void take_signs(const integrate::TaylorRun& run, solution::Record& solution);
  // After a step.
  void look(const integrate::TaylorRun& run, solution::Record& solution);

  // A block whose determinant changed sign while its highest derivatives jumped, or twice within
  // three steps: the steps go to and fro between branches that meet at a singular point. -1 if
  // there is none.
  int lost_block() const { return lost_block_; }
  void lose(int block) { lost_block_ = block; }
  std::string names_of(int block) const;  // its unknowns

 private:
  void note_change(int block, const integrate::TaylorRun& run, solution::Record& solution);
  double time_of_change(int block, const integrate::TaylorRun& run);

  const plan::Plan& plan_;
  int lost_block_ = -1;
  std::vector<int> signs_;                       // at the last step end, by block
  std::vector<int> varying_blocks_;              // whose Jacobian is not constant
  std::vector<long> last_change_;                // of a sign, by block: the number of the step
  std::unique_ptr<SingularTime> singular_time_;  // built when first needed
};

// Across a singular point that the solution passes smoothly.
//
// Where the determinant of a block's Jacobian vanishes, what is solved for is 0/0: its value is
// finite, but rounding errors of the coefficient k grow like the distance rho to the point to the
// power -k. A long step jumps over the point and nobody notices; with unknowns of high index or a
// small tolerance the steps become shorter than rho, each about half of what is left, and never
// arrive. Then the series at t, which is good up to the point, is continued to the other side, the
// equations are solved there, and the new series is followed back to the point. If both agree, the
// solution is smooth there and the run goes on from the other side, unless branches only come near
// each other (docs/theory/taylor-method.md).
//
// Ordinary steps keep the determinants that their factorisations have anyway. Only where steps
// shrink, and the parabola through the last three determinants of a block has a zero ahead, the
// block is evaluated there.
class SingularPassage {
 public:
  // Keeps references.
  SingularPassage(const plan::Plan& plan, const settings::Settings& settings,
                  BranchMeeting& meeting)
      : plan_(plan), settings_(settings), meeting_(meeting) {}

  // What led across: the step up to the point and the one from there.
  struct Crossing {
    double t = 0.0;  // of the singular point
    int block = 0;
    double difference = 0.0;  // of the two series there, relative to the unknowns
    solution::Step before, after;
  };

  // After a step of the lane was accepted: if steps get shorter on the way to a singular point, the
  // integrator stands on the other side of it. If the point cannot be passed, or an event may lie
  // on the way, it stands where it was.
  using EventTest = std::function<bool(const solution::StepView&)>;
  template <typename MayHaveEvent>
  std::optional<Crossing> cross(integrate::TaylorIntegrator& integrator, int lane,
                                const MayHaveEvent& may_have_event) {
    if (!is_slowing_down(integrator, lane)) return std::nullopt;
    return cross_next_point(integrator, lane, may_have_event);
  }
  // The run has begun again: what was seen of it does not count.
  void forget();
  // The block of the last passage that was refused because its sides part, if this is its point:
  // a step that is so short that it makes nothing of that must not jump over it. -1 if there is
  // none.
  int parted_block(double t) const {
    return parted_ && std::abs(t - parted_->point.t) <= parted_->distance ? parted_->point.block
                                                                          : -1;
  }

 private:
  using Derivatives = std::vector<std::vector<double>>;
  struct Point {
    double t;
    int block;
  };

  struct Parted {
    Point point;
    double distance;  // from which it was seen
  };

  // The determinants of blocks at the end of a step.
  struct StepEnd {
    double t = 0.0;
    std::vector<linear::Determinant> determinants;  // as in varying_blocks_
  };

  // The end of the step so many steps ago.
  const StepEnd& end_before(std::size_t steps_ago) const {
    return last_ends_[(latest_end_ - steps_ago) % last_ends_.size()];
  }

  // The run has begun, or gone across a point with a step of this length.
  void begin_after(double last_step);
  bool is_slowing_down(integrate::TaylorIntegrator& integrator, int lane);
  std::optional<Crossing> cross_next_point(integrate::TaylorIntegrator& integrator, int lane,
                                           const EventTest& may_have_event);
  void note_determinants(const integrate::TaylorRun& run);
  std::optional<double> zero_of_parabola(std::size_t number, std::size_t end) const;
  double zero_of_line(std::size_t number) const;
  std::optional<double> expected_zero(std::size_t number) const;
  std::optional<Point> next_point(const integrate::TaylorRun& run);
  void prepare_trial(const integrate::TaylorRun& run);
  double difference_from(double target, const Derivatives& there, const Point& point,
                         const solution::StepView& before, double end);
  bool agrees_in_block(const Point& point, const solution::StepView& before, double end) const;

  const plan::Plan& plan_;
  const settings::Settings& settings_;
  BranchMeeting& meeting_;
  std::unique_ptr<integrate::TaylorIntegrator> trial_;        // built when first needed
  double refused_ = std::numeric_limits<double>::infinity();  // distance at the last attempt
  std::optional<Parted> parted_;
  std::unique_ptr<SingularTime> times_;  // built when first needed
  std::vector<int> varying_blocks_;      // whose Jacobian is not constant
  std::array<StepEnd, 4> last_ends_;     // in a ring
  std::size_t latest_end_ = 0;           // in the ring; counts on
  int num_ends_ = 0;                     // of these that are known
  int num_shrunk_ = 0;                   // steps in a row that were shorter than those before them
  int num_since_look_ = std::numeric_limits<int>::max() / 2;  // steps, since one in vain
  // As in varying_blocks_: the distance of the zero that was last looked for in vain while these
  // steps shrink; infinite if there was none.
  std::vector<double> looked_for_;
  double last_ = 0.0;  // length of the step before
};

}  // namespace daedal::run

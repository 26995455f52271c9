// Do the branches of a block's solution that come near to each other at a singular point meet
// there?
//
// Where the determinant of a block vanishes, its equations f(x, t) = 0 are, but for one of them,
// good for all but one unknown. What is left is phi(a, t) = 0, one equation for a, the way along
// the vector that the Jacobian takes to zero. A solution that is smooth there has phi_a = phi_t =
// 0: it goes through a point where phi is stationary, on which branches meet only if phi = 0 there.
// If it is not, they part: they turn back from each other, or end, however near they come
// (docs/theory/taylor-method.md, Passing a singular point).
#pragma once

#include <memory>
#include <vector>

#include "plan/plan.hpp"
#include "settings/settings.hpp"
#include "solution/step.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::run {

class ReducedEquation;

class BranchMeeting {
 public:
  // Keeps references.
  BranchMeeting(const plan::Plan& plan, const settings::Settings& settings);
  ~BranchMeeting();
  BranchMeeting(const BranchMeeting&) = delete;
  BranchMeeting& operator=(const BranchMeeting&) = delete;

  // Whether branches part near t, where the determinant vanishes on the polynomials of this step:
  // phi is more than rounding, and more than errors of other unknowns may make of it. The
  // parameters and nominal values are those of the lane.
  bool parts(int block, double t, const solution::StepView& step,
             const solution::StepLayout& layout, const taylor::SeriesSolver& series, int lane);

 private:
  const plan::Plan& plan_;
  const settings::Settings& settings_;
  std::unique_ptr<expr::Graph> graph_;                    // made when a block is first asked for
  std::vector<std::unique_ptr<ReducedEquation>> blocks_;  // null: not asked for
};

}  // namespace daedal::run

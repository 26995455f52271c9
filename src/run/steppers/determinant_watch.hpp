// Signs and condition of the blocks' Jacobians along a run of the Taylor method. A sign that
// changes between two steps is a singular point, and is reported even if the solution passes it
// smoothly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daedal/solution.hpp"
#include "integrate/taylor/taylor_run.hpp"
#include "plan/plan.hpp"
#include "run/steppers/singular_time.hpp"

namespace daedal::run {

class DeterminantWatch {
 public:
  // Keeps a reference.
  explicit DeterminantWatch(const plan::Plan& plan) : plan_(plan) {}

  // Another stretch of the run begins.
  void begin(const integrate::TaylorRun& run, Solution& solution);
  // The run has gone across a singular point: the signs are those of the present series.
  void take_signs(const integrate::TaylorRun& run, Solution& solution);
  // After a step.
  void look(const integrate::TaylorRun& run, Solution& solution);

  // A block whose determinant changed sign while its highest derivatives jumped, or twice within
  // three steps: the steps go to and fro between branches that meet at a singular point. -1 if
  // there is none.
  int lost_block() const { return lost_block_; }
  void lose(int block) { lost_block_ = block; }
  std::string names_of(int block) const;  // its unknowns

 private:
  void note_change(int block, const integrate::TaylorRun& run, Solution& solution);
  double time_of_change(int block, const integrate::TaylorRun& run);

  const plan::Plan& plan_;
  int lost_block_ = -1;
  std::vector<int> signs_;                       // at the last step end, by block
  std::vector<int> varying_blocks_;              // whose Jacobian is not constant
  std::vector<long> last_change_;                // of a sign, by block: the number of the step
  std::unique_ptr<SingularTime> singular_time_;  // built when first needed
};

}  // namespace daedal::run

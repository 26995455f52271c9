// When, in a step, does the determinant of a block's Jacobian change sign?
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solution/step.hpp"
#include "taylor/block_jacobian.hpp"

namespace daedal::run {

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

}  // namespace daedal::run

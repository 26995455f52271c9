// When, in a step, does the determinant of a block's Jacobian change sign?
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solution/step.hpp"
#include "solve/plan.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::solving {

class SingularTime {
 public:
  // The plan's Jacobian becomes expressions in a graph of their own; what evaluates a block is made
  // when the block is first asked for, and kept.
  explicit SingularTime(const Plan& plan);
  ~SingularTime();

  // With these values of the parameters. By bisection on the step's polynomials. Nothing if the
  // sign is the same at both ends, or the block is constant.
  std::optional<double> find(int block, const solution::StepView& step,
                             const solution::StepLayout& layout,
                             const std::vector<double>& parameters);

 private:
  class BlockJacobian;
  BlockJacobian& jacobian_of(int block);

  const Plan& plan_;
  std::unique_ptr<expr::Graph> graph_;
  std::vector<std::vector<taylor::JacobianEntry>> entries_;  // by block
  std::vector<std::unique_ptr<BlockJacobian>> jacobians_;    // by block; null: not asked for yet
};

}  // namespace daedal::solving

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
  // The plan's Jacobian as expressions, in a graph of its own.
  explicit SingularTime(const Plan& plan);

  // With these values of the parameters. By bisection on the step's polynomials. Nothing if the
  // sign is the same at both ends, or the block is constant or too large to be worth it.
  std::optional<double> find(int block, const solution::StepView& step,
                             const solution::StepLayout& layout,
                             const std::vector<double>& parameters);

 private:
  const Plan& plan_;
  std::unique_ptr<expr::Graph> graph_;
  std::vector<std::vector<taylor::JacobianEntry>> entries_;  // by block
};

}  // namespace daedal::solving

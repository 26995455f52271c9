// The library's own way into a Solution.
#pragma once

#include <memory>

#include "daedal/solution.hpp"
#include "solution/trajectory.hpp"

namespace daedal {

class SolutionAccess {
 public:
  static void keep_steps(Solution& solution, const solution::StepLayout& layout) {
    solution.trajectory_ = std::make_unique<solution::Trajectory>(layout);
  }
  static void append(Solution& solution, const solution::StepView& step) {
    solution.trajectory_->append(step);
  }
};

}  // namespace daedal

// The polynomials of the accepted steps, in the order of the run.
#pragma once

#include <vector>

#include "solution/step.hpp"

namespace daedal::solution {

class Trajectory {
 public:
  explicit Trajectory(StepLayout layout) : layout_(std::move(layout)) {}

  void append(const StepView& step) { steps_.emplace_back(step, layout_); }
  bool is_empty() const { return steps_.empty(); }
  double begin() const { return steps_.front().begin; }
  double end() const { return steps_.back().end; }
  bool contains(double t) const;

  const StepLayout& layout() const { return layout_; }
  // The step that t lies in; of two that meet there, the later one.
  StepView step_at(double t) const;
  double value(int unknown, double t, int order = 0) const {
    return step_at(t).value(layout_, unknown, t, order);
  }

 private:
  StepLayout layout_;
  std::vector<Step> steps_;
};

}  // namespace daedal::solution

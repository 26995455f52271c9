// The polynomials of the accepted steps, in the order of the run.
#pragma once

#include <deque>
#include <vector>

#include "solution/step.hpp"

namespace daedal::solution {

class Trajectory {
 public:
  // What steps have in common until the next event: where their coefficients are, and the values of
  // parameters and discrete variables.
  struct Leg {
    StepLayout layout;
    std::vector<double> parameters;
  };

  void begin_leg(StepLayout layout, std::vector<double> parameters) {
    legs_.push_back({std::move(layout), std::move(parameters)});
  }
  void append(const StepView& step) {
    steps_.emplace_back(step, legs_.back().layout);
    leg_of_step_.push_back(static_cast<int>(legs_.size()) - 1);
  }
  bool is_empty() const { return steps_.empty(); }
  double begin() const { return steps_.front().begin; }
  double end() const { return steps_.back().end; }
  bool contains(double t) const;

  // The step that t lies in; of two that meet there, the later one: just after an event.
  struct Place {
    StepView step;
    const Leg& leg;
    double value(int unknown, double t, int order) const {
      return step.value(leg.layout, unknown, t, order);
    }
  };
  Place at(double t) const;

  std::size_t num_steps() const { return steps_.size(); }
  Place step(std::size_t k) const {
    return {steps_[k].view(), legs_[static_cast<std::size_t>(leg_of_step_[k])]};
  }

 private:
  std::deque<Leg> legs_;
  std::vector<Step> steps_;
  std::vector<int> leg_of_step_;
};

}  // namespace daedal::solution

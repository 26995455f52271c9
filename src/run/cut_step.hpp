// A part of a step: what comes after it is not good, or not to be looked at.
#pragma once

#include "solution/step_source.hpp"

namespace daedal::run {

// The last step of a run up to a time before its end.
class CutStep : public solution::StepSource {
 public:
  CutStep(const solution::StepSource& run, double t) : run_(run), t_(t) {}

  double t() const override { return t_; }
  solution::StepView accepted() const override {
    solution::StepView step = run_.accepted();
    step.end = t_;
    return step;
  }
  const solution::StepLayout& layout() const override { return run_.layout(); }
  double derivative(int unknown, int order) const override {
    return accepted().value(layout(), unknown, t_, order);
  }
  int highest_reliable(int unknown) const override { return run_.highest_reliable(unknown); }
  int highest_told(int unknown) const override { return run_.highest_told(unknown); }
  solution::StepQuality quality() const override { return run_.quality(); }

 private:
  const solution::StepSource& run_;
  double t_;
};

}  // namespace daedal::run

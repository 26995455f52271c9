// What a run tells about itself, whichever method makes its steps.
#pragma once

#include "solution/step.hpp"

namespace daedal::solution {

class StepSource {
 public:
  virtual ~StepSource() = default;

  virtual double t() const = 0;           // reached
  virtual StepView accepted() const = 0;  // the last step
  virtual const StepLayout& layout() const = 0;
  // x_j^(order) at t, up to the degree of the step's polynomials.
  virtual double derivative(int unknown, int order) const = 0;
  // The highest derivative that polynomials are good for.
  virtual int highest_reliable(int unknown) const { return layout().degree(unknown); }
  // The highest derivative of x_j that is worth telling at the end.
  virtual int highest_told(int unknown) const = 0;
};

}  // namespace daedal::solution

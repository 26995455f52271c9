// What a run says about itself, whichever method makes its steps.
#pragma once

#include <limits>

#include "solution/step.hpp"

namespace daedal::solution {

// How good the end of the last step is. NaN: the method does not know.
struct StepQuality {
  int order = 0;  // of the method in this step; 0: that of the run
  double condition = std::numeric_limits<double>::quiet_NaN();  // of the worst block
  double residual = std::numeric_limits<double>::quiet_NaN();   // of constraints, relative
};

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
  virtual StepQuality quality() const = 0;
};

}  // namespace daedal::solution

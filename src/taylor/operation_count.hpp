// What a step costs, counted, not measured: so that the order chosen, and with it the result, does
// not depend on a clock.
#pragma once

#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

// A step of K stages costs start + K * stage + K^2/2 * convolution. The unit is one term of a
// convolution, as the packed kernels compute it.
struct OperationCount {
  double start = 0.0;
  double stage = 0.0;
  double convolution = 0.0;
};

OperationCount count_operations(const SeriesSchedule& schedule);

}  // namespace daedal::taylor

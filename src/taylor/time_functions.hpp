// Operations on time alone. Their values are known at every t, whatever the solution does.
#pragma once

#include <vector>

#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

struct TimeFunctions {
  std::vector<Slot> evaluated;  // arguments before users
  std::vector<Slot> functions;  // of these, what the rest of the model uses; none is linear in t
  // The evaluated ones whose series are computed and may not show all that they do: where
  // none of these does more than its series shows, no function does. (Products of many factors
  // may: the terms of sin(t)^30 at t = 0 are beyond the degree of the series.)
  std::vector<Slot> operations;
  std::vector<Slot> bounded;  // the evaluated ones that `operations` need, arguments before users
};

TimeFunctions time_functions(const SeriesSchedule& schedule);

}  // namespace daedal::taylor

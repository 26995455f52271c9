// Operations on time alone. Their values are known at every t, whatever the solution does.
#pragma once

#include <vector>

#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

struct TimeFunctions {
  std::vector<Slot> evaluated;  // arguments before users
  std::vector<Slot> functions;  // of these, what the rest of the model uses; none is linear in t
};

TimeFunctions time_functions(const SeriesSchedule& schedule);

}  // namespace daedal::taylor

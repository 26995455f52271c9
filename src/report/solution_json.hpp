// The keys of `daedal run --json`, for outputs that contain them.
#pragma once

#include "daedal/solution.hpp"
#include "report/errors_json.hpp"

namespace daedal::report {

Json json_of(const Solution& solution);
Json json_of(const Seconds& seconds);

}  // namespace daedal::report

// The keys of `daedal init --json`, for outputs that contain them.
#pragma once

#include "daedal/initialize.hpp"
#include "report/errors_json.hpp"

namespace daedal::report {

Json json_of(const ConsistentPoint& point);

}  // namespace daedal::report

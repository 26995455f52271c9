// The keys of `daedal analyze --json`, for outputs that contain them.
#pragma once

#include "daedal/analysis.hpp"
#include "report/errors_json.hpp"

namespace daedal::report {

Json json_of(const Analysis& analysis);

}  // namespace daedal::report

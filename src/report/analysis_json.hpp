// The stable JSON keys of `daedal analyze --json` (docs/reference/json.md).
#pragma once

#include <string>
#include <vector>

#include "daedal/analysis.hpp"

namespace daedal::report {

// One JSON object, compact, without a trailing line end.
std::string to_json(const Analysis& analysis);

// {"status": ..., "errors": [{id, what, where, why, do}, ...]}
std::string errors_to_json(const std::string& status, const std::vector<Problem>& problems);

}  // namespace daedal::report

// Errors in JSON, as every verb prints them with --json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "daedal/error.hpp"

namespace daedal::report {

using Json = nlohmann::ordered_json;

// [{id, what, where, why, do}, ...]
Json errors_of(const std::vector<Problem>& problems);

// Compact text. User text may hold any bytes; what is not UTF-8 is replaced rather than refused.
std::string dump(const Json& json);

// {"status": ..., "errors": [...]}
std::string errors_to_json(const std::string& status, const std::vector<Problem>& problems);

}  // namespace daedal::report

// Long lists of numbers for the report's page: their bytes, little endian, in base64.
#pragma once

#include <span>

#include "report/errors_json.hpp"

namespace daedal::report {

enum class Precision { single, full };

// {"f32": "..."} or {"f64": "..."}
Json packed(std::span<const double> numbers, Precision precision = Precision::single);

}  // namespace daedal::report

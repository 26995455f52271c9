// The first line of a solution's text, for where the rest would be too much.
#pragma once

#include <string>

#include "daedal/solution.hpp"

namespace daedal::report {

// "reached t = 100: 412 steps, taylor of order 18, tolerance 1e-09\n"
std::string headline(const Solution& solution);

}  // namespace daedal::report

// Findings that come with a result, for people.
#pragma once

#include <vector>

#include "daedal/error.hpp"

namespace daedal::cli {

// On standard error, after what was printed so far; a blank line parts them from text above.
void print_findings(const std::vector<Problem>& problems, bool is_text_above);

}  // namespace daedal::cli

// An analysis as people read it in a terminal.
#pragma once

#include <string>

#include "daedal/analysis.hpp"

namespace daedal::report {

// `with_equations`: every equation as understood, with its offset.
std::string to_text(const Analysis& analysis, bool with_equations);

}  // namespace daedal::report

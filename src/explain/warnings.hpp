// What a result that is there should not be trusted for.
#pragma once

#include "settings/settings.hpp"
#include "solution/record.hpp"

namespace daedal::explain {

// W-TOL-001: the tolerance is below what the rounding errors of so many steps add up to.
// W-TOL-002: rounding alone made steps differ from their predictions by more than the tolerance.
// W-DRF-001: constraints or hidden constraints were off by more than the tolerance.
// W-SNG-001: the run has passed singular points.
// W-CND-001: the derivative array amplified rounding errors beyond the tolerance.
void add_warnings(const settings::Settings& settings, solution::Record& solution);

}  // namespace daedal::explain

// The start of a run: a consistent point with everything that there is to say about it.
#pragma once

#include "daedal/initialize.hpp"
#include "solve/plan.hpp"

namespace daedal::solving {

ConsistentPoint consistent_start(Plan& plan, double t);

}  // namespace daedal::solving

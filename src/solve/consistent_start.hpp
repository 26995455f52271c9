// The consistent start of a plan, in the user's names.
#pragma once

#include "daedal/initialize.hpp"
#include "init/consistent_point.hpp"
#include "solve/plan.hpp"

namespace daedal::solving {

// Never throws for numerical trouble: see the status. The plan's graph grows by derivatives.
ConsistentPoint consistent_start(Plan& plan, double t);

// The same in ids, without messages: what an integrator starts from.
init::PointFound find_start(Plan& plan, double t);

}  // namespace daedal::solving

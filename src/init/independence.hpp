// Are conditions independent of the equations and of each other at a point (rule C7)?
#pragma once

#include <vector>

#include "init/condition.hpp"
#include "init/constraint_system.hpp"

namespace daedal::init {

// `is_start` by unknown of the system: the values that make a start. The others follow from them
// and do not count in the norm on T. `at` is the system at v.
Independence judge_independence(ConstraintSystem& system, const Vector& v,
                                const ConstraintSystem::Linearisation& at,
                                const std::vector<Condition>& conditions,
                                const std::vector<bool>& is_start);

}  // namespace daedal::init

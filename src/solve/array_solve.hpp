// Runs by derivative arrays: the methods `array` and `completion`.
#pragma once

#include "daedal/solve.hpp"
#include "solve/plan.hpp"
#include "solve/settings.hpp"

namespace daedal::solving {

// Of a model without modes, as the user wrote it.
Solution run_by_array(Plan& plan, const Settings& settings, const SolveOptions& options);
Solution run_by_completion(Plan& plan, const Settings& settings, const SolveOptions& options);

}  // namespace daedal::solving

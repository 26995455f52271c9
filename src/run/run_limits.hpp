// What a run may use: steps, seconds and memory (SolveOptions::max_steps, max_seconds, max_memory).
#pragma once

#include <optional>

#include "daedal/solve.hpp"
#include "explain/stop_reason.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

// Why there is no further step (S-INT-007, S-LIM-001, S-LIM-002); nothing while there may be one.
// Called between steps, and before the first.
std::optional<explain::StopReason> reached_limit(const settings::Settings& settings,
                                                 const SolveOptions& options, double t,
                                                 const Solution& solution);

}  // namespace daedal::run

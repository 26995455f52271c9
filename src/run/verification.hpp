// How far from the solution a run is, by comparison with a second, more accurate one
// (docs/theory/verification.md).
#pragma once

#include "daedal/solve.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"

namespace daedal::run {

// The options of the second run (rule V1).
SolveOptions more_accurate(const SolveOptions& options, const settings::Settings& settings);

// What the second run says of the first (rules V2 to V4), with W-ERR-001 where they are far apart.
// Nothing if the first did not reach its end.
void compare(const model::ModelData& model, const settings::Settings& settings,
             const solution::Record& second, solution::Record& first);

}  // namespace daedal::run

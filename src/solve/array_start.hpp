// The consistent start and the index that a derivative array gives, in the user's names.
#pragma once

#include "daedal/array_analysis.hpp"
#include "daedal/initialize.hpp"
#include "solve/array_model.hpp"

namespace daedal::solving {

// Of min |P(x - guess)|; index_kind is "numerical".
ConsistentPoint array_start(ArrayModel& model, const reduce::ArrayFinding& finding, double t);

ArrayAnalysis describe(ArrayModel& model, const reduce::ArrayFinding& finding, double t);

// The numerical index for people who did not ask for it: only of models small enough for it to cost
// nothing; none where it cannot be found.
std::optional<int> quick_numerical_index(Plan& plan, double t);

}  // namespace daedal::solving

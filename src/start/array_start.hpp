// The consistent start and the index that a derivative array gives, in the user's names.
#pragma once

#include "daedal/array_analysis.hpp"
#include "daedal/initialize.hpp"
#include "start/array_model.hpp"
#include "start/consistent_start.hpp"

namespace daedal::start {

// The point of least |P(x - guess)|; index_kind is "numerical".
ConsistentPoint array_start(ArrayModel& model, const reduce::ArrayFinding& finding, double t);

// The point nearest to other values than those of the model's start.
ConsistentPoint array_point_near(ArrayModel& model, const reduce::ArrayFinding& finding,
                                 const init::SearchInput& input);

// The start where structural analysis failed and no conversion helped: if the array does not help,
// either, the point's problems say both.
ConsistentPoint array_start_instead_of_structure(ArrayModel& model,
                                                 const reduce::ArrayFinding& finding, double t);

// Whether the array determines a solution from the start on: where the system Jacobian of
// structural analysis is singular at one point, that may be so or not.
bool has_regular_array(plan::Plan& plan, double t);

ArrayAnalysis describe(ArrayModel& model, const reduce::ArrayFinding& finding, double t);

// The numerical index for people who did not ask for it: only of models small enough for it to cost
// nothing; none where it cannot be found.
std::optional<int> quick_numerical_index(const model::ModelData& model, double t);

}  // namespace daedal::start

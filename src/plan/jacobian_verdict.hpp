// If the system Jacobian is singular: is a parameter's value to blame?
#pragma once

#include <vector>

#include "model/model_data.hpp"
#include "reduce/structural_analysis.hpp"

namespace daedal::plan {

// Parameters of which another value, alone, would make J regular: a value such as eps = 0 is then
// the reason, not the equations. Bounded work: large models with many parameters are not asked.
std::vector<model::ParameterId> blamed_parameters(reduce::GenericJacobian& jacobian,
                                                  const taylor::Regularity& regularity,
                                                  const std::vector<double>& parameters);

}  // namespace daedal::plan

// What must hold of any model before it is analysed.
#pragma once

#include <vector>

#include "model/model_data.hpp"

namespace daedal::model {

// Throws Error with all of: E-MOD-001 equation without unknowns, E-MOD-002/003 parameter without
// (finite) value, E-MOD-004 no equations or no unknowns, E-MOD-005 duplicate name, E-MOD-010
// nominal not positive, E-MOD-013 start not finite. `overrides` take the place of the model's
// values of parameters; throws for them what parameter_values throws. Returns the parameters'
// values.
std::vector<double> check(const ModelData& model, const ParameterValues& overrides = {});

// Checks only what depends on the values of parameters, for a model that was checked before. Throws
// what parameter_values throws, E-MOD-010 nominal not positive, E-MOD-013 start not finite. Returns
// the values of all parameters.
std::vector<double> checked_values(const ModelData& model, const ParameterValues& overrides);

}  // namespace daedal::model

// What must hold of any model before it is analysed.
#pragma once

#include <vector>

#include "model/model_data.hpp"

namespace daedal::model {

// Throws Error with all of: E-MOD-001 equation without unknowns, E-MOD-002/003 parameter without
// (finite) value, E-MOD-004 no equations or no unknowns, E-MOD-005 duplicate name, E-MOD-010
// nominal not positive. Returns the parameters' values.
std::vector<double> check(const ModelData& model);

// What depends on the values of parameters alone, for other values of some. Throws what
// parameter_values throws, E-MOD-010 nominal not positive, E-MOD-013 start not finite. Returns the
// values of all parameters.
std::vector<double> checked_values(const ModelData& model, const ParameterValues& overrides);

}  // namespace daedal::model

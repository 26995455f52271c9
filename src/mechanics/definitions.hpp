// Unknowns of a Lagrangian that are no coordinates but follow them, as the tip of an arm does:
// their definitions take their places, so that partial derivatives see the coordinates.
#pragma once

#include <span>
#include <vector>

#include "mechanics/lagrangian.hpp"
#include "model/followers.hpp"

namespace daedal::mechanics {

// Replaces the parts' function, dissipation and sides of constraints by the same without unknowns
// that follow the coordinates. Returns the others that are no coordinates: they are taken as given.
// Findings: E-LAG-008 an unknown follows, but no equation defines it (`x = expression`).
std::vector<model::Mechanics::Given> insert_definitions(ModelData& model, LagrangianParts& parts,
                                                        std::span<const model::NodeId> multipliers,
                                                        std::span<const model::Equation> equations,
                                                        std::vector<Finding>& findings);

// Whether the parts contain unknowns that are no coordinates.
bool has_other_unknowns(const ModelData& model, const LagrangianParts& parts);

}  // namespace daedal::mechanics

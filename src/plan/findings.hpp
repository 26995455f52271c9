// What an analysis found wrong, in the user's names.
#pragma once

#include <span>
#include <vector>

#include "daedal/error.hpp"
#include "model/model_data.hpp"
#include "structure/structure.hpp"
#include "taylor/regularity.hpp"

namespace daedal::plan {

// The equations as they were analysed, for findings that need their expressions.
struct AnalysedEquations {
  expr::Graph& graph;
  std::span<const expr::NodeId> residuals;
};

// E-STR-001 for every over-determined part, E-STR-002 for every under-determined one.
std::vector<Problem> explain_singular_structure(const model::ModelData& model,
                                                const AnalysedEquations& equations,
                                                const structure::Diagnosis& diagnosis);

// S-STR-001 for every block whose Jacobian is singular though not structurally; S-STR-002 if the
// Jacobian could not be evaluated anywhere. Empty if all is well. `blamed`: parameters of which
// another value would make J regular.
std::vector<Problem> explain_regularity(const model::ModelData& model,
                                        const AnalysedEquations& equations,
                                        const structure::Structure& structure,
                                        const taylor::Regularity& regularity,
                                        const std::vector<model::ParameterId>& blamed);

}  // namespace daedal::plan

// Equations -> signature matrix.
#pragma once

#include <span>

#include "expr/graph.hpp"
#include "structure/signature_matrix.hpp"

namespace daedal::structure {

// sigma_ij = highest order to which x_j is differentiated in residuals[i], derivatives of composite
// expressions counted through: d^k/dt^k of something that contains x^(m) contains x^(m+k)
// [Pryce2018, eq. (7)].
SignatureMatrix signature_of(const expr::Graph& graph, std::span<const expr::NodeId> residuals);

}  // namespace daedal::structure

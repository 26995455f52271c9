// Sums of products, in a graph of its own, in which like terms are one.
#pragma once

#include <span>

#include "expr/simplify.hpp"

namespace daedal::expr {

// Products in one piece and like terms collected; with `multiplies_out`, products of sums become
// sums of products while they stay short. Same unknowns and parameters, same ids.
Simplified collect_terms(const Graph& graph, std::span<const NodeId> roots, bool multiplies_out);

}  // namespace daedal::expr

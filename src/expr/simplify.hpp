// Canonical forms that need to know the whole graph: nested sums and products used once are merged
// into their user, and what no root needs is left out. Values do not change beyond rounding.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

struct Simplified {
  std::unique_ptr<Graph> graph;  // same unknowns and parameters, same ids
  std::vector<NodeId> roots;     // the given roots, in order
};

// Costs O(nodes + edges), up to a logarithm for sorting the arguments of each sum or product.
Simplified simplify(const Graph& graph, std::span<const NodeId> roots);

}  // namespace daedal::expr

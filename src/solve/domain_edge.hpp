// Operations that have a value at a point but no derivatives: sqrt(x) at x = 0.
#pragma once

#include <span>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal::solving {

// The first one among those that the roots are made of; not set if there is none.
expr::NodeId operation_at_edge(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                               const expr::Point& point);

}  // namespace daedal::solving

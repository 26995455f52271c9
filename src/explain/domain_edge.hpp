// Operations at the edge of their domain, where they have a value but no derivatives (sqrt(x) at x
// = 0), or no value either (log(x)).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal::explain {

// The first one among those that the roots are made of; not set if there is none.
expr::NodeId operation_at_edge(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                               const expr::Point& point);

// The values of an operation's critical argument at which it or its derivatives end; and which that
// is: of a quotient, the denominator.
std::span<const double> edges_of(const expr::Graph& graph, expr::NodeId node);
expr::NodeId critical_argument(const expr::Graph& graph, expr::NodeId node);

// One that has no finite value though its arguments have, or whose argument is nearest to the edge
// of its domain, if one is near.
struct NearEdge {
  expr::NodeId node;
  std::string text;  // "the argument of sqrt is 3e-14, the edge is 0"
};
std::optional<NearEdge> nearest_edge(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                                     const expr::Point& point);

// What to do about an operation that leaves its domain.
std::string how_to_stay_inside(const expr::Graph& graph, expr::NodeId node);

}  // namespace daedal::explain

// Conditions are numbers, 1 or 0: how to recognise them (see Op::select).
#pragma once

#include <algorithm>

#include "expr/graph.hpp"

namespace daedal::expr {

// Whether the node is constant + factor*v.
inline bool is_shifted(const Graph& graph, NodeId node, double constant, double factor) {
  return graph.op(node) == Op::affine && graph.number(node) == constant &&
         graph.arguments(node).size() == 1 && graph.coefficients(node)[0] == factor;
}

// Whether the node is a product of conditions whose sign was pulled out: each 1 - v in it is stored
// as v - 1, and there is an odd number of them.
inline bool is_turned_product(const Graph& graph, NodeId node) {
  if (graph.op(node) != Op::product) return false;
  const auto factors = graph.arguments(node);
  return std::count_if(factors.begin(), factors.end(),
                       [&](NodeId factor) { return is_shifted(graph, factor, -1.0, 1.0); }) %
             2 ==
         1;
}

// v if the node is 1 - v, or v - 1 (products of two such have their signs pulled out); unset if it
// is neither. A product whose own sign was pulled out stands for the conjunction that it is.
inline NodeId negated(const Graph& graph, NodeId node) {
  if (is_shifted(graph, node, 1.0, -1.0) || is_shifted(graph, node, -1.0, 1.0))
    return graph.arguments(node)[0];
  if (is_shifted(graph, node, 1.0, 1.0) && is_turned_product(graph, graph.arguments(node)[0]))
    return graph.arguments(node)[0];
  if (!is_shifted(graph, node, 0.0, -1.0)) return {};  // 1 - v is stored as -(v - 1)
  const NodeId inner = graph.arguments(node)[0];
  return is_shifted(graph, inner, -1.0, 1.0) ? graph.arguments(inner)[0] : NodeId();
}

// The product if the node is a conjunction of which the sign was pulled out; unset otherwise.
inline NodeId turned_conjunction(const Graph& graph, NodeId node) {
  const bool is_turned =
      is_shifted(graph, node, 0.0, -1.0) && is_turned_product(graph, graph.arguments(node)[0]);
  return is_turned ? graph.arguments(node)[0] : NodeId();
}

}  // namespace daedal::expr

// Conditions are numbers, 1 or 0: how to recognise them (see Op::select).
#pragma once

#include "expr/graph.hpp"

namespace daedal::expr {

// v if the node is 1 - v, or v - 1 (products of two such have their signs pulled out); unset if it
// is neither.
inline NodeId negated(const Graph& graph, NodeId node) {
  const auto is_shifted = [&](NodeId n, double constant, double factor) {
    return graph.op(n) == Op::affine && graph.number(n) == constant &&
           graph.arguments(n).size() == 1 && graph.coefficients(n)[0] == factor;
  };
  if (is_shifted(node, 1.0, -1.0) || is_shifted(node, -1.0, 1.0)) return graph.arguments(node)[0];
  if (!is_shifted(node, 0.0, -1.0)) return {};  // 1 - v is stored as -(v - 1)
  const NodeId inner = graph.arguments(node)[0];
  return is_shifted(inner, -1.0, 1.0) ? graph.arguments(inner)[0] : NodeId();
}

}  // namespace daedal::expr

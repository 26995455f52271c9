#include "structure/signature.hpp"

#include <algorithm>

#include "expr/reachable.hpp"

namespace daedal::structure {

using expr::NodeId;
using expr::Op;

SignatureMatrix signature_of(const expr::Graph& graph, std::span<const NodeId> residuals) {
  std::vector<SignatureEntry> entries;
  std::vector<int> order(
      graph.size());  // of differentiation, from the root down to a node; largest over all paths
  expr::Cone cone(graph);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const auto nodes = cone.below(residuals[i]);
    for (const NodeId node : nodes) order[node.index()] = 0;
    for (std::size_t k = nodes.size(); k-- > 0;) {
      const NodeId node = nodes[k];
      const int below = order[node.index()] + (graph.op(node) == Op::diff ? graph.order(node) : 0);
      for (const NodeId argument : graph.arguments(node))
        order[argument.index()] = std::max(order[argument.index()], below);
      if (graph.op(node) == Op::unknown)
        entries.push_back({static_cast<int>(i), static_cast<int>(graph.unknown(node).index()),
                           order[node.index()]});
    }
  }
  return {static_cast<int>(residuals.size()), static_cast<int>(graph.num_unknowns()),
          std::move(entries)};
}

}  // namespace daedal::structure

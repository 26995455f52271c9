#include "taylor/system_jacobian.hpp"

#include <algorithm>
#include <limits>

#include "expr/reverse_sweep.hpp"

namespace daedal::taylor {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

constexpr int unlimited = std::numeric_limits<int>::max();

// alpha(v) = min_j (d_j - order of x_j in v): how often v can be differentiated before a highest
// derivative appears [NedialkovPryce2007]. A path from f_i leads to a J entry exactly if alpha
// stays on c_i, differentiations counted.
std::vector<int> node_offsets(const Graph& graph, const std::vector<int>& d) {
  std::vector<int> alpha(graph.size(), unlimited);
  for (std::size_t k = 0; k < graph.size(); ++k) {
    const NodeId node(k);
    if (graph.op(node) == Op::unknown) alpha[k] = d[graph.unknown(node).index()];
    for (const NodeId argument : graph.arguments(node))
      alpha[k] = std::min(alpha[k], alpha[argument.index()]);
    if (graph.op(node) == Op::diff && alpha[k] != unlimited) alpha[k] -= graph.order(node);
  }
  return alpha;
}

}  // namespace

std::vector<JacobianEntry> system_jacobian(Graph& graph, std::span<const NodeId> residuals,
                                           const structure::Structure& structure) {
  const std::vector<int> alpha = node_offsets(graph, structure.d);
  const auto follows_edge = [&](NodeId user, NodeId argument) {
    const int gained = graph.op(user) == Op::diff ? graph.order(user) : 0;
    const int room = alpha[argument.index()];
    return room != unlimited && room - gained == alpha[user.index()];
  };

  std::vector<JacobianEntry> entries;
  expr::ReverseSweep sweep(graph);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (alpha[residuals[i].index()] != structure.c[i])
      continue;  // no highest derivative: an empty row
    const auto at_leaf = [&](NodeId leaf, NodeId adjoint) {
      if (graph.op(leaf) != Op::unknown) return false;
      entries.push_back(
          {static_cast<int>(i), static_cast<int>(graph.unknown(leaf).index()), adjoint});
      return true;
    };
    sweep.run(residuals[i], follows_edge, at_leaf);
  }
  return entries;
}

}  // namespace daedal::taylor

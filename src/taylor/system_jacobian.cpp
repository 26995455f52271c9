#include "taylor/system_jacobian.hpp"

#include <algorithm>
#include <limits>

#include "expr/graph.hpp"
#include "expr/partial.hpp"

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

// Marks, equation by equation, the nodes that depend on unknowns of the equation's own block.
class OwnBlock {
 public:
  OwnBlock(const Graph& graph, const structure::Structure& structure)
      : graph_(graph),
        cone_(graph),
        depends_(graph.size(), false),
        block_of_equation_(structure.c.size()),
        block_of_unknown_(structure.d.size()) {
    for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b) {
      for (const int i : structure.fine_blocks[b].equations) block_of_equation_[i] = b;
      for (const int j : structure.fine_blocks[b].unknowns) block_of_unknown_[j] = b;
    }
  }

  void mark(std::size_t equation, NodeId residual) {
    const std::size_t own = block_of_equation_[equation];
    for (const NodeId node : cone_.below(residual)) {
      bool depends =
          graph_.op(node) == Op::unknown && block_of_unknown_[graph_.unknown(node).index()] == own;
      for (const NodeId argument : graph_.arguments(node))
        depends = depends || depends_[argument.index()];
      depends_[node.index()] = depends;
    }
  }

  bool depends(NodeId node) const { return depends_[node.index()]; }

 private:
  const Graph& graph_;
  expr::Cone cone_;
  std::vector<bool> depends_;
  std::vector<std::size_t> block_of_equation_, block_of_unknown_;
};

}  // namespace

std::vector<JacobianEntry> system_jacobian(Graph& graph, std::span<const NodeId> residuals,
                                           const structure::Structure& structure,
                                           JacobianPart part) {
  const std::vector<int> alpha = node_offsets(graph, structure.d);
  const bool takes_all = part == JacobianPart::all;
  OwnBlock own_block(graph, structure);
  const auto follows_edge = [&](NodeId user, NodeId argument) {
    const int gained = graph.op(user) == Op::diff ? graph.order(user) : 0;
    const int room = alpha[argument.index()];
    return room != unlimited && room - gained == alpha[user.index()] &&
           (takes_all || own_block.depends(argument));
  };

  std::vector<JacobianEntry> entries;
  expr::ReverseSweep sweep(graph);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (alpha[residuals[i].index()] != structure.c[i])
      continue;  // no highest derivative: an empty row
    if (!takes_all) own_block.mark(i, residuals[i]);
    const auto at_leaf = [&](NodeId leaf, NodeId adjoint) {
      if (graph.op(leaf) != Op::unknown) return false;
      const auto j = static_cast<int>(graph.unknown(leaf).index());
      entries.push_back({static_cast<int>(i), j, adjoint});
      return true;
    };
    sweep.run(residuals[i], follows_edge, at_leaf);
  }
  return entries;
}

}  // namespace daedal::taylor

#include "expr/reverse_sweep.hpp"

#include "expr/partial.hpp"

namespace daedal::expr {
namespace {

bool is_leaf(Op op) {
  return op == Op::constant || op == Op::parameter || op == Op::time || op == Op::unknown;
}

}  // namespace

void ReverseSweep::contribute(NodeId node, NodeId part) {
  if (!graph_.is_constant(part, 0.0)) parts_[node.index()].push_back(part);
}

void ReverseSweep::pass_on(NodeId node, NodeId adjoint, const FollowsEdge& follows_edge) {
  if (graph_.op(node) == Op::diff) {
    const NodeId argument = graph_.arguments(node)[0];
    if (follows_edge(node, argument)) contribute(argument, adjoint);
    return;
  }
  const auto view = graph_.arguments(node);
  const std::vector<NodeId> arguments(view.begin(), view.end());
  bool follows_any = false;
  std::vector<bool> follows;
  for (const NodeId argument : arguments) {
    follows.push_back(follows_edge(node, argument));
    follows_any = follows_any || follows.back();
  }
  if (!follows_any) return;
  const std::vector<NodeId> partials = local_partials(graph_, node);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (follows[k]) contribute(arguments[k], graph_.multiply(adjoint, partials[k]));
}

void ReverseSweep::run(NodeId root, const FollowsEdge& follows_edge, const AtLeaf& at_leaf) {
  const auto view = cone_.below(root);
  const std::vector<NodeId> nodes(view.begin(), view.end());
  if (parts_.size() <= root.index()) parts_.resize(root.index() + 1);
  parts_[root.index()].push_back(graph_.constant(1.0));
  std::vector<NodeId> parts;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const NodeId node = nodes[k];
    if (parts_[node.index()].empty()) continue;
    parts.clear();
    parts.swap(parts_[node.index()]);
    const NodeId adjoint = parts.size() == 1
                               ? parts[0]
                               : graph_.affine(0.0, std::vector<double>(parts.size(), 1.0), parts);
    const Op op = graph_.op(node);
    const bool is_derivative =
        op == Op::diff && graph_.op(graph_.arguments(node)[0]) == Op::unknown;
    if (is_leaf(op))
      at_leaf(node, adjoint);
    else if (!is_derivative || !at_leaf(node, adjoint))
      pass_on(node, adjoint, follows_edge);
  }
}

}  // namespace daedal::expr

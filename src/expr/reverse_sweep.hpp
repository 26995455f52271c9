// The reverse sweep of algorithmic differentiation, from one root down to leaves, producing nodes.
//
// adjoint(root) = 1; adjoint(argument) += adjoint(user) * d user/d argument. Scratch is kept
// between roots, so a sweep costs its own root's part of the graph only: sweeping all equations of
// a model is linear in their total size.
#pragma once

#include <functional>
#include <vector>

#include "expr/graph.hpp"
#include "expr/reachable.hpp"

namespace daedal::expr {

class ReverseSweep {
 public:
  explicit ReverseSweep(Graph& graph) : graph_(graph), cone_(graph) {}

  // Follows the edge from a user to its argument only if this holds; a composite diff passes its
  // adjoint on unchanged.
  using FollowsEdge = std::function<bool(NodeId user, NodeId argument)>;
  // Called for every leaf or derivative of an unknown that the sweep reaches, with its adjoint.
  // Returning true at a derivative of an unknown ends the path there; false continues to the
  // unknown itself.
  using AtLeaf = std::function<bool(NodeId leaf, NodeId adjoint)>;

  void run(NodeId root, const FollowsEdge& follows_edge, const AtLeaf& at_leaf);

 private:
  void pass_on(NodeId node, NodeId adjoint, const FollowsEdge& follows_edge);
  void contribute(NodeId node, NodeId part);

  Graph& graph_;
  Cone cone_;
  std::vector<std::vector<NodeId>>
      parts_;  // contributions to each node's adjoint; empty between runs
};

}  // namespace daedal::expr

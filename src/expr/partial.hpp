// Partial and total derivatives of graphs, as graphs: new nodes of the same graph, shared like any
// others.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

// d node / d argument[k] for every argument, holding the others. Not for leaves and diff.
// abs, sign, min, max are differentiated branch by branch: sign' = 0, abs' = sign.
std::vector<NodeId> local_partials(Graph& graph, NodeId node);

// The reverse sweep of algorithmic differentiation, from one root down to leaves, producing nodes.
//
// adjoint(root) = 1; adjoint(argument) += adjoint(user) * d user/d argument. Scratch is kept
// between roots, so a sweep costs its own root's part of the graph only: sweeping all equations of
// a model is linear in their total size.
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

// Reverse sweep: d root / d wrt[k] for all k, at a small multiple of the root's own size. `wrt` are
// unknowns, parameters, time, or derivatives of unknowns (diff of an unknown), all regarded as
// independent of each other. Derivatives of composite expressions below the root must have been
// expanded (expand_derivatives).
std::vector<NodeId> gradient(Graph& graph, NodeId root, std::span<const NodeId> wrt);

// Forward sweep: sum_k (d root / d seed[k].first) * seed[k].second for each root. Leaves as for
// gradient.
using Seed = std::pair<NodeId, NodeId>;
std::vector<NodeId> tangent(Graph& graph, std::span<const NodeId> roots,
                            std::span<const Seed> seeds);

// d root/dt by the chain rule: d/dt of x^(k) is x^(k+1), of time is 1. The root must be expanded;
// the result is.
NodeId total_derivative(Graph& graph, NodeId root);

// Every diff of a composite expression replaced by its total derivative, so that only derivatives
// of unknowns remain.
std::vector<NodeId> expand_derivatives(Graph& graph, std::span<const NodeId> roots);

}  // namespace daedal::expr

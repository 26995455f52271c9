// The part of a graph below some roots.
#pragma once

#include <span>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

// Every node that a root depends on, roots included, ascending (arguments before users), each once.
std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots);

// The same for many roots one after another, at the cost of each root's own part only: the marks
// are kept and reused.
class Cone {
 public:
  explicit Cone(const Graph& graph) : graph_(graph), stamp_(graph.size(), 0) {}

  // Valid until the next call. Nodes added to the graph after construction are accepted.
  std::span<const NodeId> below(NodeId root);

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t round_ = 0;
  std::vector<NodeId> found_;
};

}  // namespace daedal::expr

#include "expr/reachable.hpp"

#include <algorithm>

namespace daedal::expr {

std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<NodeId> found;
  if (roots.empty()) return found;
  const std::size_t last = std::max_element(roots.begin(), roots.end())->index();
  std::vector<bool> wanted(last + 1, false);
  for (const NodeId root : roots) wanted[root.index()] = true;
  for (std::size_t k = last + 1; k-- > 0;)
    if (wanted[k])
      for (const NodeId argument : graph.arguments(NodeId(k))) wanted[argument.index()] = true;
  for (std::size_t k = 0; k <= last; ++k)
    if (wanted[k]) found.emplace_back(k);
  return found;
}

std::span<const NodeId> Cone::below(NodeId root) {
  stamp_.resize(graph_.size(), 0);
  ++round_;
  found_.assign(1, root);
  stamp_[root.index()] = round_;
  for (std::size_t next = 0; next < found_.size(); ++next) {
    for (const NodeId argument : graph_.arguments(found_[next])) {
      if (stamp_[argument.index()] == round_) continue;
      stamp_[argument.index()] = round_;
      found_.push_back(argument);
    }
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace daedal::expr

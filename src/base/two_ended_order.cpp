#include "base/two_ended_order.hpp"

#include <algorithm>

namespace daedal::base {
namespace {

class Graph {
 public:
  Graph(int size, std::span<const Place> entries)
      : neighbours_(size), has_diagonal_(size, false), seen_(size, 0) {
    for (const Place& entry : entries) {
      if (entry.row == entry.column) has_diagonal_[entry.row] = true;
      if (entry.row == entry.column) continue;
      neighbours_[entry.row].push_back(entry.column);
      neighbours_[entry.column].push_back(entry.row);
    }
  }
  bool has_diagonal(int node) const { return has_diagonal_[node]; }

  using Levels = std::vector<std::vector<std::int32_t>>;
  Levels levels_from(std::int32_t start) {
    ++round_;
    Levels levels = {{start}};
    seen_[start] = round_;
    while (true) {
      std::vector<std::int32_t> next;
      for (const std::int32_t node : levels.back()) {
        for (const std::int32_t other : neighbours_[node]) {
          if (seen_[other] == round_) continue;
          seen_[other] = round_;
          next.push_back(other);
        }
      }
      if (next.empty()) return levels;
      levels.push_back(std::move(next));
    }
  }
  // From a node that is far from others: twice the farthest of the farthest.
  Levels longest_levels(std::int32_t start) {
    Levels levels = levels_from(start);
    for (int round = 0; round < 2; ++round) {
      const auto& last = levels.back();
      const auto fewest = std::min_element(last.begin(), last.end(), [&](int a, int b) {
        return neighbours_[a].size() < neighbours_[b].size();
      });
      levels = levels_from(*fewest);
    }
    return levels;
  }

 private:
  std::vector<std::vector<std::int32_t>> neighbours_;
  std::vector<bool> has_diagonal_;
  std::vector<int> seen_;
  int round_ = 0;
};

}  // namespace

std::vector<std::int32_t> two_ended_order(int size, std::span<const Place> entries) {
  Graph graph(size, entries);
  std::vector<std::int32_t> order;
  std::vector<bool> is_placed(size, false);
  const auto append = [&](std::vector<std::int32_t>& level) {
    std::stable_partition(level.begin(), level.end(),
                          [&](int node) { return graph.has_diagonal(node); });
    for (const std::int32_t node : level) is_placed[node] = true;
    order.insert(order.end(), level.begin(), level.end());
  };
  for (std::int32_t start = 0; start < size; ++start) {
    if (is_placed[start]) continue;
    Graph::Levels levels = graph.longest_levels(start);
    std::size_t num_nodes = 0, before = 0, middle = 0;
    for (const auto& level : levels) num_nodes += level.size();
    while (2 * (before + levels[middle].size()) < num_nodes) before += levels[middle++].size();
    for (std::size_t k = 0; k < middle; ++k) append(levels[k]);
    for (std::size_t k = levels.size(); k-- > middle + 1;) append(levels[k]);
    append(levels[middle]);
  }
  return order;
}

}  // namespace daedal::base

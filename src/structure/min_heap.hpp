// A binary heap of (key, item), smallest key first and among equal keys the smallest item.
// Dijkstra's search pushes an item again when its key falls and skips the outdated pair when it
// comes up.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace daedal::structure {

class MinHeap {
 public:
  bool is_empty() const { return pairs_.empty(); }

  void push(int key, int item) {
    pairs_.emplace_back(key, item);
    std::push_heap(pairs_.begin(), pairs_.end(), std::greater<>());
  }

  std::pair<int, int> pop() {
    std::pop_heap(pairs_.begin(), pairs_.end(), std::greater<>());
    const std::pair<int, int> smallest = pairs_.back();
    pairs_.pop_back();
    return smallest;
  }

 private:
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace daedal::structure

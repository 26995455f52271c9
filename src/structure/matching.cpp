#include "structure/matching.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace daedal::structure {

namespace {

constexpr int not_reached = -1;
constexpr int unlimited = std::numeric_limits<int>::max();

}  // namespace

void Matching::reset(int num_equations, int num_unknowns) {
  unknown_of.assign(num_equations, unmatched);
  equation_of.assign(num_unknowns, unmatched);
  size = 0;
}

void MaximumMatcher::grow(const Pattern& pattern, Matching& matching) {
  pattern_ = &pattern;
  matching_ = &matching;
  next_look_.assign(pattern.num_rows(), 0);
  match_greedily();
  while (build_layers()) {
    augment_along_layers(shortest_);
    augment_along_layers(unlimited);
  }
}

void MaximumMatcher::match_greedily() {
  for (int i = 0; i < pattern_->num_rows(); ++i) {
    if (matching_->unknown_of[i] != unmatched) continue;
    const int j = find_free_unknown(i);
    if (j == unmatched) continue;
    path_.assign(1, i);
    flip_path(j);
  }
}

// The next free unknown of the row. Unknowns never become free again, so each place is looked at
// once in grow().
int MaximumMatcher::find_free_unknown(int equation) {
  const std::span<const int> row = pattern_->row(equation);
  while (next_look_[equation] < static_cast<int>(row.size())) {
    const int j = row[next_look_[equation]++];
    if (matching_->equation_of[j] == unmatched) return j;
  }
  return unmatched;
}

// Layer 0 holds the free equations; the equations matched to unknowns that first occur in layer k
// make up layer k + 1. Returns whether a free unknown can be reached.
bool MaximumMatcher::build_layers() {
  layer_.assign(pattern_->num_rows(), not_reached);
  queue_.clear();
  for (int i = 0; i < pattern_->num_rows(); ++i) {
    if (matching_->unknown_of[i] != unmatched) continue;
    layer_[i] = 0;
    queue_.push_back(i);
  }
  shortest_ = unlimited;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const int i = queue_[head];
    for (const int j : pattern_->row(i)) {
      const int next = matching_->equation_of[j];
      if (next == unmatched) {
        shortest_ = std::min(shortest_, layer_[i]);
      } else if (layer_[next] == not_reached) {
        layer_[next] = layer_[i] + 1;
        queue_.push_back(next);
      }
    }
  }
  return shortest_ != unlimited;
}

void MaximumMatcher::augment_along_layers(int limit) {
  next_step_.assign(pattern_->num_rows(), 0);
  for (int i = 0; i < pattern_->num_rows(); ++i) {
    if (matching_->unknown_of[i] == unmatched) augment_from(i, limit);
  }
}

// Depth-first, looking for a free unknown in the row before going deeper. Steps taken in vain are
// not taken again until next_step_ is reset.
void MaximumMatcher::augment_from(int equation, int limit) {
  path_.assign(1, equation);
  while (!path_.empty()) {
    const int i = path_.back();
    const int free_unknown = find_free_unknown(i);
    if (free_unknown != unmatched) return flip_path(free_unknown);
    const int next = layer_[i] < limit ? find_step(i) : unmatched;
    if (next != unmatched) {
      path_.push_back(next);
    } else {
      path_.pop_back();
    }
  }
}

// The equation in the next layer that is matched to the next such unknown of the row.
int MaximumMatcher::find_step(int equation) {
  const std::span<const int> row = pattern_->row(equation);
  while (next_step_[equation] < static_cast<int>(row.size())) {
    const int next = matching_->equation_of[row[next_step_[equation]++]];
    if (layer_[next] == layer_[equation] + 1) return next;
  }
  return unmatched;
}

// Each equation of the path takes the unknown that the next one gives up; the last takes the free
// unknown.
void MaximumMatcher::flip_path(int free_unknown) {
  int j = free_unknown;
  for (auto i = path_.rbegin(); i != path_.rend(); ++i) {
    matching_->equation_of[j] = *i;
    std::swap(matching_->unknown_of[*i], j);
  }
  ++matching_->size;
}

Matching maximum_matching(const Pattern& pattern) {
  Matching matching;
  matching.reset(pattern.num_rows(), pattern.num_columns());
  MaximumMatcher().grow(pattern, matching);
  return matching;
}

}  // namespace daedal::structure

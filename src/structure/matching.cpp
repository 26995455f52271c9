#include "structure/matching.hpp"

#include <limits>
#include <utility>

namespace daedal::structure {

namespace {

constexpr int not_reached = -1;

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
    augment_along_layers();
    augment_along_any_path();
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

// The next free unknown of the row. Unknowns never become free again, so each place is looked at once in grow().
int MaximumMatcher::find_free_unknown(int equation) {
  const std::span<const int> row = pattern_->row(equation);
  while (next_look_[equation] < static_cast<int>(row.size())) {
    const int j = row[next_look_[equation]++];
    if (matching_->equation_of[j] == unmatched) return j;
  }
  return unmatched;
}

// Layer 0 holds the free equations; the equation matched to an unknown of layer k is in layer k + 1 at most. Returns
// whether some free unknown can be reached.
bool MaximumMatcher::build_layers() {
  layer_.assign(pattern_->num_rows(), not_reached);
  queue_.clear();
  for (int i = 0; i < pattern_->num_rows(); ++i) {
    if (matching_->unknown_of[i] != unmatched) continue;
    layer_[i] = 0;
    queue_.push_back(i);
  }
  constexpr int unlimited = std::numeric_limits<int>::max();
  last_layer_ = unlimited;
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const int i = queue_[head];
    if (layer_[i] > last_layer_) break;
    for (const int j : pattern_->row(i)) {
      const int next = matching_->equation_of[j];
      if (next == unmatched) {
        last_layer_ = layer_[i];
      } else if (layer_[next] == not_reached) {
        layer_[next] = layer_[i] + 1;
        queue_.push_back(next);
      }
    }
  }
  return last_layer_ != unlimited;
}

void MaximumMatcher::augment_along_layers() {
  augment_free_equations([this](int i, int next) {
    return layer_[i] < last_layer_ && layer_[next] == layer_[i] + 1;
  });
}

// Not needed for the bound on the number of phases, but on sparse patterns it saves most of them.
void MaximumMatcher::augment_along_any_path() {
  is_visited_.assign(pattern_->num_rows(), false);
  augment_free_equations([this](int, int next) {
    if (is_visited_[next]) return false;
    is_visited_[next] = true;
    return true;
  });
}

template <typename MayStep>
void MaximumMatcher::augment_free_equations(MayStep may_step) {
  next_place_.assign(pattern_->num_rows(), 0);
  for (int i = 0; i < pattern_->num_rows(); ++i) {
    if (matching_->unknown_of[i] == unmatched) augment_from(i, may_step);
  }
}

// Depth-first, looking for a free unknown in the row before going deeper. Places tried in vain are not tried again
// until next_place_ is reset.
template <typename MayStep>
void MaximumMatcher::augment_from(int equation, MayStep may_step) {
  path_.assign(1, equation);
  while (!path_.empty()) {
    const int i = path_.back();
    const int free_unknown = find_free_unknown(i);
    if (free_unknown != unmatched) return flip_path(free_unknown);
    const int next = find_step(i, may_step);
    if (next != unmatched) {
      path_.push_back(next);
    } else {
      path_.pop_back();
    }
  }
}

// The equation matched to the next unknown of the row from which the path may go on.
template <typename MayStep>
int MaximumMatcher::find_step(int equation, MayStep may_step) {
  const std::span<const int> row = pattern_->row(equation);
  while (next_place_[equation] < static_cast<int>(row.size())) {
    const int next = matching_->equation_of[row[next_place_[equation]++]];
    if (may_step(equation, next)) return next;
  }
  return unmatched;
}

// Each equation of the path takes the unknown that the next one gives up; the last takes the free unknown.
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

#include "structure/matching.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "structure/structure.hpp"

namespace daedal::structure {

// ---------------------------------------------------------------------------------------------------------------------
// Who is matched to whom

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

// ---------------------------------------------------------------------------------------------------------------------
// What is left over
//
// Dulmage-Mendelsohn decomposition of a pattern that need not be square or regular
// [DulmageMendelsohn1958], [PothenFan1990]:
//   over    what alternating paths reach from unmatched equations: too many equations
//   under   what alternating paths reach from unmatched unknowns: too few equations
// The second is the first of the transposed pattern. Neither depends on the matching chosen.

namespace {

struct Part {
  std::vector<int> rows;
  std::vector<int> columns;
};

// Rows on alternating paths from unmatched rows. A row brings all its columns, a column the row
// matched to it (there is one: otherwise the path would be augmenting).
std::vector<bool> find_excess_rows(const Pattern& pattern, const Matching& matching) {
  std::vector<bool> is_excess(pattern.num_rows(), false);
  std::vector<int> to_visit;
  for (int i = 0; i < pattern.num_rows(); ++i) {
    if (matching.unknown_of[i] == unmatched) to_visit.push_back(i);
  }
  for (const int i : to_visit) is_excess[i] = true;
  while (!to_visit.empty()) {
    const int i = to_visit.back();
    to_visit.pop_back();
    for (const int j : pattern.row(i)) {
      const int next = matching.equation_of[j];
      if (is_excess[next]) continue;
      is_excess[next] = true;
      to_visit.push_back(next);
    }
  }
  return is_excess;
}

// Takes the excess rows connected to `seed` out of `is_excess`, with all their columns.
Part extract_part(int seed, const Pattern& pattern, const Pattern& transposed,
                  std::vector<bool>& is_excess, std::vector<bool>& is_column_taken) {
  Part part;
  std::vector<int>& rows = part.rows;
  rows.push_back(seed);
  is_excess[seed] = false;
  for (std::size_t head = 0; head < rows.size(); ++head) {
    for (const int j : pattern.row(rows[head])) {
      if (is_column_taken[j]) continue;
      is_column_taken[j] = true;
      part.columns.push_back(j);
      for (const int i : transposed.row(j)) {
        if (!is_excess[i]) continue;
        is_excess[i] = false;
        rows.push_back(i);
      }
    }
  }
  std::sort(part.rows.begin(), part.rows.end());
  std::sort(part.columns.begin(), part.columns.end());
  return part;
}

// The part with more rows than columns, in connected components, ordered by their first row.
std::vector<Part> excess_parts(const Pattern& pattern, const Pattern& transposed,
                               const Matching& matching) {
  std::vector<bool> is_excess = find_excess_rows(pattern, matching);
  std::vector<bool> is_column_taken(pattern.num_columns(), false);
  std::vector<Part> parts;
  for (int i = 0; i < pattern.num_rows(); ++i) {
    if (is_excess[i]) {
      parts.push_back(extract_part(i, pattern, transposed, is_excess, is_column_taken));
    }
  }
  return parts;
}

Matching transpose(const Matching& matching) {
  return {matching.equation_of, matching.unknown_of, matching.size};
}

}  // namespace

Diagnosis diagnose(const SignatureMatrix& sigma) {
  const Pattern rows = pattern_of(sigma);
  const Pattern columns = transpose(rows);
  const Matching matching = maximum_matching(rows);
  Diagnosis diagnosis;
  diagnosis.structural_rank = matching.size;
  for (Part& part : excess_parts(rows, columns, matching)) {
    diagnosis.over.push_back({std::move(part.rows), std::move(part.columns)});
  }
  for (Part& part : excess_parts(columns, rows, transpose(matching))) {
    diagnosis.under.push_back({std::move(part.columns), std::move(part.rows)});
  }
  return diagnosis;
}

}  // namespace daedal::structure

// Dulmage-Mendelsohn decomposition of a pattern that need not be square or regular
// [DulmageMendelsohn1958], [PothenFan1990]:
//   over    what alternating paths reach from unmatched equations: too many equations
//   under   what alternating paths reach from unmatched unknowns: too few equations
// The second is the first of the transposed pattern. Neither depends on the matching chosen.
#include <algorithm>
#include <utility>

#include "structure/matching.hpp"
#include "structure/pattern.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

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

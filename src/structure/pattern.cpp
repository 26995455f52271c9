#include "structure/pattern.hpp"

namespace daedal::structure {

void Pattern::reset(int num_columns) {
  num_columns_ = num_columns;
  row_start_.resize(1);
  columns_.clear();
}

Pattern pattern_of(const SignatureMatrix& sigma) {
  Pattern pattern(sigma.num_unknowns());
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (const int j : sigma.unknowns(i)) pattern.add(j);
    pattern.end_row();
  }
  return pattern;
}

Pattern transpose(const Pattern& pattern) {
  // Sort the places by column, keeping the order of rows: count, add up, distribute.
  std::vector<int> start(static_cast<std::size_t>(pattern.num_columns()) + 1, 0);
  const int num_places = pattern.first_place(pattern.num_rows());
  for (int place = 0; place < num_places; ++place) ++start[pattern.column(place) + 1];
  for (int j = 0; j < pattern.num_columns(); ++j) start[j + 1] += start[j];
  std::vector<int> rows(num_places);
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int i = 0; i < pattern.num_rows(); ++i) {
    for (const int j : pattern.row(i)) rows[next[j]++] = i;
  }
  Pattern result(pattern.num_rows());
  for (int j = 0; j < pattern.num_columns(); ++j) {
    for (int k = start[j]; k < start[j + 1]; ++k) result.add(rows[k]);
    result.end_row();
  }
  return result;
}

}  // namespace daedal::structure

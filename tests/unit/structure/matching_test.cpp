#include "structure/matching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/structure/signature_examples.hpp"

namespace daedal::structure {
namespace {

// Size of a maximum matching by trying every partner for every row.
int brute_force_rank(const Pattern& pattern, int row, std::vector<bool>& is_taken) {
  if (row == pattern.num_rows()) return 0;
  int best = brute_force_rank(pattern, row + 1, is_taken);  // row stays unmatched
  for (const int j : pattern.row(row)) {
    if (is_taken[j]) continue;
    is_taken[j] = true;
    best = std::max(best, 1 + brute_force_rank(pattern, row + 1, is_taken));
    is_taken[j] = false;
  }
  return best;
}

void expect_valid(const Pattern& pattern, const Matching& matching) {
  int size = 0;
  for (int i = 0; i < pattern.num_rows(); ++i) {
    const int j = matching.unknown_of[i];
    if (j == unmatched) continue;
    ++size;
    EXPECT_EQ(matching.equation_of[j], i);
    EXPECT_THAT(pattern.row(i), ::testing::Contains(j));
  }
  EXPECT_EQ(matching.size, size);
  const auto num_free =
      std::count(matching.equation_of.begin(), matching.equation_of.end(), unmatched);
  EXPECT_EQ(matching.size, pattern.num_columns() - num_free);
}

TEST(Matching, size_equals_brute_force_on_random_rectangular_patterns) {
  Random random(1973);
  for (int sample = 0; sample < 500; ++sample) {
    const int num_equations = 1 + random.below(7);
    const int num_unknowns = 1 + random.below(7);
    const Pattern pattern = pattern_of(random_matrix(
        random, {num_equations, num_unknowns, random.below(2 * (num_equations + num_unknowns))}));
    const Matching matching = maximum_matching(pattern);
    expect_valid(pattern, matching);
    std::vector<bool> is_taken(num_unknowns, false);
    EXPECT_EQ(matching.size, brute_force_rank(pattern, 0, is_taken));
  }
}

TEST(Matching, of_a_pattern_without_rows_columns_or_places_is_empty) {
  EXPECT_EQ(maximum_matching(pattern_of(SignatureMatrix(0, 0, {}))).size, 0);
  EXPECT_EQ(maximum_matching(pattern_of(SignatureMatrix(3, 0, {}))).size, 0);
  EXPECT_EQ(maximum_matching(pattern_of(SignatureMatrix(0, 3, {}))).size, 0);
  EXPECT_EQ(maximum_matching(pattern_of(SignatureMatrix(3, 3, {}))).size, 0);
}

// Row i has columns i and i + 1, the last row column 0 only: the greedy choice, i, is wrong in
// every row, and the only augmenting path visits all rows.
TEST(Matching, follows_an_augmenting_path_through_all_of_100000_equations) {
  const int n = 100000;
  std::vector<Row> rows;
  for (int i = 0; i + 1 < n; ++i) rows.push_back({{i, 0}, {i + 1, 0}});
  rows.push_back({{0, 0}});
  const Pattern pattern = pattern_of(square_matrix_of(rows));
  const Matching matching = maximum_matching(pattern);
  ASSERT_EQ(matching.size, n);
  for (int i = 0; i < n; ++i) ASSERT_EQ(matching.unknown_of[i], (i + 1) % n);
}

TEST(Matching, grows_from_a_given_one_and_keeps_what_is_matched) {
  const Pattern pattern = pattern_of(matrix_of({{{0, 0}, {1, 0}}, {{0, 0}}, {{0, 0}}}, 2));
  Matching matching;
  matching.reset(3, 2);
  matching.unknown_of[2] = 0;
  matching.equation_of[0] = 2;
  matching.size = 1;
  MaximumMatcher().grow(pattern, matching);
  EXPECT_EQ(matching.size, 2);
  EXPECT_EQ(matching.unknown_of[2], 0);
  EXPECT_EQ(matching.unknown_of[0], 1);
}

TEST(Pattern, transposing_twice_gives_the_same_pattern) {
  Random random(7);
  const Pattern pattern = pattern_of(random_matrix(random, {9, 5, 20}));
  const Pattern once = transpose(pattern);
  const Pattern twice = transpose(once);
  EXPECT_EQ(once.num_rows(), 5);
  EXPECT_EQ(once.num_columns(), 9);
  ASSERT_EQ(twice.num_rows(), 9);
  for (int i = 0; i < 9; ++i) {
    EXPECT_THAT(twice.row(i), ::testing::ElementsAreArray(pattern.row(i)));
  }
}

}  // namespace
}  // namespace daedal::structure

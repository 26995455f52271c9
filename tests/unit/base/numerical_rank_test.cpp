#include "base/numerical_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedal::base {
namespace {

TEST(JudgeRank, two_equal_rows_are_singular_and_the_combination_is_their_difference) {
  const RankVerdict verdict = judge_rank(2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
  EXPECT_TRUE(verdict.is_singular);
  ASSERT_EQ(verdict.row_combination.size(), 2U);
  EXPECT_NEAR(verdict.row_combination[0] + verdict.row_combination[1], 0.0, 1e-12);
  EXPECT_NEAR(verdict.column_combination[0] + verdict.column_combination[1], 0.0, 1e-12);
}

TEST(JudgeRank, units_do_not_matter) {
  // A regular matrix with rows and columns scaled over forty orders of magnitude.
  EXPECT_FALSE(
      judge_rank(2, {{0, 0, 1e20}, {0, 1, 2e-20}, {1, 0, 3e10}, {1, 1, 4e-30}}).is_singular);
  // A singular one, scaled likewise: the combination undoes the scaling.
  const RankVerdict verdict = judge_rank(2, {{0, 0, 1e6}, {0, 1, 1e-6}, {1, 0, 1e3}, {1, 1, 1e-9}});
  EXPECT_TRUE(verdict.is_singular);
  EXPECT_NEAR(verdict.row_combination[0] * 1e6 + verdict.row_combination[1] * 1e3, 0.0, 1e-6);
}

TEST(JudgeRank, a_zero_row_is_singular) {
  EXPECT_TRUE(judge_rank(2, {{0, 0, 1}, {0, 1, 1}}).is_singular);
  EXPECT_TRUE(judge_rank(1, {}).is_singular);
  EXPECT_TRUE(judge_rank(1, {{0, 0, 0.0}}).is_singular);
  EXPECT_FALSE(judge_rank(1, {{0, 0, 1e-300}}).is_singular);
}

TEST(JudgeRank, entries_at_one_place_add_up) {
  EXPECT_TRUE(judge_rank(1, {{0, 0, 1}, {0, 0, -1}}).is_singular);
}

// Random sparse matrices, with and without the last row replaced by a combination of two others, on
// both sides of the change from dense to sparse.
class RandomRank : public testing::TestWithParam<int> {};

TEST_P(RandomRank, tells_regular_from_singular) {
  const int n = GetParam();
  std::mt19937 random(n);
  std::uniform_real_distribution<> value(-1, 1);
  std::uniform_int_distribution<> place(0, n - 1);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<std::vector<double>> rows(n, std::vector<double>(n, 0.0));
    for (int i = 0; i < n; ++i) {
      rows[i][i] = 1.5 + value(random);
      for (int k = 0; k < 3; ++k) rows[i][place(random)] += value(random);
    }
    const auto triplets = [&] {
      std::vector<Triplet> list;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (rows[i][j] != 0.0) list.push_back({i, j, rows[i][j]});
      return list;
    };
    EXPECT_FALSE(judge_rank(n, triplets()).is_singular);
    for (int j = 0; j < n; ++j) rows[n - 1][j] = 0.7 * rows[0][j] - 1.3 * rows[1][j];
    EXPECT_TRUE(judge_rank(n, triplets()).is_singular);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomRank,
                         testing::Values(3, 20, largest_dense, largest_dense + 1, 400));

}  // namespace
}  // namespace daedal::base

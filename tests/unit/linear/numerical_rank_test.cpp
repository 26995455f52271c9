#include "linear/numerical_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

namespace daedal::linear {
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
  // A singular one, scaled likewise, up to what decimal numbers are in binary: the combination
  // undoes the scaling.
  const auto written = [](int row, int column, double value) {
    return Triplet{row, column, value, 1.2e-16L * std::abs(value)};
  };
  const RankVerdict verdict = judge_rank(
      2, {written(0, 0, 1e6), written(0, 1, 1e-6), written(1, 0, 1e3), written(1, 1, 1e-9)});
  EXPECT_TRUE(verdict.is_singular);
  EXPECT_NEAR(verdict.row_combination[0] * 1e6 + verdict.row_combination[1] * 1e3, 0.0, 1e-6);
}

TEST(JudgeRank, ill_conditioned_is_not_singular) {
  // Two nodes tied by a conductance of 1e9, grounded through 1e-6.
  EXPECT_FALSE(judge_rank(2, {{0, 0, 1e9L}, {0, 1, -1e9L}, {1, 0, -1e9L}, {1, 1, 1e9L + 1e-6L}})
                   .is_singular);
  // A triangular matrix whose entries grow by 1e3 from row to row of its bidiagonal: pivots down to
  // 1e-30, all of them right.
  std::vector<Triplet> entries;
  for (int k = 0; k < 10; ++k) {
    entries.push_back({k, k, 1});
    if (k > 0) entries.push_back({k, k - 1, -1000});
  }
  EXPECT_FALSE(judge_rank(10, entries).is_singular);
}

// A network without ground: every row sums to zero, and so does every column, yet no pivot does.
std::vector<Triplet> network(int size, bool is_grounded) {
  std::mt19937 random(size);
  std::uniform_real_distribution<> exponent(-3, 3);
  std::vector<Triplet> entries;
  for (int k = 1; k < 3 * size; ++k) {
    const int a = k % size, b = std::uniform_int_distribution<>(0, size - 1)(random);
    const long double g = std::pow(10.0, exponent(random));
    for (const auto& [i, j, sign] : {std::tuple{a, a, 1}, {b, b, 1}, {a, b, -1}, {b, a, -1}})
      entries.push_back({i, j, sign * g, 1e-19L * g});
  }
  if (is_grounded) entries.push_back({0, 0, 1.0});
  return entries;
}

TEST(JudgeRank, a_floating_network_of_any_size_is_singular_and_a_grounded_one_is_not) {
  for (const int size : {10, 100, 500, 3000}) {
    EXPECT_TRUE(judge_rank(size, network(size, false)).is_singular) << size;
    EXPECT_FALSE(judge_rank(size, network(size, true)).is_singular) << size;
  }
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
    std::vector<Triplet> dependent = triplets();
    for (Triplet& e : dependent)  // what rounding in double did to the combination
      if (e.row == n - 1)
        e.error = 2.3e-16L * (std::abs(rows[0][e.column]) + 2 * std::abs(rows[1][e.column]));
    EXPECT_TRUE(judge_rank(n, dependent).is_singular);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomRank,
                         testing::Values(3, 20, largest_dense, largest_dense + 1, 400));

}  // namespace
}  // namespace daedal::linear

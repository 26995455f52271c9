#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "linear/dense_solvers.hpp"
#include "unit/linear/lanes.hpp"

namespace daedal::linear {
namespace {

std::vector<Place> full_pattern(int num_rows, int num_columns) {
  std::vector<Place> places;
  for (int i = 0; i < num_rows; ++i)
    for (int j = 0; j < num_columns; ++j) places.push_back({i, j});
  return places;
}

// Random matrices side by side; lane 2 has two equal rows, lane 5 a number that is not one.
struct Batch {
  int num_rows, num_columns, lanes;
  std::vector<double> values, right;

  Batch(int m, int n, int width) : num_rows(m), num_columns(n), lanes(width) {
    std::mt19937 random(m * 100 + n);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (int k = 0; k < m * n * width; ++k) values.push_back(number(random));
    for (int k = 0; k < m * width; ++k) right.push_back(number(random));
    for (int j = 0; j < n && m > 1 && width > 2; ++j) at(m - 1, j, 2) = -4.0 * at(0, j, 2);
    if (width > 5) at(0, n - 1, 5) = std::nan("");
  }
  double& at(int i, int j, int lane) { return values[(i * num_columns + j) * lanes + lane]; }
};

class MinimumNormShapes : public testing::TestWithParam<std::pair<int, int>> {};
INSTANTIATE_TEST_SUITE_P(RowsAndColumns, MinimumNormShapes,
                         testing::Values(std::pair(1, 1), std::pair(1, 2), std::pair(2, 3),
                                         std::pair(4, 8), std::pair(5, 9), std::pair(7, 14),
                                         std::pair(24, 24)));

TEST_P(MinimumNormShapes, give_a_lane_the_bits_it_has_alone) {
  const auto [m, n] = GetParam();
  for (const int lanes : {1, 4, 7, 8, 19}) {
    const Batch batch(m, n, lanes);
    DenseMinimumNorm together(m, n, full_pattern(m, n), lanes), alone(m, n, full_pattern(m, n), 1);
    together.factorise(batch.values, {});
    std::vector<double> x(n * lanes), x_alone(n);
    together.solve(batch.right, x);
    for (int lane = 0; lane < lanes; ++lane) {
      const bool is_regular = alone.factorise(of_lane(batch.values, lane, lanes), {});
      ASSERT_EQ(together.is_regular(lane), is_regular) << lane << " of " << lanes;
      EXPECT_EQ(is_regular, lane != 5 && (lane != 2 || m == 1));
      if (!is_regular) continue;
      alone.solve(of_lane(batch.right, lane, lanes), x_alone);
      EXPECT_EQ(bits_of(of_lane(x, lane, lanes)), bits_of(x_alone)) << lane;
    }
  }
}

TEST_P(MinimumNormShapes, give_the_same_bits_with_every_instruction_set) {
  const auto [m, n] = GetParam();
  for (const int lanes : {1, 3, 8}) {
    std::vector<MinimumNormKernels> sets = {baseline::minimum_norm_kernels(n, lanes)};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") != 0) sets.push_back(avx2::minimum_norm_kernels(n, lanes));
#endif
    sets.push_back(minimum_norm_kernels(n, lanes));
    const Batch batch(m, n, lanes);
    std::vector<std::vector<std::uint64_t>> results;
    for (const MinimumNormKernels& kernels : sets) {
      DenseMinimumNorm solver(m, n, full_pattern(m, n), lanes, kernels);
      solver.factorise(batch.values, {});
      std::vector<double> x(n * lanes);
      solver.solve(batch.right, x);
      results.emplace_back();
      for (int lane = 0; lane < lanes; ++lane)
        if (solver.is_regular(lane))
          for (const auto bits : bits_of(of_lane(x, lane, lanes))) results.back().push_back(bits);
    }
    for (const auto& result : results) EXPECT_EQ(result, results.front()) << lanes;
  }
}

// A lane that is not due has the same values again; so factors follow from values alone.
TEST(DenseMinimumNormOf, lanes_that_are_not_due_is_kept) {
  constexpr int lanes = 8;
  const Batch batch(3, 6, lanes);
  const auto solver = make_minimum_norm_solver(3, 6, full_pattern(3, 6), lanes);
  solver->factorise(batch.values);
  std::vector<double> before(6 * lanes), after(6 * lanes), values = batch.values;
  solver->solve(batch.right, before);
  std::vector<char> is_due(lanes, 0);
  is_due[4] = 1;
  for (std::size_t k = 4; k < values.size(); k += lanes) values[k] *= 3.0;
  EXPECT_TRUE(solver->factorise(values, is_due));  // whatever lanes 2 and 5 are
  solver->solve(batch.right, after);
  for (const int lane : {0, 1, 3, 6, 7})
    EXPECT_EQ(bits_of(of_lane(before, lane, lanes)), bits_of(of_lane(after, lane, lanes)));
  EXPECT_NE(before[4], after[4]);
}

// Rows p + q and p - q, p = (1, 1, 0), q = (0, 0, angle), right side 3 +- 2 angle: x = (1.5, 1.5,
// 2). The error in x is that of the rows, which grows with 1/angle only: orthogonality that is lost
// in the factors is made up for in the solve.
TEST(DenseMinimumNormOf, nearly_parallel_rows_loses_the_condition_but_not_its_square) {
  for (const double angle : {1.0, 1e-3, 1e-6, 1e-9, 1e-12}) {
    const auto solver = make_minimum_norm_solver(2, 3, full_pattern(2, 3));
    ASSERT_TRUE(solver->factorise(std::vector{1.0, 1.0, angle, 1.0, 1.0, -angle})) << angle;
    std::vector<double> x(3);
    solver->solve(std::vector{3.0 + 2.0 * angle, 3.0 - 2.0 * angle}, x);
    EXPECT_NEAR(x[0], 1.5, 1e-15) << angle;
    EXPECT_NEAR(x[1], 1.5, 1e-15) << angle;
    EXPECT_NEAR(x[2], 2.0, 1e-15 / angle) << angle;
  }
}

// Hilbert's matrix, condition about 1e13 with 10 rows: what backward stability promises is a small
// residual, relative to |A| |x|.
TEST(DenseMinimumNormOf, badly_conditioned_rows_leaves_residuals_of_rounding) {
  constexpr int m = 10, n = 14;
  std::vector<double> values, b;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) values.push_back(1.0 / (1 + i + j));
  for (int i = 0; i < m; ++i) b.push_back(std::sin(1.0 + i));
  const auto solver = make_minimum_norm_solver(m, n, full_pattern(m, n));
  ASSERT_TRUE(solver->factorise(values));
  std::vector<double> x(n);
  solver->solve(b, x);
  for (int i = 0; i < m; ++i) {
    double residual = -b[i], size = 0.0;
    for (int j = 0; j < n; ++j) {
      residual += values[i * n + j] * x[j];
      size += std::abs(values[i * n + j] * x[j]);
    }
    EXPECT_LT(std::abs(residual), 1e-15 * size) << i;
  }
}

TEST(DenseMinimumNormOf, a_place_given_twice_adds_its_values) {
  for (const int lanes : {1, 4}) {
    DenseMinimumNorm solver(1, 2, {{0, 0}, {0, 1}, {0, 0}}, lanes);
    std::vector<double> values, x(2 * lanes);
    for (const double value : {1.0, 4.0, 2.0}) values.insert(values.end(), lanes, value);
    for (int round = 0; round < 2; ++round) ASSERT_TRUE(solver.factorise(values, {}));
    solver.solve(std::vector<double>(lanes, 25.0), x);  // 3 x + 4 y = 25
    for (int lane = 0; lane < lanes; ++lane) {
      EXPECT_DOUBLE_EQ(x[lane], 3.0);
      EXPECT_DOUBLE_EQ(x[lanes + lane], 4.0);
    }
  }
}

}  // namespace
}  // namespace daedal::linear

#include "linear/linear_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linear/dense_solvers.hpp"

namespace daedal::linear {
namespace {

// A sparse matrix of fixed pattern: a band and a few far entries; regular, not symmetric.
struct Example {
  int size;
  std::vector<Place> places = {};
  std::vector<double> values = {};

  explicit Example(int n) : size(n) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto add = [&](int i, int j, double value) {
      places.push_back({i, j});
      values.push_back(value);
    };
    for (int i = 0; i < n; ++i) {
      add(i, (i + 1) % n, 3.0 + number(random));  // pivots are not on the diagonal
      add(i, i, number(random));
      add(i, (7 * i + 3) % n, number(random));
    }
  }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> b(size, 0.0);
    for (std::size_t k = 0; k < places.size(); ++k)
      b[places[k].row] += values[k] * x[places[k].column];
    return b;
  }
};

class SquareSystems : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(DenseAndSparse, SquareSystems, testing::Values(2, 3, 10, 24, 25, 60, 400));

TEST_P(SquareSystems, are_solved_to_rounding_and_again_with_new_values) {
  Example example(GetParam());
  const auto solver = make_square_solver(example.size, example.places);
  std::vector<double> x(example.size);
  for (int k = 0; k < example.size; ++k) x[k] = std::sin(1.0 + k);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(solver->factorise(example.values));
    std::vector<double> b = example.times(x);
    solver->solve(b);
    for (int k = 0; k < example.size; ++k) EXPECT_NEAR(b[k], x[k], 1e-13);
    for (double& value : example.values) value = -1.7 * value + 0.01;
  }
}

TEST_P(SquareSystems, do_not_depend_on_the_scaling_of_rows) {
  Example example(GetParam());
  for (std::size_t k = 0; k < example.places.size(); ++k)
    example.values[k] *= std::pow(10.0, example.places[k].row % 2 == 0 ? 200 : -200);
  const auto solver = make_square_solver(example.size, example.places);
  ASSERT_TRUE(solver->factorise(example.values));
  const std::vector<double> x(example.size, 1.0);
  std::vector<double> b = example.times(x);
  solver->solve(b);
  for (int k = 0; k < example.size; ++k) EXPECT_NEAR(b[k], 1.0, 1e-12);
}

TEST_P(SquareSystems, tell_a_vanishing_row_and_values_that_are_no_numbers) {
  Example example(GetParam());
  const auto solver = make_square_solver(example.size, example.places);
  std::vector<double> values = example.values;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (example.places[k].row == 1) values[k] = 0.0;
  EXPECT_FALSE(solver->factorise(values));
  values = example.values;
  values[0] = std::nan("");
  EXPECT_FALSE(solver->factorise(values));
  EXPECT_TRUE(solver->factorise(example.values));
}

// Exchanging two rows changes the sign, whatever the pivots.
TEST_P(SquareSystems, have_a_determinant_that_changes_sign_with_two_rows) {
  Example example(GetParam());
  const auto solver = make_square_solver(example.size, example.places);
  ASSERT_TRUE(solver->factorise(example.values));
  const int sign = solver->determinant_sign();
  for (Place& place : example.places)
    if (place.row < 2) place.row = 1 - place.row;
  const auto exchanged = make_square_solver(example.size, example.places);
  ASSERT_TRUE(exchanged->factorise(example.values));
  EXPECT_EQ(exchanged->determinant_sign(), -sign);
}

// A random matrix of any size with a determinant that is known: rows 2^i times those of L U, L with
// unit diagonal, U with the diagonal 2, -2, 2, -2, ...
std::vector<double> matrix_of_known_determinant(int size, std::vector<Place>& places) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> lower(size * size, 0.0), upper(size * size, 0.0), product;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) lower[i * size + j] = number(random) / size;
    for (int j = i + 1; j < size; ++j) upper[i * size + j] = number(random) / size;
    lower[i * size + i] = 1.0;
    upper[i * size + i] = i % 2 == 0 ? 2.0 : -2.0;
  }
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double sum = 0.0;
      for (int k = 0; k < size; ++k) sum += lower[i * size + k] * upper[k * size + j];
      places.push_back({i, j});
      product.push_back(std::ldexp(sum, i));
    }
  return product;
}

TEST(Determinant, is_that_of_the_matrix_as_given_beyond_the_range_of_doubles) {
  for (const int size : {1, 2, 3, 8, 24, 60, 220}) {
    std::vector<Place> places;
    const std::vector<double> values = matrix_of_known_determinant(size, places);
    const auto solver = make_square_solver(size, places);
    ASSERT_TRUE(solver->factorise(values));
    const Determinant found = solver->determinant();
    EXPECT_EQ(found.sign(), size / 2 % 2 == 0 ? 1 : -1) << size;
    EXPECT_EQ(found.sign(), solver->determinant_sign()) << size;
    // |det| = 2^size * 2^(0 + 1 + ... + size-1)
    const Determinant expected{.mantissa = 1.0, .exponent = size + size * (size - 1) / 2};
    EXPECT_NEAR(found.ratio_to(expected), 1.0, 1e-12) << size;
  }
}

TEST(Determinant, of_sparse_and_dense_solvers_and_of_lanes_agree) {
  const Example example(300);  // sparse
  const auto sparse = make_square_solver(example.size, example.places);
  DenseLu dense(example.size, example.places, 1);
  ASSERT_TRUE(sparse->factorise(example.values));
  ASSERT_TRUE(dense.factorise(example.values));
  EXPECT_EQ(sparse->determinant().sign(), dense.determinant(0).sign());
  EXPECT_NEAR(sparse->determinant().ratio_to(dense.determinant(0)), 1.0, 1e-10);

  const std::vector<Place> places = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const auto lanes = make_square_solver(2, places, 5);
  std::vector<double> values;
  for (int place = 0; place < 4; ++place)
    for (int lane = 0; lane < 5; ++lane)
      values.push_back(place == 0 ? lane + 1.0 : place == 3 ? 3.0 : 1.0);
  ASSERT_TRUE(lanes->factorise(values));
  for (int lane = 0; lane < 5; ++lane) {
    const Determinant found = lanes->determinant(lane);  // 3 (lane + 1) - 1
    EXPECT_NEAR(std::ldexp(found.mantissa, static_cast<int>(found.exponent)), 3 * lane + 2, 1e-14);
  }
}

// Dense and sparse, with places given repeatedly: a row with the other sign changes it, and a row
// of zeros leaves no determinant.
TEST(Determinant, sign_follows_that_of_a_row) {
  for (const int size : {1, 2, 3, 24, 25, 60, 300}) {
    Example example(size);
    example.places.push_back(example.places[0]);
    example.values.push_back(0.25 * example.values[0]);
    const auto solver = make_square_solver(example.size, example.places);
    ASSERT_TRUE(solver->factorise(example.values));
    const int sign = solver->determinant_sign();
    const auto multiply_first_row = [&](double factor) {
      for (std::size_t k = 0; k < example.values.size(); ++k)
        if (example.places[k].row == 0) example.values[k] *= factor;
    };
    multiply_first_row(-1.0);
    ASSERT_TRUE(solver->factorise(example.values));
    EXPECT_EQ(solver->determinant_sign(), -sign) << size;
    multiply_first_row(0.0);
    EXPECT_FALSE(solver->factorise(example.values)) << size;
  }
}

TEST(Determinant, ratios_of_far_exponents_are_zero_and_infinite) {
  const Determinant large{.mantissa = 1.0, .exponent = 5000},
      small{.mantissa = -1.0, .exponent = 0};
  EXPECT_EQ(small.ratio_to(large), 0.0);
  EXPECT_TRUE(std::isinf(large.ratio_to(small)));
  EXPECT_EQ(large.inverse().exponent, -5000);
}

TEST(SquareSystem, of_size_2_has_the_sign_and_condition_of_its_closed_form) {
  const auto solver = make_square_solver(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  ASSERT_TRUE(solver->factorise(std::vector{1.0, 1.0, 1.0, 1.0 + 1e-6}));
  EXPECT_EQ(solver->determinant_sign(), 1);
  EXPECT_NEAR(solver->condition() / 4e6, 1.0, 0.01);  // |A| |A^-1| = 2 * 2e6
  ASSERT_TRUE(solver->factorise(std::vector{1.0, 1.0, 1.0, 1.0 - 1e-6}));
  EXPECT_EQ(solver->determinant_sign(), -1);
}

class MinimumNorm : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(DenseAndSparse, MinimumNorm, testing::Values(2, 5, 40, 300));

// x = A^T y is the point of the row space, and hence the shortest solution of A x = b.
TEST_P(MinimumNorm, finds_the_solution_in_the_row_space) {
  const Example square(GetParam());
  const int num_rows = (GetParam() + 1) / 2;
  std::vector<Place> places;
  std::vector<double> values, x(square.size, 0.0), b(num_rows, 0.0), found(square.size);
  for (std::size_t k = 0; k < square.places.size(); ++k) {
    if (square.places[k].row >= num_rows) continue;
    places.push_back(square.places[k]);
    values.push_back(square.values[k]);
    x[places.back().column] += values.back() * std::cos(1.0 + places.back().row);
  }
  for (std::size_t k = 0; k < places.size(); ++k)
    b[places[k].row] += values[k] * x[places[k].column];
  const auto solver = make_minimum_norm_solver(num_rows, square.size, places);
  ASSERT_TRUE(solver->factorise(values));
  solver->solve(b, found);
  for (int k = 0; k < square.size; ++k) EXPECT_NEAR(found[k], x[k], 1e-12);
}

// Sparse ones, too: each lane has pivots of its own.
TEST_P(MinimumNorm, gives_a_lane_the_bits_it_has_alone) {
  constexpr int lanes = 7;
  const Example square(GetParam());
  const int num_rows = (GetParam() + 1) / 2;
  std::vector<Place> places;
  std::vector<double> values, b(num_rows * lanes), x(square.size * lanes);
  for (std::size_t k = 0; k < square.places.size(); ++k) {
    if (square.places[k].row >= num_rows) continue;
    places.push_back(square.places[k]);
    for (int lane = 0; lane < lanes; ++lane)
      values.push_back(square.values[k] * std::cos(lane * (1.0 + square.places[k].column)));
  }
  for (int k = 0; k < num_rows * lanes; ++k) b[k] = std::sin(1.0 + k);
  const auto together = make_minimum_norm_solver(num_rows, square.size, places, lanes);
  ASSERT_TRUE(together->factorise(values));
  together->solve(b, x);
  for (int lane = 0; lane < lanes; ++lane) {
    const auto of_lane = [&](const std::vector<double>& all) {
      std::vector<double> result;
      for (std::size_t k = lane; k < all.size(); k += lanes) result.push_back(all[k]);
      return result;
    };
    const auto alone = make_minimum_norm_solver(num_rows, square.size, places);
    std::vector<double> found(square.size);
    ASSERT_TRUE(alone->factorise(of_lane(values)));
    alone->solve(of_lane(b), found);
    EXPECT_EQ(of_lane(x), found) << lane;
  }
}

// Rows 2 i and 2 i + 1 meet at an angle of about `angle`: for angles below 1e-4 A A^T is too badly
// conditioned, and the augmented system takes over. The row space is (p, q) of each pair of rows
// p + q and p - q, closed form: p has 1 in columns 4 i and 4 i + 1, q angle in 4 i + 2.
TEST(MinimumNormOf, nearly_parallel_rows_keeps_its_accuracy) {
  constexpr int num_pairs = 15;
  for (const double angle : {1.0, 1e-3, 1e-5, 1e-6}) {
    std::vector<Place> places;
    std::vector<double> values, b;
    for (int i = 0; i < num_pairs; ++i)
      for (const double sign : {1.0, -1.0}) {
        const int row = static_cast<int>(b.size());
        for (const auto& [column, value] : {std::pair(4 * i, 1.0), std::pair(4 * i + 1, 1.0),
                                            std::pair(4 * i + 2, sign * angle)}) {
          places.push_back({row, column});
          values.push_back(value);
        }
        b.push_back(3.0 + sign * angle * i);
      }
    // what solves A A^T loses the square, what solves the augmented system does not
    const double condition = angle < 1e-4 ? 1 / angle : 1 / (angle * angle);
    const auto solver = make_minimum_norm_solver(2 * num_pairs, 4 * num_pairs, places);
    ASSERT_TRUE(solver->factorise(values)) << angle;
    std::vector<double> x(4 * num_pairs);
    solver->solve(b, x);
    for (int i = 0; i < num_pairs; ++i) {
      EXPECT_NEAR(x[4 * i], 1.5, 1e-8) << angle;
      EXPECT_NEAR(x[4 * i + 1], 1.5, 1e-8) << angle;
      EXPECT_NEAR(x[4 * i + 2], i, 1e-14 * condition) << angle;
      EXPECT_EQ(x[4 * i + 3], 0.0) << angle;
    }
  }
}

TEST(MinimumNormOf, two_equal_rows_is_refused) {
  const auto solver = make_minimum_norm_solver(2, 3, {{0, 0}, {0, 2}, {1, 0}, {1, 2}});
  EXPECT_FALSE(solver->factorise(std::vector{1.0, 2.0, 1.0, 2.0}));
}

}  // namespace
}  // namespace daedal::linear

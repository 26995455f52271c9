// Index, projectors and degrees of freedom of linear DAEs whose Kronecker form is known.
#include "reduce/array/projectors.hpp"

#include <gtest/gtest.h>

#include <random>

namespace daedal::reduce {
namespace {

Matrix random_regular(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix M = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = uniform(random) + (i == j ? 3.0 : 0.0);
  return M;
}

// E x' + F x = 0 with E = S diag(I, N) T, F = S diag(-W, I) T: W of size `differential`, N one
// Jordan block of this size, so that N^index = 0 and no lower power is.
struct Pencil {
  int n = 0, differential = 0, index = 0;
  Matrix E, F;
};

Pencil random_pencil(int differential, int index, std::mt19937& random) {
  const int n = differential + index;
  Matrix left = Matrix::Identity(n, n), right = Matrix::Identity(n, n);
  left.bottomRightCorner(index, index).setZero();
  for (int k = 0; k + 1 < index; ++k) left(differential + k, differential + k + 1) = 1.0;
  right.topLeftCorner(differential, differential) = -random_regular(differential, random);
  const Matrix S = random_regular(n, random), T = random_regular(n, random);
  return {n, differential, index, S * left * T, S * right * T};
}

// Rows (f)_m = (m + 1) E z_{m+1} + F z_m, m = 0..k-1, scaled to norm 1.
ArrayMatrices array_of(const Pencil& pencil, int k) {
  const int n = pencil.n;
  Matrix all = Matrix::Zero(n * k, n * (k + 1));
  for (int m = 0; m < k; ++m) {
    all.block(m * n, m * n, n, n) = pencil.F;
    all.block(m * n, (m + 1) * n, n, n) = (m + 1) * pencil.E;
  }
  for (int row = 0; row < all.rows(); ++row) all.row(row) /= all.row(row).norm();
  return {all.block(0, n, n, n), all.leftCols(n), all.rightCols(n * k), Matrix(0, n)};
}

int index_of(const Pencil& pencil) {
  for (int k = 1; k <= 8; ++k)
    if (projectors_of(array_of(pencil, k)).is_one_full) return k;
  return -1;
}

constexpr int num_cases = 50;

TEST(Projectors, find_index_and_freedoms_of_50_random_kronecker_forms) {
  std::mt19937 random(7);
  for (int sample = 0; sample < num_cases; ++sample) {
    const Pencil pencil = random_pencil(sample % 4, 1 + sample / 4 % 4, random);
    ASSERT_EQ(index_of(pencil), pencil.index) << sample;
    const Projectors p = projectors_of(array_of(pencil, pencil.index));
    EXPECT_EQ(p.rank_Pi, pencil.differential) << sample;
    EXPECT_EQ(p.rank_P, pencil.n - 1) << sample;  // one Jordan block
    EXPECT_EQ(p.rank_Q, 1) << sample;
    EXPECT_TRUE(p.has_full_row_rank) << sample;
  }
}

TEST(Projectors, are_projectors_and_Pi_lies_in_P) {
  std::mt19937 random(11);
  for (int sample = 0; sample < num_cases; ++sample) {
    const Pencil pencil = random_pencil(sample % 4, 1 + sample / 4 % 4, random);
    const Projectors p = projectors_of(array_of(pencil, pencil.index));
    for (const Matrix* M : {&p.P, &p.Q, &p.Pi, &p.Pi_u}) {
      EXPECT_LE((*M * *M - *M).cwiseAbs().maxCoeff(), 1e-12) << sample;
      EXPECT_LE((M->transpose() - *M).cwiseAbs().maxCoeff(), 1e-12) << sample;
    }
    EXPECT_LE((p.P + p.Q - Matrix::Identity(pencil.n, pencil.n)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE((p.P * p.Pi - p.Pi).cwiseAbs().maxCoeff(), 1e-12) << sample;
    EXPECT_LE((pencil.E * p.Q).cwiseAbs().maxCoeff(), 1e-10) << sample;
    EXPECT_NEAR(p.Pi.trace(), pencil.differential, 1e-12) << sample;  // trace = rank
    EXPECT_NEAR(p.P.trace(), pencil.n - 1, 1e-12) << sample;
  }
}

// x' = 0, y = 0: x may be prescribed, once; y may not.
TEST(Projectors, tell_which_conditions_are_admissible) {
  Pencil pencil{
      .n = 2, .differential = 1, .index = 1, .E = Matrix::Zero(2, 2), .F = Matrix::Zero(2, 2)};
  pencil.E(0, 0) = 1;
  pencil.F(1, 1) = 1;
  ArrayMatrices array = array_of(pencil, 1);
  array.U = Matrix::Zero(1, 2);
  array.U(0, 0) = 1;
  Projectors p = projectors_of(array);
  EXPECT_TRUE(p.is_admissible);
  EXPECT_EQ(p.rank_Pi, 1);
  EXPECT_EQ(p.rank_Pi_u, 0);
  array.U(0, 0) = 0;
  array.U(0, 1) = 1;
  p = projectors_of(array);
  EXPECT_FALSE(p.is_admissible);
  EXPECT_EQ(p.rank_Pi_u, 1);
}

// Each array beyond the index determines one coefficient more.
TEST(Projectors, count_the_coefficients_that_are_determined) {
  std::mt19937 random(3);
  for (int index = 1; index <= 3; ++index) {
    const Pencil pencil = random_pencil(2, index, random);
    for (int more = 0; more <= 3; ++more) {
      const ArrayMatrices array = array_of(pencil, index + more);
      EXPECT_EQ(num_determined(array, projectors_of(array).P), 1 + more) << index << " " << more;
    }
  }
}

}  // namespace
}  // namespace daedal::reduce

#include "linear/dense_decompositions.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace daedal::linear {
namespace {

using Eigen::MatrixXd;

MatrixXd random_matrix(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// Orthogonal, times 0s and 1s, times orthogonal, as products of projectors are.
MatrixXd clustered_matrix(std::mt19937& random, int size, int rank) {
  const MatrixXd left = random_matrix(random, size, size).householderQr().householderQ();
  const MatrixXd right = random_matrix(random, size, size).householderQr().householderQ();
  return left.leftCols(rank) * right.topRows(rank);
}

TEST(SingularValues, and_vectors_make_up_the_matrix_however_many_values_are_equal) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int size = 2 + trial % 60, rank = 1 + trial % size;
    const MatrixXd A = clustered_matrix(random, size, rank);
    const SingularValues svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    ASSERT_LE((svd.U() * svd.values().asDiagonal() * svd.V().transpose() - A).norm(), 1e-13 * size)
        << size << " " << rank;
    ASSERT_LE((svd.V().transpose() * svd.V() - MatrixXd::Identity(size, size)).norm(),
              1e-13 * size);
    EXPECT_NEAR(svd.values()[rank - 1], 1.0, 1e-13);
    if (rank < size) {
      EXPECT_LE(svd.values()[rank], 1e-13);
    }
  }
}

TEST(SingularValues, are_not_finite_only_where_the_matrix_is_not) {
  MatrixXd A = MatrixXd::Identity(3, 3);
  EXPECT_TRUE(SingularValues(A).values().allFinite());
  A(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(SingularValues(A).values().allFinite());
}

}  // namespace
}  // namespace daedal::linear

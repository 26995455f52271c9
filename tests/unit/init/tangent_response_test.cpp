#include "init/tangent_response.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace daedal::init {
namespace {

RowMatrix sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

Eigen::MatrixXd random_matrix(int num_rows, int num_columns, std::uint64_t seed) {
  Eigen::MatrixXd result(num_rows, num_columns);
  for (Eigen::Index k = 0; k < result.size(); ++k)
    result.data()[k] = random_fraction(seed * 1000003U + static_cast<std::uint64_t>(k));
  return result;
}

// r(u) from an explicit basis of the kernel.
Vector responses(const Vector& H, const Eigen::MatrixXd& G, const Eigen::MatrixXd& U) {
  const Eigen::MatrixXd Z = Eigen::FullPivLU<Eigen::MatrixXd>(G).kernel();
  const Eigen::MatrixXd inverse = (Z.transpose() * H.asDiagonal() * Z).inverse();
  return (U * Z * inverse * Z.transpose() * U.transpose()).diagonal();
}

TEST(TangentResponse, agrees_with_an_explicit_basis_of_the_tangent_space) {
  const Vector H = random_matrix(9, 1, 1).cwiseAbs().array() + 0.1;
  const Eigen::MatrixXd G = random_matrix(4, 9, 2), U = random_matrix(6, 9, 3);
  const TangentResponse response(H, sparse(G));
  ASSERT_TRUE(response.is_usable());
  const Vector expected = responses(H, G, U);
  for (int a = 0; a < 6; ++a)
    EXPECT_NEAR(response.of(U.row(a).transpose()), expected[a], 1e-12 * expected[a]);
}

// Enough rows for random probes; of responses from 1e-8 to 1e8 of the threshold none is misjudged.
TEST(TangentResponse, compares_many_rows_with_a_threshold_as_one_by_one) {
  constexpr int num_rows = 500;
  const Vector H = Vector::Ones(40);
  const Eigen::MatrixXd G = random_matrix(15, 40, 4);
  Eigen::MatrixXd U = random_matrix(num_rows, 40, 5);
  for (int a = 0; a < num_rows; ++a) U.row(a) *= std::pow(10.0, 8.0 * a / num_rows - 4.0);
  const Vector expected = responses(H, G, U);
  const std::vector<bool> result = TangentResponse(H, sparse(G)).exceeds(sparse(U), 10.0);
  int num_near = 0;  // which are decided to a factor of 2 only, since they are many
  for (int a = 0; a < num_rows; ++a)
    if (expected[a] > 5.0 && expected[a] < 20.0)
      ++num_near;
    else
      EXPECT_EQ(result[a], expected[a] > 10.0) << expected[a];
  EXPECT_LT(num_near, 40);
}

TEST(TangentResponse, is_zero_across_the_tangent_space) {
  const Eigen::MatrixXd G = random_matrix(100, 150, 6);
  const TangentResponse response(Vector::Ones(150), sparse(G));
  for (const bool moves : response.exceeds(sparse(G), 1e-12)) EXPECT_FALSE(moves);
}

}  // namespace
}  // namespace daedal::init

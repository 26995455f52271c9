#include "init/kkt_system.hpp"

#include <gtest/gtest.h>

namespace daedal::init {
namespace {

RowMatrix matrix(int num_rows, int num_columns, const std::vector<Triplet>& entries) {
  RowMatrix result(num_rows, num_columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

TEST(KktSystem, finds_the_shortest_step_onto_a_plane) {
  // min p1^2 + 4 p2^2 subject to 0.6 p1 + 0.8 p2 = 1: p = q H^-1 G^T.
  KktSystem kkt;
  ASSERT_TRUE(
      kkt.factorise(diagonal(Vector{{1.0, 4.0}}), matrix(1, 2, {{0, 0, 0.6}, {0, 1, 0.8}})));
  const Vector p = kkt.solve(Vector::Zero(2), Vector::Ones(1)).p;
  EXPECT_NEAR(p[0], 0.6 / 0.52, 1e-15);
  EXPECT_NEAR(p[1], 0.2 / 0.52, 1e-15);
}

TEST(KktSystem, repeated_rows_that_agree_do_no_harm) {
  KktSystem kkt;
  const RowMatrix twice = matrix(2, 2, {{0, 0, 0.6}, {0, 1, 0.8}, {1, 0, 0.6}, {1, 1, 0.8}});
  ASSERT_TRUE(kkt.factorise(diagonal(Vector::Ones(2)), twice));
  const Vector p = kkt.solve(Vector::Zero(2), Vector::Ones(2)).p;
  EXPECT_NEAR(p[0], 0.6, 1e-14);
  EXPECT_NEAR(p[1], 0.8, 1e-14);
}

TEST(KktSystem, of_no_rows_gives_the_minimum_of_the_quadratic) {
  KktSystem kkt;
  ASSERT_TRUE(kkt.factorise(diagonal(Vector{{2.0, 4.0}}), RowMatrix(0, 2)));
  EXPECT_EQ(kkt.solve(Vector{{1.0, 1.0}}, Vector(0)).p[1], 0.25);
}

TEST(KktSystem, solves_a_square_triangular_system_to_the_digits_of_each_unknown) {
  // p1 = 1e-30, p2 = 1e30 p1: errors relative to the largest unknown would spoil p2.
  KktSystem kkt;
  const RowMatrix triangle = matrix(2, 2, {{0, 0, 1.0}, {1, 0, -1e30}, {1, 1, 1.0}});
  ASSERT_TRUE(kkt.factorise_square(triangle, {0, 1}, {0, 1}));
  const Vector p = kkt.solve_square(Vector{{1e-30, 0.0}});
  EXPECT_DOUBLE_EQ(p[0], 1e-30);
  EXPECT_NEAR(p[1], 1.0, 1e-15);
}

}  // namespace
}  // namespace daedal::init

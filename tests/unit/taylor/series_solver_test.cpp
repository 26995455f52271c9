#include "taylor/series_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taylor/operation_count.hpp"
#include "unit/taylor/stages.hpp"

namespace daedal::taylor {
namespace {

using expr::Op;

TEST(SeriesSolver, gives_the_exponential_series_of_an_explicit_ode_without_factorising) {
  Stages s;
  const NodeId x = s.x("x");
  s.residuals = {s.graph->subtract(s.der(x), x)};
  s.prepare(20);
  s.series->coefficient(0, 0) = 1.0;
  ASSERT_TRUE(s.solve().ok());
  for (int k = 0; k <= 21; ++k)
    EXPECT_NEAR(s.series->coefficient(0, k) * factorial(k), 1.0, 1e-14) << k;
  EXPECT_EQ(s.series->counters().factorisations, 0);
}

TEST(SeriesSolver, factorises_a_block_once_for_all_stages) {
  Stages s = pendulum(30);
  s.series->coefficient(0, 0) = 0.6;
  s.series->coefficient(1, 0) = 0.8;
  ASSERT_TRUE(s.solve().ok());
  EXPECT_EQ(s.series->counters().factorisations, 1);
}

TEST(SeriesSolver, keeps_the_factors_of_a_constant_jacobian) {
  Stages s;  // 2 x' + y' = x, x' + 3 y' = y
  const NodeId x = s.x("x"), y = s.x("y");
  s.residuals = {s.graph->subtract(s.sum(s.graph->scale(2.0, s.der(x)), s.der(y)), x),
                 s.graph->subtract(s.sum(s.der(x), s.graph->scale(3.0, s.der(y))), y)};
  s.prepare(5);
  for (int point = 0; point < 4; ++point) {
    s.series->coefficient(0, 0) = 1.0 + point;
    ASSERT_TRUE(s.solve().ok());
  }
  EXPECT_EQ(s.series->counters().factorisations, 1);
}

// [1 0 x; 0 1 y; x y 0] at rest: lam = y, so x'' = -x y, y'' = 1 - y^2.
TEST(SeriesSolver, solves_the_pendulum_at_rest_in_closed_form) {
  Stages s = pendulum(4);
  s.series->coefficient(0, 0) = 0.6;
  s.series->coefficient(1, 0) = 0.8;
  ASSERT_TRUE(s.solve().ok());
  EXPECT_NEAR(s.series->coefficient(2, 0), 0.8, 1e-15);
  EXPECT_NEAR(2 * s.series->coefficient(0, 2), -0.48, 1e-15);
  EXPECT_NEAR(2 * s.series->coefficient(1, 2), 1 - 0.64, 1e-15);
  EXPECT_EQ(s.series->coefficient(0, 1), 0.0);  // even: at rest
  EXPECT_NEAR(s.series->coefficient(0, 3), 0.0, 1e-16);
}

TEST(SeriesSolver, projects_given_values_onto_constraint_and_hidden_constraint) {
  Stages s = pendulum(4);
  s.series->coefficient(0, 0) = 0.5;
  s.series->coefficient(1, 0) = 0.5;
  s.series->coefficient(0, 1) = 1.0;
  ASSERT_TRUE(s.solve().ok());
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(s.series->coefficient(0, 0), half, 1e-15);
  EXPECT_NEAR(s.series->coefficient(1, 0), half, 1e-15);
  // (1, 0) less its part along (1, 1)
  EXPECT_NEAR(s.series->coefficient(0, 1), 0.5, 1e-15);
  EXPECT_NEAR(s.series->coefficient(1, 1), -0.5, 1e-15);
  EXPECT_LT(s.series->constraint_residual(), 1e-15);
}

TEST(SeriesSolver, projects_by_weight) {
  Stages s = pendulum(2);
  s.weights = {1e-6, 1.0, 1.0};  // x must hardly move
  s.series->coefficient(0, 0) = 0.5;
  s.series->coefficient(1, 0) = 0.5;
  ASSERT_TRUE(s.solve().ok());
  EXPECT_NEAR(s.series->coefficient(0, 0), 0.5, 1e-10);
  EXPECT_NEAR(s.series->coefficient(1, 0), std::sqrt(0.75), 1e-10);
}

// Scaling the time axis by h multiplies coefficient k by h^k: exactly, for powers of two.
TEST(SeriesSolver, scales_coefficients_exactly) {
  Stages one = pendulum(12), scaled = pendulum(12);
  const double h = 0x1p-9;
  scaled.series->set_origin(0.0, h);
  for (Stages* s : {&one, &scaled}) {
    s->series->coefficient(0, 0) = 0.6;
    s->series->coefficient(1, 0) = 0.8;
  }
  one.series->coefficient(0, 1) = 0.8;
  one.series->coefficient(1, 1) = -0.6;
  scaled.series->coefficient(0, 1) = 0.8 * h;
  scaled.series->coefficient(1, 1) = -0.6 * h;
  ASSERT_TRUE(one.solve().ok());
  ASSERT_TRUE(scaled.solve().ok());
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k <= one.series->degree(j); ++k)
      EXPECT_NEAR(std::ldexp(scaled.series->coefficient(j, k), 9 * k),
                  one.series->coefficient(j, k),
                  1e-13 * (1 + std::abs(one.series->coefficient(j, k))))
          << j << " " << k;
}

// x'^2 = x with x(0) = 1: x = (1 + t/2)^2 or (1 - t/2)^2, as the guess says.
TEST(SeriesSolver, takes_the_branch_of_a_nonlinear_block_that_the_guess_selects) {
  for (const double sign : {1.0, -1.0}) {
    Stages s;
    const NodeId x = s.x("x");
    s.residuals = {s.graph->subtract(s.product(s.der(x), s.der(x)), x)};
    s.prepare(6);
    s.series->coefficient(0, 0) = 1.0;
    s.series->coefficient(0, 1) = 0.9 * sign;
    ASSERT_TRUE(s.solve().ok());
    EXPECT_NEAR(s.series->coefficient(0, 1), sign, 1e-15);
    EXPECT_NEAR(s.series->coefficient(0, 2), 0.25, 1e-15);
    for (int k = 3; k <= 7; ++k) EXPECT_NEAR(s.series->coefficient(0, k), 0.0, 1e-15);
    EXPECT_GT(s.series->counters().newton_iterations, 0);
  }
}

TEST(SeriesSolver, tells_a_singular_block) {
  Stages s = pendulum(4);  // all of it vanishes at the pivot
  EXPECT_EQ(s.solve().failure, StageFailure::singular);
}

TEST(SeriesSolver, tells_an_operation_outside_its_domain) {
  Stages s;
  const NodeId x = s.x("x");
  const NodeId root = s.graph->power(x, 0.5);
  s.residuals = {s.graph->subtract(s.der(x), root)};
  s.prepare(4);
  s.series->coefficient(0, 0) = -1.0;
  const StageReport report = s.solve();
  EXPECT_EQ(report.failure, StageFailure::not_finite);
  EXPECT_EQ(s.series->undefined_operation(report.stage), root);
}

TEST(SeriesSolver, tells_newton_without_solution) {
  Stages s;  // x'^2 + 1 = 0
  const NodeId x = s.x("x");
  s.residuals = {s.sum(s.product(s.der(x), s.der(x)), s.number(1.0))};
  s.prepare(4);
  s.series->coefficient(0, 1) = 0.7;
  EXPECT_FALSE(s.solve().ok());
}

TEST(SeriesSolver, counts_convolutions_apart_from_sums) {
  const Stages s = pendulum(4);
  const OperationCount count = count_operations(s.series->schedule());
  EXPECT_EQ(count.convolution, 2 * 1.0 + 2 * 0.5);  // two products, two squares
  EXPECT_GT(count.stage, 0.0);
}

// A chain of index n: block k runs ahead of block k+1. All are divisions.
TEST(SeriesSolver, runs_blocks_ahead_of_those_that_need_their_derivatives) {
  Stages s;  // x1 = sin t, x2 = x1', x3 = x2'
  const NodeId x1 = s.x("x1"), x2 = s.x("x2"), x3 = s.x("x3");
  s.residuals = {s.graph->subtract(x3, s.der(x2)),
                 s.graph->subtract(x1, s.graph->unary(Op::sin, s.graph->time())),
                 s.graph->subtract(x2, s.der(x1))};
  s.prepare(8);
  s.series->set_origin(0.5, 1.0);
  ASSERT_TRUE(s.solve().ok());
  EXPECT_NEAR(s.series->coefficient(0, 0), std::sin(0.5), 1e-15);
  EXPECT_NEAR(s.series->coefficient(1, 0), std::cos(0.5), 1e-15);
  EXPECT_NEAR(s.series->coefficient(2, 0), -std::sin(0.5), 1e-15);
  EXPECT_NEAR(s.series->coefficient(2, 1), -std::cos(0.5), 1e-15);
  EXPECT_EQ(s.series->counters().factorisations, 0);
}

}  // namespace
}  // namespace daedal::taylor

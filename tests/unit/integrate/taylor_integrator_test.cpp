#include "integrate/taylor/taylor_integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/integrate/allocations.hpp"
#include "unit/taylor/stages.hpp"

namespace daedal::integrate {
namespace {

using taylor::NodeId;
using taylor::Stages;

using Derivatives = std::vector<std::vector<double>>;

TaylorIntegrator integrator_of(Stages& stages, double tolerance, double max_step = 1e300) {
  return {std::move(*stages.series),
          std::vector<double>(stages.residuals.size(), 1.0),
          {.tolerance = tolerance, .max_step = max_step}};
}

const Derivatives pendulum_start = {{0.6, 0.8}, {0.8, -0.6}, {}};

TEST(TaylorIntegrator, allocates_nothing_after_the_first_step) {
  Stages stages = taylor::pendulum(17);
  TaylorIntegrator integrator = integrator_of(stages, 1e-12);
  ASSERT_TRUE(integrator.begin(0.0, 100.0, pendulum_start));
  ASSERT_TRUE(integrator.advance());
  const long before = test::num_allocations();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(integrator.advance());
  EXPECT_EQ(test::num_allocations(), before);
}

// x'' = 8 x exp(-4 x^2): a wall at 0 that turns a body of unit speed.
TEST(TaylorIntegrator, follows_features_inside_a_step_and_allocates_nothing_for_it) {
  Stages stages;
  const NodeId x = stages.x("x");
  const NodeId hill =
      stages.graph->unary(expr::Op::exp, stages.graph->scale(-4.0, stages.graph->power(x, 2.0)));
  stages.residuals = {
      stages.graph->subtract(stages.der(x, 2), stages.graph->scale(8.0, stages.product(x, hill)))};
  stages.prepare(17);
  TaylorIntegrator integrator = integrator_of(stages, 1e-9);
  ASSERT_TRUE(integrator.begin(0.0, 100.0, {{-10.0, 1.0}}));
  ASSERT_TRUE(integrator.advance());
  EXPECT_LT(integrator.run().t(), 9.5) << "not through the wall";
  const long before = test::num_allocations();
  while (!integrator.run().is_done()) ASSERT_TRUE(integrator.advance());
  EXPECT_EQ(test::num_allocations(), before);
  EXPECT_NEAR(integrator.run().derivative(0, 1), -1.0, 1e-7);
}

TEST(TaylorIntegrator, ends_exactly_where_asked_and_every_step_begins_where_the_last_ended) {
  Stages stages = taylor::pendulum(17);
  TaylorIntegrator integrator = integrator_of(stages, 1e-12);
  ASSERT_TRUE(integrator.begin(0.1, 7.3, pendulum_start));
  double t = 0.1;
  while (!integrator.run().is_done()) {
    ASSERT_TRUE(integrator.advance());
    EXPECT_EQ(integrator.run().accepted().begin, t);
    t = integrator.run().accepted().end;
    EXPECT_EQ(integrator.run().t(), t);
  }
  EXPECT_EQ(t, 7.3);
}

TEST(TaylorIntegrator, makes_no_step_longer_than_allowed) {
  Stages stages = taylor::pendulum(17);
  TaylorIntegrator integrator = integrator_of(stages, 1e-6, 0.0625);
  ASSERT_TRUE(integrator.begin(0.0, 1.0, pendulum_start));
  int num_steps = 0;
  for (; !integrator.run().is_done(); ++num_steps) {
    ASSERT_TRUE(integrator.advance());
    EXPECT_LE(integrator.run().accepted().end - integrator.run().accepted().begin, 0.0625);
  }
  EXPECT_EQ(num_steps, 16);
}

// x' = y, y' = -x: the circle, with t measured in units of 1e-6 and of 1e6.
TEST(TaylorIntegrator, does_not_depend_on_the_unit_of_time) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    Stages stages;
    const NodeId x = stages.x("x"), y = stages.x("y");
    stages.residuals = {stages.graph->subtract(stages.der(x), stages.graph->scale(1 / unit, y)),
                        stages.sum(stages.der(y), stages.graph->scale(1 / unit, x))};
    stages.prepare(20);
    TaylorIntegrator integrator = integrator_of(stages, 1e-13);
    ASSERT_TRUE(integrator.begin(0.0, 10 * unit, {{0.0}, {1.0}}));
    while (!integrator.run().is_done()) ASSERT_TRUE(integrator.advance());
    EXPECT_NEAR(integrator.run().derivative(0, 0), std::sin(10.0), 1e-13) << unit;
    EXPECT_NEAR(integrator.run().derivative(1, 0), std::cos(10.0), 1e-13) << unit;
  }
}

// x' = -3, then -1 from t = 1/3 on, where x = 0. The step ends where x is beyond zero by more than
// the rounding of its eleven terms, eps 11 (1 + 3*2), and 2/3 of that is what x is off by.
TEST(TaylorIntegrator, ends_a_step_where_a_branch_switches) {
  const double allowed = 2.0 / 3.0 * 11 * 7 * std::numeric_limits<double>::epsilon() + 2e-15;
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    Stages stages;
    const NodeId x = stages.x("x");
    const NodeId rate =
        stages.graph->add(stages.graph->unary(expr::Op::sign, x), stages.number(2.0));
    stages.residuals = {stages.sum(stages.der(x), rate)};
    stages.prepare(10);
    TaylorIntegrator integrator = integrator_of(stages, tolerance);
    ASSERT_TRUE(integrator.begin(0.0, 2.0, {{1.0}}));
    while (!integrator.run().is_done()) ASSERT_TRUE(integrator.advance());
    EXPECT_NEAR(integrator.run().derivative(0, 0), -5.0 / 3.0, allowed);
    EXPECT_EQ(integrator.run().num_rejected(), 0);
  }
}

// x' = 0.3 - sign(x): driven back to zero from both sides.
TEST(TaylorIntegrator, stops_where_branches_switch_back_and_forth) {
  Stages stages;
  const NodeId x = stages.x("x");
  const NodeId sign = stages.graph->unary(expr::Op::sign, x);
  stages.residuals = {stages.graph->subtract(stages.sum(stages.der(x), sign), stages.number(0.3))};
  stages.prepare(10);
  TaylorIntegrator integrator = integrator_of(stages, 1e-9);
  ASSERT_TRUE(integrator.begin(0.0, 2.0, {{0.7}}));
  while (!integrator.run().is_done() && integrator.advance()) {
  }
  EXPECT_NEAR(integrator.run().t(), 1.0, 1e-6);
  EXPECT_EQ(integrator.run().chattering(), sign);
}

// x^2 = 1 - t has no solution after t = 1.
TEST(TaylorIntegrator, stops_with_the_state_kept_where_a_branch_ends) {
  Stages stages;
  const NodeId x = stages.x("x");
  stages.residuals = {stages.graph->subtract(stages.sum(stages.product(x, x), stages.graph->time()),
                                             stages.number(1.0))};
  stages.prepare(10);
  TaylorIntegrator integrator = integrator_of(stages, 1e-9);
  ASSERT_TRUE(integrator.begin(0.0, 2.0, {{1.0}}));
  while (!integrator.run().is_done() && integrator.advance()) {
  }
  EXPECT_FALSE(integrator.run().is_done());
  EXPECT_NEAR(integrator.run().t(), 1.0, 1e-6);
  EXPECT_NEAR(integrator.run().derivative(0, 0), std::sqrt(1 - integrator.run().t()), 1e-6);
}

}  // namespace
}  // namespace daedal::integrate

#include "init/impulse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "daedal/model.hpp"
#include "plan/plan.hpp"
#include "start/consistent_start.hpp"

namespace daedal::init {
namespace {

std::optional<Impulse> impulse_of(const Model& model,
                                  const std::vector<std::vector<double>>& values) {
  plan::Plan plan = plan::make_plan(model.data());
  return ImpulseSearch(start::search_input(plan, 0.0)).find(0.0, plan.parameters, values);
}

// Two bodies of mass 2 and 3 that stick together keep their momentum.
TEST(Impulse, of_bodies_that_stick_together_keeps_the_momentum) {
  Model m("Catch");
  const Expression x = m.variable("x"), y = m.variable("y"), f = m.variable("f");
  m.equation(2.0 * der(x, 2) == f);
  m.equation(3.0 * der(y, 2) == -f);
  m.equation(x == y);
  const auto impulse = impulse_of(m, {{1.0, 4.0}, {1.0, -1.0}, {0.0}});
  ASSERT_TRUE(impulse);
  const double common = (2.0 * 4.0 + 3.0 * -1.0) / 5.0;
  EXPECT_NEAR(4.0 + impulse->delta[0], common, 1e-14);
  EXPECT_NEAR(-1.0 + impulse->delta[1], common, 1e-14);
  EXPECT_NEAR(impulse->delta[2], 2.0 * (common - 4.0), 1e-14);  // of the force
}

// Capacitors of 1 and 4 units that are connected keep their charge.
TEST(Impulse, of_capacitors_that_are_connected_keeps_the_charge) {
  Model m("Connect");
  const Expression u = m.variable("u"), v = m.variable("v"), i = m.variable("i");
  m.equation(der(u) == -i);
  m.equation(4.0 * der(v) == i);
  m.equation(u == v);
  const auto impulse = impulse_of(m, {{10.0}, {0.0}, {0.0}});
  ASSERT_TRUE(impulse);
  EXPECT_NEAR(10.0 + impulse->delta[0], 2.0, 1e-14);
  EXPECT_NEAR(impulse->delta[1], 2.0, 1e-14);
}

// Capacitors whose charge is a cubic of the voltage: Newton.
TEST(Impulse, meets_constraints_that_are_not_linear) {
  Model m("Connect");
  const Expression p = m.variable("p"), q = m.variable("q"), i = m.variable("i");
  m.equation(der(p) == -i);
  m.equation(der(q) == i);
  m.equation(pow(p, 3.0) == 8.0 * pow(q, 3.0));
  const auto impulse = impulse_of(m, {{3.0}, {0.3}, {0.0}});
  ASSERT_TRUE(impulse);
  EXPECT_NEAR(3.0 + impulse->delta[0], 2.2, 1e-12);
  EXPECT_NEAR(0.3 + impulse->delta[1], 1.1, 1e-12);
}

// A string that becomes taut takes away the radial velocity, whatever the mass.
TEST(Impulse, of_a_string_takes_the_radial_velocity) {
  Model m("String");
  const Expression x = m.variable("x"), y = m.variable("y"), f = m.variable("f");
  m.equation(7.0 * der(x, 2) == -x * f);
  m.equation(7.0 * der(y, 2) == -y * f - 9.81);
  m.equation(x * x + y * y == 25.0);
  const auto impulse = impulse_of(m, {{3.0, 2.0}, {4.0, 1.0}, {0.0}});
  ASSERT_TRUE(impulse);
  const double radial = (3.0 * 2.0 + 4.0 * 1.0) / 5.0;
  EXPECT_NEAR(impulse->delta[0], -radial * 0.6, 1e-14);
  EXPECT_NEAR(impulse->delta[1], -radial * 0.8, 1e-14);
}

TEST(Impulse, is_none_if_constraints_hold) {
  Model m("Nothing");
  const Expression x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == y);
  m.equation(y == 3.0 * x);
  const auto impulse = impulse_of(m, {{1.0}, {3.0}});
  ASSERT_TRUE(impulse);
  EXPECT_EQ(impulse->delta[0], 0.0);
}

// Squares of highest derivatives have no balance of impulses.
TEST(Impulse, is_not_defined_where_highest_derivatives_are_not_linear) {
  Model m("Nonlinear");
  const Expression x = m.variable("x"), y = m.variable("y"), f = m.variable("f");
  m.equation(sqr(der(x)) == f + 1.0);
  m.equation(der(y) == -f);
  m.equation(x == y);
  EXPECT_FALSE(impulse_of(m, {{1.0, 1.0}, {0.0, 0.0}, {0.0}}));
}

}  // namespace
}  // namespace daedal::init

// The methods array and completion, and how auto comes to them. Answers in closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/daedal.hpp"
#include "unit/solve/final_value.hpp"

namespace daedal {
namespace {

using test::final_value;

double start_value(const ConsistentPoint& p, const std::string& name) {
  for (std::size_t j = 0; j < p.variables.size(); ++j)
    if (p.variables[j] == name) return p.values[j][0];
  ADD_FAILURE() << "no variable " << name;
  return 0.0;
}

// The angle is written with x and y: x = sin a, y = -cos a, from rest at 45 degrees.
Model pendulum() {
  Model m("Pendulum");
  const double s = std::sqrt(0.5);
  const auto x = m.variable("x", {.start = {s, 0}}), y = m.variable("y", {.start = {-s, 0}}),
             lambda = m.variable("lambda");
  m.equation(der(x, 2) == -lambda * x);
  m.equation(der(y, 2) == -lambda * y - 1);
  m.equation(sqr(x) + sqr(y) == 1);
  return m;
}

TEST(ArrayMethods, take_an_explicit_equation_as_index_0) {
  Model m("Decay");
  const auto x = m.variable("x", {.start = {2}});
  m.equation(der(x) == -x);
  const ArrayAnalysis a = analyze_array(m);
  EXPECT_EQ(a.index, 0);
  EXPECT_EQ(a.dof, 1);
  EXPECT_NEAR(final_value(solve(m, {.to = 1.0, .tolerance = 1e-10, .method = "array"}), "x"),
              2 * std::exp(-1.0), 1e-9);
}

TEST(ArrayMethods, see_slopes_where_the_last_coefficients_vanish) {
  Model m("Lacunary");
  const auto x = m.variable("x", {.start = {1}}), y = m.variable("y");
  m.equation(der(x) == 4 * pow(m.time(), 3) * y);
  m.equation(y == x);
  const Solution s = solve(m, {.to = 1.0, .tolerance = 2e-8, .method = "array"});
  ASSERT_TRUE(s.ok());
  EXPECT_NEAR(final_value(s, "x"), std::exp(1.0), 1e-6);
}

TEST(ArrayMethods, run_backwards) {
  const Model m = pendulum();
  const Solution there = solve(m, {.to = 1.0, .tolerance = 1e-11, .method = "array"});
  ASSERT_TRUE(there.ok());
  const Solution s = solve(m, {.from = 1.0, .to = 0.0, .tolerance = 1e-11, .method = "array"});
  const Solution t = solve(m, {.from = 1.0, .to = 0.0, .tolerance = 1e-11, .method = "taylor"});
  ASSERT_TRUE(s.ok());
  EXPECT_NEAR(final_value(s, "x"), final_value(t, "x"), 1e-9);
}

TEST(ArrayMethods, accept_a_condition_on_a_derivative) {
  Model m("Slope");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -y);
  m.equation(y == 2 * x);
  m.initial_equation(der(y) == 3);  // y' = -4 x
  const ConsistentPoint p = initialize(m, {.method = "array"});
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(start_value(p, "x"), -0.75, 1e-12);
}

TEST(ArrayMethods, decide_on_the_index_where_the_conditions_hold) {
  Model m("Switched");
  const auto x = m.variable("x"), z = m.variable("z"), p = m.variable("p", {.start = {1}});
  m.equation(p * z + x == sin(m.time()));
  m.equation(der(x) + z == 1);
  m.equation(der(p) == 0);
  m.initial_equation(p == 0);
  EXPECT_EQ(analyze_array(m).index, 2);
}

TEST(ArrayMethods, keep_guesses_that_are_consistent) {
  Model m("Coupled");  // index 5: the second length is the first one's force
  const auto x1 = m.variable("x1", {.start = {1, 0}}), y1 = m.variable("y1", {.start = {0, 0}}),
             l1 = m.variable("l1"), x2 = m.variable("x2", {.start = {1, 0}}),
             y2 = m.variable("y2", {.start = {0, 0}}), l2 = m.variable("l2");
  m.equation(der(x1, 2) == -2 * l1 * x1);
  m.equation(der(y1, 2) == -2 * l1 * y1 - 1);
  m.equation(sqr(x1) + sqr(y1) == 1);
  m.equation(der(x2, 2) == -2 * l2 * x2);
  m.equation(der(y2, 2) == -2 * l2 * y2 - 1);
  m.equation(sqr(x2) + sqr(y2) == sqr(1 + 0.1 * l1));
  const ArrayAnalysis a = analyze_array(m);
  EXPECT_EQ(a.index, 5);
  EXPECT_EQ(a.dof, 4);
  EXPECT_NEAR(a.distance, 0.0, 1e-12);
}

TEST(ArrayMethods, are_taken_by_auto_where_nothing_else_works) {
  // Singular at the start only by the value of p; x = sin t, z = 1 - cos t.
  Model m("Singular");
  const auto x = m.variable("x"), z = m.variable("z"),
             p = m.variable("p", {.start = {0}, .fixed = {true}});
  m.equation(p * z + x == sin(m.time()));
  m.equation(der(x) + z == 1);
  m.equation(der(p) == 0);
  const Solution s = solve(m, {.to = 1.0, .tolerance = 1e-10});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.method(), "array");
  EXPECT_THAT(s.method_reason(), testing::HasSubstr("singular at the start"));
  EXPECT_NEAR(final_value(s, "z"), 1 - std::cos(1.0), 1e-9);
}

TEST(ArrayMethods, give_a_converted_model_its_start) {
  // The difference is free, the sum is not; a conversion leaves other values to choose.
  Model m("Exchange");
  const auto a = m.variable("a", {.start = {2}}), b = m.variable("b", {.start = {1}}),
             c = m.variable("c", {.start = {2}});
  m.equation(der(a) + der(b) == -2 * c + 2);
  m.equation(der(a) + der(b) == -a - b + 1);
  m.equation(a == c);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  // a + b + 1 = 2 a: b = a - 1, which (2, 1, 2) satisfies
  EXPECT_NEAR(start_value(p, "a"), 2, 1e-12);
  EXPECT_NEAR(start_value(p, "b"), 1, 1e-12);
}

TEST(ArrayMethods, follow_modes) {
  Model m("Ball");  // falls for sqrt(2/9.81), then bounces once before t = 1
  const auto h = m.variable("h", {.start = {1, 0}, .fixed = {true, true}});
  m.equation(der(h, 2) == -9.81);
  m.when(h < 0, {reinit(der(h), -0.8 * der(h))});
  for (const char* method : {"array", "completion"}) {
    const Solution s = solve(m, {.to = 1.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    const double fall = std::sqrt(2 / 9.81), flight = 1 - fall;
    EXPECT_NEAR(s.events()[0].t, fall, 1e-10) << method;
    EXPECT_NEAR(final_value(s, "h"), 0.8 * 9.81 * fall * flight - 4.905 * flight * flight, 1e-8)
        << method;
  }
}

// Rule A6: no constraint is restored, so the drift is what the tolerance leaves.
// Fehlberg's pair estimates an error of zero for them.
TEST(Completion, controls_the_error_of_integrals) {
  const Model model = parse_model(
      "model Integral Real x(start=0, fixed=true); equation der(x) = cos(time); end Integral;",
      "integral.mo");
  for (const double tol : {1e-6, 1e-9, 1e-12}) {
    const Solution s = solve(model, {.to = 10.0, .tolerance = tol, .method = "completion"});
    EXPECT_NEAR(final_value(s, "x"), std::sin(10.0), 10 * tol);
  }
}

TEST(Completion, agrees_with_the_taylor_method_and_tells_its_drift) {
  const Model m = pendulum();
  const Solution c = solve(m, {.to = 5.0, .tolerance = 1e-10, .method = "completion", .at = {2.5}});
  const Solution t = solve(m, {.to = 5.0, .tolerance = 1e-12, .method = "taylor", .at = {2.5}});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c.method(), "completion");
  for (const char* name : {"x", "y", "lambda"})
    EXPECT_NEAR(final_value(c, name), final_value(t, name), 1e-7) << name;
  EXPECT_NEAR(c.at()[0].values[0], t.at()[0].values[0], 1e-7);
  EXPECT_GT(c.statistics().constraint_residual, 0.0);
  EXPECT_LT(c.statistics().constraint_residual, 1e-7);
}

// With (x', y') also (-x', -y') has this speed: the start says which way round.
Model circle(double sign) {
  Model m("Circle");
  const auto x = m.variable("x", {.start = {1, 0}}),
             y = m.variable("y", {.start = {0, sign}, .fixed = {true, false}});
  m.equation(sqr(x) + sqr(y) == 1);
  m.equation(sqr(der(x)) + sqr(der(y)) == 1);
  return m;
}

TEST(Completion, stays_on_the_branch_of_its_start) {
  for (const double sign : {1.0, -1.0}) {
    const Solution s =
        solve(circle(sign), {.to = 10.0, .tolerance = 1e-10, .method = "completion"});
    ASSERT_TRUE(s.ok());
    EXPECT_NEAR(final_value(s, "x"), std::cos(10.0), 1e-8);
    EXPECT_NEAR(final_value(s, "y"), sign * std::sin(10.0), 1e-8);
  }
}

// Along y = x^3 - 3 x at unit speed: at this tolerance the first trials of steps end far from the
// curve, where the array has no solution.
TEST(Completion, tries_shorter_steps_where_a_stage_has_no_derivative) {
  Model m("Cubic");
  const auto x = m.variable("x", {.start = {-2, 0.1}, .fixed = {true, false}}),
             y = m.variable("y", {.start = {-2, 1}});
  m.equation(y == pow(x, 3) - 3 * x);
  m.equation(sqr(der(x)) + sqr(der(y)) == 1);
  const Solution c = solve(m, {.to = 10.0, .tolerance = 1e-5, .method = "completion"});
  const Solution t = solve(m, {.to = 10.0, .tolerance = 1e-12, .method = "taylor"});
  ASSERT_TRUE(c.ok());
  EXPECT_NEAR(final_value(c, "x"), final_value(t, "x"), 1e-4);
}

}  // namespace
}  // namespace daedal

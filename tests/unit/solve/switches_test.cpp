// Conditions that only change numbers do not make modes: how many are built, and what the solution
// is, in closed form (docs/theory/hybrid.md, H11).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "daedal/simulation.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;

// x' = p - x to 1, x' = -x to 1/2: from 1/2 to 1 it takes log((p - 1/2)/(p - 1)), back log 2.
double power_of(int room) { return 2.0 + 0.1 * room; }

std::string thermostats(int n) {
  std::string text = fmt::format(
      "model Thermostats\n  Real x[{0}](each start = 0.5, each fixed = true);\n"
      "  discrete Real on[{0}](each start = 1);\nequation\n",
      n);
  for (int k = 1; k <= n; ++k)
    text += fmt::format(
        "  der(x[{0}]) = (if on[{0}] > 0.5 then {1} else 0) - x[{0}];\n"
        "  when x[{0}] > 1 then on[{0}] = 0; end when;\n"
        "  when x[{0}] < 0.5 then on[{0}] = 1; end when;\n",
        k, power_of(k));
  return text + "end Thermostats;\n";
}

std::vector<double> switching_times(int n, double end) {
  std::vector<double> times;
  for (int k = 1; k <= n; ++k) {
    const double up = std::log((power_of(k) - 0.5) / (power_of(k) - 1.0)), down = std::log(2.0);
    bool is_on = true;
    for (double t = up; t < end; is_on = !is_on, t += is_on ? up : down) times.push_back(t);
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Of the clauses; those of the conditions in the equations follow at the same times.
std::vector<double> times_of_clauses(const Solution& solution) {
  std::vector<double> times;
  for (const Event& event : solution.events())
    if (event.kind == EventKind::when) times.push_back(event.t);
  return times;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double error, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], error) << what;
}

TEST(Switches, are_where_closed_forms_have_them_by_every_method_in_one_mode) {
  constexpr int n = 3;
  constexpr double end = 2.0;
  const Model model = parse_model(thermostats(n), "thermostats.mo");
  for (const char* method : {"auto", "taylor", "array", "completion", "dd-erk", "dd-ida", "bdf"}) {
    PreparedModel prepared(model, {.to = end, .tolerance = 1e-8, .method = method});
    const Solution s = prepared.solve();
    ASSERT_TRUE(s.ok()) << method;
    expect_near(times_of_clauses(s), switching_times(n, end), 1e-6, method);
    EXPECT_EQ(prepared.num_analyses(), 1) << method;
  }
}

TEST(Switches, of_a_hundred_rooms_are_one_mode_to_the_run_and_many_to_its_reader) {
  constexpr int n = 100;
  constexpr double end = 2.0;
  PreparedModel prepared(parse_model(thermostats(n), "thermostats.mo"), {.to = end});
  const Solution s = prepared.solve();
  ASSERT_TRUE(s.ok());
  expect_near(times_of_clauses(s), switching_times(n, end), 1e-8, "auto");
  EXPECT_EQ(prepared.num_analyses(), 1);
  EXPECT_GT(s.num_modes(), n);
  for (const ModeMet& mode : s.modes()) EXPECT_EQ(mode.conditions.size(), 100U);
}

TEST(Switches, are_told_as_modes_with_the_conditions_that_hold_in_them) {
  const Solution s = solve(parse_model(thermostats(1), "thermostats.mo"), {.to = 1.2});
  ASSERT_TRUE(s.ok());
  const double up = std::log(1.6 / 1.1), down = std::log(2.0);
  ASSERT_EQ(s.num_modes(), 2);
  ASSERT_EQ(s.modes().size(), 2U);
  EXPECT_THAT(s.modes()[0].conditions, ElementsAre("on[1] > 0.5"));
  EXPECT_THAT(s.modes()[1].conditions, ElementsAre("on[1] <= 0.5"));
  EXPECT_EQ(s.modes()[0].entries, 2);
  EXPECT_EQ(s.modes()[1].entries, 1);
  EXPECT_NEAR(s.modes()[0].time, 1.2 - down, 1e-9);
  EXPECT_NEAR(s.modes()[1].time, down, 1e-9);
  EXPECT_NEAR(s.events()[0].t, up, 1e-9);
}

// x' = 1 and y' = 2x up to x = 1, -3 from there on. x' is in both branches of the last equation,
// which is no reason for a mode; a factor of z', the highest derivative, is one.
TEST(Switches, are_none_where_the_jacobian_depends_on_a_side) {
  const auto model = [](bool is_factor) {
    Model m("M");
    const Expression x = m.variable("x", {.start = {0.0}, .fixed = {true}});
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    const Expression z = m.variable("z", {.start = {0.0}, .fixed = {true}});
    const Expression side = if_else(x > 1.0, 2.0, 1.0);
    m.equation(der(x) == 1.0);
    m.equation(der(y) == if_else(x > 1.0, Expression(-3.0), 2.0 * x));
    m.equation(is_factor ? side * der(z) == 1.0 : der(z) == side * x);
    return m;
  };
  PreparedModel numbers(model(false), {.to = 3.0}), factor(model(true), {.to = 3.0});
  const Solution a = numbers.solve(), b = factor.solve();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(numbers.num_analyses(), 1);
  EXPECT_EQ(factor.num_analyses(), 2);
  for (const Solution* s : {&a, &b}) {
    EXPECT_NEAR((*s)("y", 3.0), 1.0 - 6.0, 1e-12);
    EXPECT_EQ(s->num_modes(), 2);
  }
  EXPECT_NEAR(a("z", 3.0), 0.5 + 8.0, 1e-12);
  EXPECT_NEAR(b("z", 3.0), 1.0 + 1.0, 1e-12);
}

// sqrt(x) > 1 is a condition only where x > 0: -3 down to 1, -2 down to 0, -1 from there on.
TEST(Switches, are_none_around_other_conditions) {
  Model m("Nested");
  const Expression x = m.variable("x", {.start = {4.0}, .fixed = {true}});
  const Expression outer =
      if_else(x > 0.0, if_else(sqrt(x) > 1.0, Expression(-3.0), Expression(-2.0)), -1.0);
  m.equation(der(x) == outer);
  const Solution s = solve(m, {.to = 2.5});
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.events().size(), 2U);
  EXPECT_NEAR(s.events()[0].t, 1.0, 1e-12);
  EXPECT_NEAR(s.events()[1].t, 1.5, 1e-12);
  EXPECT_NEAR(s("x", 2.5), -1.0, 1e-12);
  EXPECT_EQ(s.num_modes(), 3);
}

// x = 1 - t. Neither sqrt(x + 1/4) after t = 5/4 nor 1/R with R = 0 is a number, and 0 times it is
// none.
TEST(Switches, are_none_where_the_other_branch_is_no_number) {
  Model m("NotANumber");
  const Expression R = m.parameter("R", 0.0), chosen = m.discrete("chosen", 0.0);
  const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
  const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
  const Expression z = m.variable("z", {.start = {0.0}, .fixed = {true}});
  m.equation(der(x) == -1.0);
  m.equation(der(y) == if_else(x > 0.0, sqrt(x + 0.25), 3.0));
  m.equation(der(z) == if_else(chosen > 0.5, x / R, 2.0 * x));
  for (const char* method : {"taylor", "dd-erk", "dd-ida", "bdf"}) {
    const Solution s = solve(m, {.to = 2.0, .tolerance = 1e-9, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    EXPECT_NEAR(s("y", 2.0), 2.0 / 3.0 * (std::pow(1.25, 1.5) - 0.125) + 3.0, 1e-6) << method;
    EXPECT_NEAR(s("z", 2.0), 0.0, 1e-6) << method;
  }
}

// Of 1e-20 and 1e20 nothing is lost: the branch that is not taken is not added and subtracted.
TEST(Switches, keep_small_numbers_beside_large_ones) {
  Model m("Small");
  const Expression x = m.variable("x", {.start = {0.0}, .fixed = {true}, .nominal = 1e-20});
  m.equation(der(x) == if_else(m.time() < 1.0, Expression(1e-20), Expression(1e20)));
  const Solution s = solve(m, {.from = 0.0, .to = 0.9});
  ASSERT_TRUE(s.ok());
  EXPECT_NEAR(s("x", 0.9) * 1e20, 0.9, 1e-14);
}

// abs, sign, min and max of numbers that do not meet the highest derivatives are switches as well;
// x = sin t.
TEST(Switches, are_abs_sign_min_and_max_too) {
  Model m("All");
  const Expression x = m.variable("x", {.start = {0.0, 1.0}, .fixed = {true, true}});
  const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
  const Expression z = m.variable("z", {.start = {0.0}, .fixed = {true}});
  m.equation(der(x, 2) == -x);
  m.equation(der(y) == abs(x) + 2.0 * sign(x));
  m.equation(der(z) == max(x, 0.0) + min(x, 0.5) + if_else(x >= 0.0, Expression(0.0), 1.0));
  PreparedModel prepared(m, {.to = 4.0, .tolerance = 1e-11});
  const Solution s = prepared.solve();
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(prepared.num_analyses(), 1);
  const double pi = std::acos(-1.0), a = pi / 6;
  EXPECT_NEAR(s("y", 4.0), 2.0 + (1.0 + std::cos(4.0)) + 2.0 * (pi - (4.0 - pi)), 1e-9);
  const double low = (1.0 - std::cos(a)) * 2.0 + 0.5 * (pi - 2 * a) - (1.0 + std::cos(4.0));
  EXPECT_NEAR(s("z", 4.0), 2.0 + low + (4.0 - pi), 1e-9);
}

// 0 = x - 1 or 0 = x - 2: the constraint jumps, and what follows from it.
TEST(Switches, in_constraints_make_values_jump) {
  Model m("Constraint");
  const Expression x = m.variable("x"), y = m.variable("y", {.start = {0.0}, .fixed = {true}});
  const Expression u = m.variable("u");
  m.equation(x == if_else(m.time() > 1.0, Expression(2.0), Expression(1.0)));
  m.equation(u == x * x);
  m.equation(der(y) == u);
  PreparedModel prepared(m, {.to = 2.0});
  const Solution s = prepared.solve();
  ASSERT_TRUE(s.ok());
  EXPECT_NEAR(s("y", 2.0), 5.0, 1e-12);
  EXPECT_EQ(prepared.num_analyses(), 1);
  ASSERT_EQ(s.events().size(), 1U);
  EXPECT_EQ(s.events()[0].jumps.size(), 2U);
}

// A simulation that is restored across a switch goes on with the same bits.
TEST(Switches, are_restored_with_the_state_of_a_simulation) {
  for (const char* method : {"taylor", "dd-erk", "bdf"}) {
    const SolveOptions options{.to = 3.0, .tolerance = 1e-8, .method = method};
    const Model model = parse_model(thermostats(2), "thermostats.mo");
    Simulation simulation(model, options);
    simulation.step_until(0.2);  // both are on
    const std::string before = simulation.save();
    simulation.step_until(0.7);  // both are off
    simulation.restore(before);
    simulation.step_until(3.0);
    const Solution a = simulation.take_solution();
    Simulation other(model, options);
    other.restore(before);
    other.step_until(3.0);
    const Solution b = other.take_solution();
    EXPECT_EQ(a.final(), b.final()) << method;
    EXPECT_EQ(times_of_clauses(a), times_of_clauses(b)) << method;
    expect_near(times_of_clauses(b), switching_times(2, 3.0), 1e-6, method);
  }
}

}  // namespace
}  // namespace daedal

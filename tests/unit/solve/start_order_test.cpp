// Starts of models with auxiliary unknowns: no start value is given for what follows from others,
// and operations that are not defined at 0 stand in its way (docs/theory/consistent-points.md, C9).
// And: whether a start is accepted does not depend on units.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/initialize.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

Model written(const std::string& body) {
  return parse_model("model Trial\n" + body + "end Trial;\n");
}

double found(const ConsistentPoint& point, const std::string& name, int order = 0) {
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    if (point.variables[j] == name) return point.values[j].at(static_cast<std::size_t>(order));
  return std::nan("");
}

// The first model of a newcomer.
TEST(StartOrder, a_reciprocal_of_what_another_equation_says_is_found_by_every_method) {
  for (const std::string& method : all_methods) {
    const Solution s =
        solve(written("Real r, z;\nequation\nr = 2;\nz = 1/r;\n"), {.to = 1.0, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    EXPECT_NEAR(s("z", 1.0), 0.5, 1e-12) << method;
  }
}

// log(2 + e), its reciprocal and the root of that: each is infinite at 0.
TEST(StartOrder, chains_of_auxiliaries_are_computed_from_the_first_one_on) {
  const ConsistentPoint point =
      initialize(written("Real d, c, b, a, e(start=1, fixed=true);\nequation\n"
                         "der(e) = -e*d;\na = 2 + e;\nb = log(a);\nc = 1/b;\nd = sqrt(c)/a;\n"));
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "d"), std::sqrt(1 / std::log(3.0)) / 3, 1e-15);
  EXPECT_NEAR(found(point, "e", 1), -std::sqrt(1 / std::log(3.0)) / 3, 1e-15);
}

// Two unknowns of one linear block, then a logarithm and a root of them.
TEST(StartOrder, blocks_that_are_solved_together_come_before_what_needs_them) {
  const ConsistentPoint point =
      initialize(written("Real x(start=1, fixed=true), a, b, s;\nequation\n"
                         "der(x) = -s;\na + b = 3*x;\na - b = x;\ns = log(a)*sqrt(b)/a;\n"));
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "s"), std::log(2.0) / 2, 1e-15);
}

// r is needed in constraints that are differentiated, and nobody gave it.
TEST(StartOrder, auxiliaries_of_hidden_constraints_are_found) {
  const ConsistentPoint point =
      initialize(written("Real x(start={1,0}), y(start={0,0}), lam, r, q;\nequation\n"
                         "der(x,2) = -lam*x;\nder(y,2) = -lam*y - 9.81;\nr = sqrt(x^2 + y^2);\n"
                         "log(r) = 0;\nq = 1/r^2;\n"));
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "r"), 1.0, 1e-15);
  EXPECT_NEAR(found(point, "q"), 1.0, 1e-15);
}

// Kepler's problem on the circle of radius 1: x(t) = cos t.
TEST(StartOrder, a_planet_with_its_distance_as_an_unknown_goes_round) {
  for (const char* method : {"auto", "dd-ida", "bdf"}) {
    const Solution s =
        solve(written("Real x(start={1,0}), y(start={0,1}), r, F;\nequation\n"
                      "der(x,2) = -F*x;\nder(y,2) = -F*y;\nr = sqrt(x^2 + y^2);\nF = 1/r^3;\n"),
              {.to = 3.0, .tolerance = 1e-8, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    EXPECT_NEAR(s("x", 3.0), std::cos(3.0), 1e-5) << method;
  }
}

// Where no start value helps, the message has the value that follows, and nothing that was not
// computed is shown.
TEST(StartOrder, a_value_outside_of_the_domain_is_named) {
  const ConsistentPoint point = initialize(
      written("Real x(start=-1, fixed=true), a, b;\nequation\nder(x) = 1;\na = x;\nb = log(a);\n"));
  EXPECT_EQ(point.status, Status::left_domain);
  ASSERT_FALSE(point.problems.empty());
  EXPECT_EQ(point.problems[0].id, "S-INI-001");
  EXPECT_NE(point.problems[0].why.find("a = -1"), std::string::npos) << point.problems[0].why;
  EXPECT_EQ(found(point, "a"), -1.0);
  EXPECT_TRUE(point.values[2].empty());
}

// x y = 3 and x = y + 2 have the solutions (3, 1) and (-1, -3), and log(y) only one of them.
TEST(StartOrder, a_solution_with_which_the_rest_is_not_defined_is_none) {
  const ConsistentPoint point =
      initialize(written("Real x, y, z;\nequation\nx*y = 3;\nx = y + 2;\nz = 1/x + log(y);\n"));
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "x"), 3.0, 1e-14);
  EXPECT_NEAR(found(point, "z"), 1.0 / 3, 1e-14);
}

// The same by the array, which is one block: only rows wait.
TEST(StartOrder, an_array_computes_auxiliaries_before_what_is_divided_by_them) {
  const ConsistentPoint point =
      initialize(written("Real x(start=1, fixed=true), q, r, s;\nequation\n"
                         "der(x) = -s;\ns = 1/q;\nq = log(r);\nr = 2*x;\n"),
                 {.method = "array"});
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "s"), 1 / std::log(2.0), 1e-14);
}

TEST(StartOrder, a_start_value_that_works_is_named) {
  const ConsistentPoint point = initialize(
      written("Real x(start=-1, fixed=true), a, b;\nequation\nder(x) = 1;\na = x;\nb = log(a);\n"));
  ASSERT_FALSE(point.problems.empty());
  EXPECT_NE(point.problems[0].todo.find("x = 1 instead of -1"), std::string::npos)
      << point.problems[0].todo;
}

// The rate of a gate of Hodgkin and Huxley has a limit at V = -55, but no value.
TEST(StartOrder, zero_by_zero_is_called_that) {
  const ConsistentPoint point =
      initialize(written("Real V(start=-55, fixed=true), y(start=0, fixed=true);\nequation\n"
                         "der(V) = 1;\nder(y) = (V + 55)/(exp(-(V + 55)/10) - 1);\n"));
  EXPECT_EQ(point.status, Status::left_domain);
  ASSERT_FALSE(point.problems.empty());
  EXPECT_NE(point.problems[0].why.find("with V = -55: it is 0/0"), std::string::npos)
      << point.problems[0].why;
  EXPECT_NE(point.problems[0].todo.find("V = -54.945 instead of -55"), std::string::npos)
      << point.problems[0].todo;
}

// A distance that vanishes at the start has no derivative there.
TEST(StartOrder, a_root_that_vanishes_is_called_that) {
  const ConsistentPoint point =
      initialize(written("Real x(start=0, fixed=true), y(start=0, fixed=true), d;\nequation\n"
                         "der(x) = 1 + d;\nder(y) = d;\nd = sqrt((x - sin(time))^2 + y^2);\n"));
  EXPECT_EQ(point.status, Status::left_domain);
  ASSERT_FALSE(point.problems.empty());
  EXPECT_EQ(point.problems[0].id, "S-INI-001");
  EXPECT_NE(point.problems[0].why.find("has no finite derivative"), std::string::npos)
      << point.problems[0].why;
}

// A counterflow heat exchanger: Q = UA (a - b)/log(a/b), a and b nobody gave. Its heat flow has a
// closed form by the number of transfer units [the effectiveness of counterflow].
TEST(StartOrder, rows_inside_of_a_loop_wait_for_what_they_divide_by) {
  const ConsistentPoint point = initialize(
      written("Real Q, hot, cold, a, b, L;\nequation\nQ = 1.5*L;\nQ = 2*(400 - hot);\n"
              "Q = 3*(cold - 300);\na = 400 - cold;\nb = hot - 300;\nL = (a - b)/log(a/b);\n"));
  ASSERT_TRUE(point.ok());
  const double ntu = 1.5 / 2, ratio = 2.0 / 3, decay = std::exp(-ntu * (1 - ratio));
  EXPECT_NEAR(found(point, "Q"), 2 * 100 * (1 - decay) / (1 - ratio * decay), 1e-10);
}

// A pump against a static head: Q = sqrt((H - 10)/3), H = 50 - 2 Q^2, so that Q^2 = 8.
TEST(StartOrder, a_root_in_a_loop_waits_for_the_other_equation) {
  const ConsistentPoint point =
      initialize(written("Real Q, H;\nequation\nQ = sqrt((H - 10)/3);\nH = 50 - 2*Q^2;\n"));
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(found(point, "Q"), std::sqrt(8.0), 1e-13);
  EXPECT_NEAR(found(point, "H"), 34.0, 1e-12);
}

// The volume of an ideal gas with a covolume, p = R T/(v - b) - a/v^2 with a = 0.
TEST(StartOrder, a_block_that_fails_together_with_others_is_solved_after_them) {
  const ConsistentPoint point =
      initialize(written("Real p(start=1e5), v;\nequation\np = 2494.2/(v - 4e-5) - 0.364/v^2;\n"
                         "p = 101325;\n"));
  ASSERT_TRUE(point.ok());
  const double v = found(point, "v");
  EXPECT_GT(v, 4e-5);
  EXPECT_NEAR((2494.2 / (v - 4e-5) - 0.364 / (v * v)) / 101325, 1.0, 1e-12);
}

// log(x) = 3 from x = -2, 1/x = 4 from x = -3: no shift of the guess by a part of it helps.
TEST(StartOrder, guesses_beyond_the_edge_of_a_domain_or_a_pole_are_left) {
  const ConsistentPoint root = initialize(written("Real x(start=-2);\nequation\nlog(x) = 3;\n"));
  ASSERT_TRUE(root.ok());
  EXPECT_NEAR(found(root, "x"), std::exp(3.0), 1e-12);
  const ConsistentPoint pole = initialize(written("Real x(start=-3);\nequation\n1/x = 4;\n"));
  ASSERT_TRUE(pole.ok());
  EXPECT_NEAR(found(pole, "x"), 0.25, 1e-15);
}

// Both temperature differences are 90: their logarithmic mean is 90 by its limit, and anything by
// rounding. It was 81 with the status ok.
TEST(StartOrder, rounding_is_no_value_of_zero_by_zero) {
  const ConsistentPoint point = initialize(
      written("Real hot(start=390, fixed=true), cold(start=310, fixed=true), a, b, L;\nequation\n"
              "der(hot) = 2*(400 - hot) - L;\nder(cold) = 3*(300 - cold) + L;\na = 400 - cold;\n"
              "b = hot - 300;\nL = (a - b)/log(a/b);\n"));
  EXPECT_EQ(point.status, Status::left_domain);
  ASSERT_FALSE(point.problems.empty());
  EXPECT_NE(point.problems[0].why.find("it is 0/0"), std::string::npos) << point.problems[0].why;
}

// The conditions are not in conflict with each other, or with the equations: there is no value.
TEST(StartOrder, fixed_values_at_zero_by_zero_are_in_no_conflict) {
  const ConsistentPoint point =
      initialize(written("Real v(start=-40, fixed=true), m, a;\nequation\nder(v) = 1;\n"
                         "a = 0.1*(v + 40)/(1 - exp(-(v + 40)/10));\nder(m) = a*(1 - m) - m;\n"
                         "initial equation\nder(m) = 0;\n"));
  ASSERT_FALSE(point.problems.empty());
  EXPECT_EQ(point.problems[0].id, "S-INI-001");
}

// Guesses for which the bars are parallel, and Newton's method leaps by 1e17 turns, where a sine is
// any number: the crank-rocker has two assemblies, and one of them is near.
TEST(StartOrder, angles_are_found_within_a_turn_of_their_guesses) {
  const ConsistentPoint point =
      initialize(written("Real p(start=0.5, fixed=true), q(start=3), r(start=3);\nequation\n"
                         "cos(p) + 3*cos(q) = 3 + 2.5*cos(r);\nsin(p) + 3*sin(q) = 2.5*sin(r);\n"
                         "der(p, 2) = 0;\n"));
  ASSERT_TRUE(point.ok());
  const double q = found(point, "q"), r = found(point, "r");
  EXPECT_LT(std::hypot(q - 3, r - 3), 3.2);
  EXPECT_NEAR(std::cos(0.5) + 3 * std::cos(q), 3 + 2.5 * std::cos(r), 1e-14);
  EXPECT_NEAR(std::sin(0.5) + 3 * std::sin(q), 2.5 * std::sin(r), 1e-14);
}

// x[i+1] = x[i]'' + sin(x[i]) of 0.1 sin(t): by Taylor arithmetic with 120 digits x[14]' is
// -7.6e42, x[17]' -2.5e218 and x[18]' -8.7e385, which is no double.
TEST(StartOrder, values_that_no_double_holds_are_called_that) {
  const ConsistentPoint point =
      initialize(written("Real x[24], u;\nequation\nx[1] = 0.1*sin(time);\nfor i in 1:23 loop\n"
                         "der(x[i], 2) = x[i+1] - sin(x[i]);\nend for;\n"
                         "der(x[24], 2) = u - sin(x[24]);\n"));
  EXPECT_EQ(point.status, Status::no_consistent_point);
  ASSERT_FALSE(point.problems.empty());
  EXPECT_NE(point.problems[0].why.find("grow"), std::string::npos) << point.problems[0].why;
}

// y = x + z with the guesses 1, 2 and 3 of x, y and z.
TEST(StartOrder, a_guess_that_weighs_nothing_is_said_to_move) {
  const ConsistentPoint point =
      initialize(written("Real x(start=1), y(start=2), z(start=3);\nequation\n"
                         "y = x + z;\nder(x) = -x;\nder(z) = -z;\n"));
  ASSERT_TRUE(point.ok());
  double moved = 0.0;
  for (const StartValue& value : point.start)
    if (value.follows) moved += value.moved();
  EXPECT_EQ(moved, 2.0);
}

// i = 1e-6 sinh(v): a current in amperes hardly changes with a voltage in volts, and determines it.
TEST(StartUnits, a_diode_with_its_current_fixed_has_a_start) {
  for (const double scale : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
    Model m("Diode");
    const Expression i = m.variable("i", {.start = {scale * std::sinh(0.5)}, .fixed = {true}});
    const Expression v = m.variable("v");
    m.equation(der(i) == scale * (1.0 - v));
    m.equation(i == scale * sinh(v));
    const ConsistentPoint point = initialize(m);
    ASSERT_TRUE(point.ok()) << scale;
    EXPECT_NEAR(found(point, "v"), 0.5, 1e-12) << scale;
  }
}

// At the turning point x is no coordinate of the circle, in whatever units the circle is written.
TEST(StartUnits, a_condition_that_touches_is_refused_in_all_units) {
  for (const double scale : {1e-12, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e12}) {
    Model m("Pendulum");
    const Expression x = m.variable("x", {.start = {1.0, 0.0}, .fixed = {true, true}});
    const Expression y = m.variable("y"), lambda = m.variable("lambda");
    m.equation(scale * (der(x, 2) + x * lambda) == Expression(0.0));
    m.equation(scale * (der(y, 2) + y * lambda) == Expression(scale));
    m.equation(scale * (x * x + y * y) == Expression(scale));
    EXPECT_EQ(initialize(m).status, Status::conflicting_conditions) << scale;
  }
}

// Two equations whose unknowns and rows differ by 24 orders of magnitude are as regular as with 1.
TEST(StartUnits, a_jacobian_of_many_units_is_regular) {
  for (const double unit : {1e-12, 1.0, 1e12}) {
    Model m("Units");
    const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
    const Expression a = m.variable("a"), b = m.variable("b");
    m.equation(der(x) == unit * a - b);
    m.equation(unit * a + b / unit == x);
    m.equation(unit * a - b / unit == 0.5 * x);
    const ConsistentPoint point = initialize(m);
    ASSERT_TRUE(point.ok()) << unit;
    EXPECT_NEAR(found(point, "a") * unit, 0.75, 1e-12) << unit;
    EXPECT_NEAR(found(point, "b") / unit, 0.25, 1e-12) << unit;
  }
}

}  // namespace
}  // namespace daedal

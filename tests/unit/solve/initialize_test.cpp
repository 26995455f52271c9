// Consistent starts of small models: nearest points, conditions, conflicts, trouble.
#include "daedal/initialize.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

constexpr double rounding = 1e-14;  // of values of size 1, a few operations

double value(const ConsistentPoint& point, const std::string& name, std::size_t order = 0) {
  const auto found = std::find(point.variables.begin(), point.variables.end(), name);
  return point.values.at(static_cast<std::size_t>(found - point.variables.begin())).at(order);
}

// Root of an increasing function.
template <typename Function>
double bisect(Function f, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return low;
}

// Unit pendulum of second order, y upwards, gravity 1.
struct PendulumStart {
  VariableOptions x = {}, y = {}, lambda = {};
};
Model unit_pendulum(const PendulumStart& start) {
  Model m("Pendulum");
  const auto x = m.variable("x", start.x), y = m.variable("y", start.y);
  const auto lambda = m.variable("lambda", start.lambda);
  m.equation("push_x", der(x, 2) == -2 * lambda * x);
  m.equation("push_y", der(y, 2) == -2 * lambda * y - 1);
  m.equation("length", sqr(x) + sqr(y) == 1);
  return m;
}

// The pendulum in first-order form [EstevezLamour2019, sec. 8.1], declared in a given order.
Model first_order_pendulum(std::vector<int> order, const std::string& fixed = "") {
  Model m("Pendulum");
  const std::map<std::string, double> guesses = {
      {"x", 0.5}, {"y", 0.5}, {"vx", 0}, {"vy", 0}, {"lambda", 0}};
  std::vector<std::string> names = {"x", "y", "vx", "vy", "lambda"};
  std::map<std::string, Expression> v;
  for (const int k : order) {
    VariableOptions options{.start = {guesses.at(names[k])}};
    if (names[k] == fixed) options.fixed = {true};
    v[names[k]] = m.variable(names[k], options);
  }
  const std::vector<Equality> equations = {
      der(v["x"]) == v["vx"], der(v["y"]) == v["vy"], der(v["vx"]) == 2 * v["lambda"] * v["x"],
      der(v["vy"]) == 2 * v["lambda"] * v["y"] - 1, sqr(v["x"]) + sqr(v["y"]) == 1};
  for (const int k : order) m.equation(equations[k]);
  return m;
}

TEST(Initialize, EstevezLamour_2019_unit_pendulum_starts_at_the_nearest_point_of_the_circle) {
  const ConsistentPoint p = initialize(first_order_pendulum({0, 1, 2, 3, 4}));
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), std::numbers::sqrt2 / 2, rounding);
  EXPECT_NEAR(value(p, "y"), std::numbers::sqrt2 / 2, rounding);
  EXPECT_NEAR(value(p, "vx"), 0, rounding);
  EXPECT_NEAR(value(p, "lambda"), std::numbers::sqrt2 / 4, rounding);
  EXPECT_NEAR(p.distance, 1 - std::numbers::sqrt2 / 2, rounding);
  EXPECT_LE(p.residual, 4e-16);
  EXPECT_EQ(p.index, 3);
  EXPECT_EQ(p.dof, 2);
}

TEST(Initialize, a_fixed_coordinate_keeps_its_value_and_the_other_follows) {
  const ConsistentPoint by_x = initialize(first_order_pendulum({0, 1, 2, 3, 4}, "x"));
  EXPECT_EQ(value(by_x, "x"), 0.5);
  EXPECT_NEAR(value(by_x, "y"), std::sqrt(3) / 2, rounding);
  const ConsistentPoint by_y = initialize(first_order_pendulum({0, 1, 2, 3, 4}, "y"));
  EXPECT_EQ(value(by_y, "y"), 0.5);
  EXPECT_NEAR(value(by_y, "x"), std::sqrt(3) / 2, rounding);
}

TEST(Initialize, does_not_depend_on_the_order_of_declaration) {
  std::vector<int> order = {0, 1, 2, 3, 4};
  const ConsistentPoint first = initialize(first_order_pendulum(order));
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(order.begin(), order.end(), random);
    const ConsistentPoint p = initialize(first_order_pendulum(order));
    for (const std::string& name : first.variables)
      EXPECT_NEAR(value(p, name), value(first, name), rounding) << name;
  }
}

// The point of x^2 + 4 y^2 = 1 nearest to (2, 1), at the angle where the distance is stationary.
std::pair<double, double> nearest_on_ellipse() {
  const double angle = bisect(
      [](double s) {
        const double x = std::cos(s), y = std::sin(s) / 2;
        return -(x - 2) * std::sin(s) + (y - 1) * std::cos(s) / 2;
      },
      0, std::numbers::pi / 2);
  return {std::cos(angle), std::sin(angle) / 2};
}

TEST(Initialize, goes_to_the_nearest_point_of_an_ellipse_not_along_the_first_normal) {
  Model m("Ellipse");
  const auto x = m.variable("x", {.start = {2, 0}}), y = m.variable("y", {.start = {1, 0}});
  const auto lambda = m.variable("lambda");
  m.equation(der(x, 2) == -2 * x * lambda);
  m.equation(der(y, 2) == -8 * y * lambda - 1);
  m.equation(sqr(x) + 4 * sqr(y) == 1);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), nearest_on_ellipse().first, rounding);
  EXPECT_NEAR(value(p, "y"), nearest_on_ellipse().second, rounding);
}

TEST(Initialize, weighs_guesses_of_algebraic_unknowns_that_occur_nonlinearly) {
  Model m("Ellipse");
  const auto x = m.variable("x", {.start = {2}}), y = m.variable("y", {.start = {1}});
  m.equation(der(x) == y);
  m.equation(sqr(x) + 4 * sqr(y) == 1);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), nearest_on_ellipse().first, rounding);
  EXPECT_NEAR(value(p, "y"), nearest_on_ellipse().second, rounding);
}

TEST(Initialize, leaves_a_stationary_point_that_is_no_minimum) {
  // From (0.1, 0) the first normal leads to (1, 0), a maximum along the ellipse. Stationary points
  // off the axis have x (1 - 1/4) = 0.1.
  Model m("Ellipse");
  const auto x = m.variable("x", {.start = {0.1}}), y = m.variable("y", {.start = {0}});
  m.equation(der(x) == y);
  m.equation(sqr(x) + 4 * sqr(y) == 1);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), 0.4 / 3, rounding);
}

TEST(Initialize, positions_and_velocities_are_moved_jointly) {
  const ConsistentPoint p =
      initialize(unit_pendulum({.x = {.start = {0.5, 1}}, .y = {.start = {0.5, 0}}}));
  ASSERT_TRUE(p.ok());
  // At angle s the best velocity is that of the guess (1, 0) along the circle; its distance is
  // |cos s|. So |position - guess|^2 + cos^2 s is stationary over s.
  const auto slope = [](double s) {
    return 2 * (0.5 * std::sin(s) - 0.5 * std::cos(s)) - 2 * std::cos(s) * std::sin(s);
  };
  const double s = bisect(slope, std::numbers::pi / 4, std::numbers::pi / 2);
  EXPECT_NEAR(value(p, "x"), std::cos(s), rounding);
  EXPECT_NEAR(value(p, "y"), std::sin(s), rounding);
  EXPECT_NEAR(value(p, "x", 1), std::sin(s) * std::sin(s), rounding);
  EXPECT_NEAR(value(p, "y", 1), -std::sin(s) * std::cos(s), rounding);
  EXPECT_NEAR(p.distance, 0.579, 5e-4);  // position first, then velocity: 0.765
}

TEST(Initialize, nothing_moves_if_the_guesses_are_consistent) {
  const ConsistentPoint p =
      initialize(unit_pendulum({.x = {.start = {0.6, 0.8}}, .y = {.start = {0.8, -0.6}}}));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p.distance, 0);
  for (const StartValue& start : p.start) EXPECT_EQ(start.moved(), 0);
}

TEST(Initialize, a_guess_for_a_multiplier_moves_nothing) {
  const ConsistentPoint p = initialize(unit_pendulum(
      {.x = {.start = {0.6, 0.8}}, .y = {.start = {0.8, -0.6}}, .lambda = {.start = {50}}}));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p.distance, 0);
  EXPECT_NEAR(value(p, "lambda"), 0.1, rounding);  // (1 - y)/2
}

TEST(Initialize, a_fixed_multiplier_is_met_by_moving_the_velocity) {
  const ConsistentPoint p = initialize(unit_pendulum({.x = {.start = {0.6, 0.8}, .fixed = {true}},
                                                      .y = {.start = {0.8, -0.6}},
                                                      .lambda = {.start = {1}, .fixed = {true}}}));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(value(p, "lambda"), 1);
  EXPECT_EQ(value(p, "x"), 0.6);
  EXPECT_NEAR(value(p, "y"), 0.8, rounding);
  // 2 lambda = speed^2 - y.
  EXPECT_NEAR(std::hypot(value(p, "x", 1), value(p, "y", 1)), std::sqrt(2.8), rounding);
  EXPECT_NEAR(value(p, "x", 1), 0.8 * std::sqrt(2.8), rounding);
}

TEST(Initialize, values_that_nothing_determines_are_small_and_marked) {
  Model m("Free");
  const auto x = m.variable("x"), y = m.variable("y", {.start = {1}});
  m.equation(der(x) == y);
  m.equation(der(y) == x);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(value(p, "x"), 0);
  ASSERT_THAT(p.start, SizeIs(2));
  EXPECT_TRUE(p.start[0].undetermined);
  EXPECT_FALSE(p.start[1].undetermined);
}

TEST(Initialize, among_equally_near_points_takes_the_smallest_values_not_given) {
  // x = 3 is given; u and w only have to satisfy u + w = x.
  Model m("Sum");
  const auto x = m.variable("x", {.start = {3}});
  const auto u = m.variable("u"), w = m.variable("w"), push = m.variable("push");
  m.equation(der(u) == push);
  m.equation(der(w) == push);
  m.equation(der(x) == u);
  m.equation(u + w == x);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), 3, rounding);
  EXPECT_NEAR(value(p, "u"), 1.5, 1e-8);
  EXPECT_NEAR(value(p, "w"), 1.5, 1e-8);
  EXPECT_NEAR(value(p, "u") + value(p, "w"), 3, rounding);
}

TEST(Initialize, refuses_conditions_that_are_no_coordinates_at_the_point) {
  for (const double guess : {0.0, 0.1}) {  // of y
    const ConsistentPoint p = initialize(
        unit_pendulum({.x = {.start = {1, 0}, .fixed = {true, true}}, .y = {.start = {guess, 1}}}));
    EXPECT_EQ(p.status, Status::conflicting_conditions);
    ASSERT_THAT(p.problems, SizeIs(1));
    EXPECT_EQ(p.problems[0].id, "S-INI-004");
    EXPECT_THAT(p.problems[0].what, HasSubstr("(x, der(x)) are not coordinates there"));
  }
}

TEST(Initialize, accepts_more_conditions_than_degrees_of_freedom_if_they_pin_the_point) {
  const ConsistentPoint p =
      initialize(unit_pendulum({.x = {.start = {1, 0}, .fixed = {true, true}},
                                .y = {.start = {0, 1}, .fixed = {true, true}}}));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(value(p, "y", 1), 1);
  EXPECT_EQ(value(p, "lambda"), 0.5);
}

// Either of x and y is a coordinate of the circle here, so that fixing both says the same twice.
TEST(Initialize, accepts_repeated_conditions_that_agree) {
  const ConsistentPoint p = initialize(unit_pendulum(
      {.x = {.start = {0.6}, .fixed = {true}}, .y = {.start = {0.8}, .fixed = {true}}}));
  EXPECT_EQ(p.status, Status::ok);
  EXPECT_EQ(p.values[0][0], 0.6);
  EXPECT_EQ(p.values[1][0], 0.8);
  EXPECT_NEAR(p.values[0][1], 0.0, 1e-15);
}

// At x = 1 alone the circle is only touched.
TEST(Initialize, refuses_a_value_that_is_no_coordinate_at_the_point) {
  const ConsistentPoint p = initialize(
      unit_pendulum({.x = {.start = {1.0}, .fixed = {true}}, .y = {.start = {0.0}, .fixed = {}}}));
  EXPECT_EQ(p.status, Status::conflicting_conditions);
  EXPECT_EQ(p.problems.at(0).id, "S-INI-004");
  EXPECT_THAT(p.conflicts.at(0).conditions, ElementsAre(StartsWith("x = 1 (fixed)")));
}

// Two pendula that share nothing; x and y of the second are fixed off the circle.
Model two_pendula(std::vector<bool> fixed) {
  Model m("Two");
  for (int k = 1; k <= 2; ++k) {
    const bool is_second = k == 2;
    const auto name = [&](const char* text) { return text + std::to_string(k); };
    const auto x = m.variable(name("x"), {.start = {is_second ? 0.5 : 0.6, 0},
                                          .fixed = {is_second ? fixed[0] : true, is_second}});
    const auto y = m.variable(name("y"), {.start = {is_second ? 0.6 : 0.8, 0},
                                          .fixed = {is_second && fixed[1], !is_second}});
    const auto lambda = m.variable(name("lambda"));
    m.equation(der(x, 2) == -2 * lambda * x);
    m.equation(der(y, 2) == -2 * lambda * y - 1);
    m.equation(sqr(x) + sqr(y) == 1);
  }
  return m;
}

TEST(Initialize, names_exactly_the_conditions_that_contradict_each_other) {
  const ConsistentPoint p = initialize(two_pendula({true, true}));
  EXPECT_EQ(p.status, Status::conflicting_conditions);
  ASSERT_THAT(p.conflicts, SizeIs(1));
  EXPECT_THAT(p.conflicts[0].conditions,
              ElementsAre(StartsWith("x2 = 0.5 (fixed)"), StartsWith("y2 = 0.6 (fixed)")));
  EXPECT_THAT(p.conflicts[0].free, HasSubstr("y2: "));
  EXPECT_THAT(p.conflicts[0].free, HasSubstr("0.8660254038 instead of 0.6"));
  EXPECT_EQ(p.problems[0].id, "S-INI-003");
  EXPECT_TRUE(initialize(two_pendula({true, false})).ok());
  EXPECT_TRUE(initialize(two_pendula({false, true})).ok());
}

TEST(Initialize, names_every_one_of_several_conflicts) {
  Model m("Rates");
  for (int k = 1; k <= 2; ++k) {
    const auto x = m.variable("x" + std::to_string(k), {.start = {1, 2}, .fixed = {true, true}});
    m.equation(der(x) == -x);
  }
  const ConsistentPoint p = initialize(m);
  ASSERT_THAT(p.conflicts, SizeIs(2));
  EXPECT_THAT(p.conflicts[0].conditions,
              ElementsAre(StartsWith("x1 = 1 (fixed)"), StartsWith("der(x1) = 2 (fixed)")));
  EXPECT_THAT(p.conflicts[1].conditions,
              ElementsAre(StartsWith("x2 = 1 (fixed)"), StartsWith("der(x2) = 2 (fixed)")));
}

TEST(Initialize, a_condition_that_no_point_meets_conflicts_alone) {
  const ConsistentPoint p =
      initialize(unit_pendulum({.x = {.start = {2}, .fixed = {true}}, .y = {.start = {0.5}}}));
  ASSERT_THAT(p.conflicts, SizeIs(1));
  EXPECT_THAT(p.conflicts[0].conditions, ElementsAre(StartsWith("x = 2 (fixed)")));
}

TEST(Initialize, meets_initial_equations_of_order_0_1_and_2) {
  const PendulumStart guesses = {.x = {.start = {0.5, 0.3}}, .y = {.start = {0.5, 0}}};
  const auto with = [&](int order) {
    Model m("Pendulum");
    const auto x = m.variable("x", guesses.x), y = m.variable("y", guesses.y);
    const auto lambda = m.variable("lambda");
    m.equation(der(x, 2) == -2 * lambda * x);
    m.equation(der(y, 2) == -2 * lambda * y - 1);
    m.equation(sqr(x) + sqr(y) == 1);
    m.initial_equation(der(y, order) == 0.25 * der(x, order) + 0.1);
    return initialize(m);
  };
  for (const std::size_t order : {0U, 1U, 2U}) {
    const ConsistentPoint p = with(static_cast<int>(order));
    ASSERT_TRUE(p.ok()) << order;
    EXPECT_NEAR(value(p, "y", order), 0.25 * value(p, "x", order) + 0.1, rounding) << order;
    EXPECT_NEAR(std::hypot(value(p, "x"), value(p, "y")), 1, rounding);
  }
}

TEST(Initialize, names_an_initial_equation_in_a_conflict) {
  Model m("Decay");
  const auto x = m.variable("x", {.start = {1}, .fixed = {true}});
  m.equation(der(x) == -x);
  m.initial_equation("rest", der(x) == 0);
  const ConsistentPoint p = initialize(m);
  ASSERT_THAT(p.conflicts, SizeIs(1));
  EXPECT_THAT(p.conflicts[0].conditions,
              ElementsAre(StartsWith("x = 1 (fixed)"), StartsWith("initial equation 'rest'")));
}

TEST(Initialize, finds_the_circle_from_far_away_and_from_its_centre) {
  const auto from = [](double x, double y) {
    return initialize(unit_pendulum({.x = {.start = {x, 0}}, .y = {.start = {y, 0}}}));
  };
  const ConsistentPoint far = from(1e3, -2e3);
  EXPECT_NEAR(value(far, "x"), 1 / std::sqrt(5), 1e-12);  // 1e3 times rounding
  EXPECT_NEAR(value(far, "y"), -2 / std::sqrt(5), 1e-12);
  EXPECT_NEAR(value(from(1e-8, 0), "x"), 1, rounding);
  const ConsistentPoint centre = from(0, 0);
  ASSERT_TRUE(centre.ok());
  EXPECT_NEAR(centre.distance, 1, rounding);
}

TEST(Initialize, is_not_farther_from_random_guesses_than_any_point_sampled) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    const double a = 2 * normal(random), b = 2 * normal(random);
    const double va = normal(random), vb = normal(random);
    const ConsistentPoint p =
        initialize(unit_pendulum({.x = {.start = {a, va}}, .y = {.start = {b, vb}}}));
    ASSERT_TRUE(p.ok());
    for (int k = 0; k < 2000; ++k) {
      const double s = 2 * std::numbers::pi * k / 2000;
      const double speed = -va * std::sin(s) + vb * std::cos(s);  // the best one at this angle
      const double square = std::pow(std::cos(s) - a, 2) + std::pow(std::sin(s) - b, 2) + va * va +
                            vb * vb - speed * speed;
      ASSERT_LE(p.distance, std::sqrt(square) * (1 + rounding));
    }
  }
}

TEST(Initialize, finds_the_curve_of_constant_speed_from_bad_guesses) {
  // der(x)^2 + der(y)^2 = 1 along y = x^3 - 3 x, guesses far off both.
  for (const double guess : {-5.0, 0.0, 40.0}) {
    Model m("ArcLength");
    const auto x = m.variable("x", {.start = {-2, guess}, .fixed = {true}});
    const auto y = m.variable("y", {.start = {guess, 3}});
    m.equation(y == pow(x, 3) - 3 * x);
    m.equation(sqr(der(x)) + sqr(der(y)) == 1);
    const ConsistentPoint p = initialize(m);
    ASSERT_TRUE(p.ok()) << guess;
    EXPECT_NEAR(value(p, "y"), -2, rounding);
    EXPECT_NEAR(value(p, "y", 1), 9 * value(p, "x", 1), rounding);
    EXPECT_NEAR(std::hypot(value(p, "x", 1), value(p, "y", 1)), 1, rounding);
  }
}

TEST(Initialize, does_not_mind_the_unit_of_length) {
  for (const double length : {1e-9, 1e-3, 1e6}) {
    Model m("Pendulum");
    const auto x = m.variable("x", {.start = {0.5 * length, 0}});
    const auto y = m.variable("y", {.start = {0.5 * length, 0}}), lambda = m.variable("lambda");
    m.equation(der(x, 2) == -2 * lambda * x);
    m.equation(der(y, 2) == -2 * lambda * y - length);
    m.equation(sqr(x) + sqr(y) == length * length);
    const ConsistentPoint p = initialize(m);
    ASSERT_TRUE(p.ok()) << length;
    EXPECT_NEAR(value(p, "x") / length, std::numbers::sqrt2 / 2, rounding);
    EXPECT_NEAR(value(p, "lambda"), -std::numbers::sqrt2 / 4, rounding);
  }
}

TEST(Initialize, completes_derivatives_of_high_order_to_rounding) {
  Model m("Oscillator");
  std::vector<Expression> start;
  for (int k = 1; k <= 20; ++k) start.emplace_back(k);
  const auto x = m.variable("x", {.start = start});
  m.equation(der(x, 20) == -x);
  EXPECT_EQ(value(initialize(m), "x", 20), -1);
}

TEST(Initialize, comes_down_a_steep_exponential) {
  Model m("Diode");
  const auto x = m.variable("x", {.start = {10}, .fixed = {true}});
  const auto y = m.variable("y", {.start = {10}});
  m.equation(der(x) == y);
  m.equation(exp(40 * y) + y == x);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(std::exp(40 * value(p, "y")) + value(p, "y"), 10, 1e-13);  // slope 400 times eps
}

TEST(Initialize, finds_values_inside_the_domains_of_functions_if_none_are_given) {
  Model m("Logarithm");
  const auto x = m.variable("x", {.start = {0.5}}), y = m.variable("y");
  m.equation(der(x) == y);
  m.equation(log(y) + y == x);
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(value(p, "x"), 0.5);
  EXPECT_NEAR(std::log(value(p, "y")) + value(p, "y"), 0.5, rounding);
}

TEST(Initialize, tells_which_function_has_no_derivative_at_the_guesses) {
  const ConsistentPoint p = initialize(parse_model(R"(model Tank
  Real h(start = 0, fixed = true);
  Real q;
equation
  q = sqrt(h);
  der(h) = 1 - q;
end Tank;
)",
                                                   "tank.mo"));
  ASSERT_THAT(p.problems, SizeIs(1));
  EXPECT_EQ(p.problems[0].id, "S-INI-001");
  EXPECT_THAT(p.problems[0].where, HasSubstr("tank.mo:5"));
  EXPECT_THAT(p.problems[0].why, HasSubstr("sqrt(h) has no finite derivative with h = 0"));
}

TEST(Initialize, tells_which_function_is_not_defined_at_the_guesses) {
  const ConsistentPoint p = initialize(parse_model(R"(model Logarithm
  Real x(start = -1, fixed = true);
equation
  der(x) = log(x);
end Logarithm;
)",
                                                   "logarithm.mo"));
  EXPECT_EQ(p.status, Status::left_domain);
  ASSERT_THAT(p.problems, SizeIs(1));
  EXPECT_EQ(p.problems[0].id, "S-INI-001");
  EXPECT_THAT(p.problems[0].where, HasSubstr("logarithm.mo:4"));
  EXPECT_THAT(p.problems[0].why, HasSubstr("log(x)"));
}

TEST(Initialize, tells_which_equations_have_no_solution) {
  Model m("None");
  const auto x = m.variable("x", {.start = {1}}), y = m.variable("y", {.start = {0}});
  m.equation("impossible", sqr(x) + 1 == 0);
  m.equation(der(y) == x);
  const ConsistentPoint p = initialize(m);
  EXPECT_EQ(p.status, Status::no_consistent_point);
  ASSERT_THAT(p.problems, SizeIs(1));
  EXPECT_EQ(p.problems[0].id, "S-INI-002");
  EXPECT_THAT(p.problems[0].why, HasSubstr("'impossible': "));
}

TEST(Initialize, tells_that_the_jacobian_is_singular_at_the_point) {
  // x y = sin(x) does not tell y where x = 0.
  Model m("Quotient");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}}), y = m.variable("y");
  m.equation(der(x) == y);
  m.equation(x * y == sin(x));
  const ConsistentPoint p = initialize(m);
  EXPECT_EQ(p.status, Status::singular_point);
  ASSERT_THAT(p.problems, SizeIs(1));
  EXPECT_EQ(p.problems[0].id, "S-INI-005");
}

TEST(Initialize, tells_a_multiple_root_from_a_simple_one) {
  Model m("Apex");
  const auto x = m.variable("x", {.start = {1}}), y = m.variable("y", {.start = {1}});
  m.equation(der(x) == y);
  m.equation("apex", sqr(y - 2) == 0);
  const ConsistentPoint p = initialize(m);
  EXPECT_EQ(p.status, Status::singular_point);
  EXPECT_NEAR(value(p, "y"), 2, 1e-7);  // square root of rounding
}

TEST(Initialize, converts_a_model_on_which_structural_analysis_fails) {
  Model m("Hidden");
  const auto a = m.variable("a"), b = m.variable("b");
  m.equation("rate", der(a) + der(b) + 2 * b == 0);
  m.equation("total", a + b == sqr(m.time()));
  const ConsistentPoint p = initialize(m, {.t = 3});
  ASSERT_EQ(p.status, Status::ok);
  EXPECT_NEAR(value(p, "a"), 12, 1e-13);
  EXPECT_NEAR(value(p, "b"), -3, 1e-13);
}

TEST(Initialize, says_so_if_structural_analysis_fails_and_no_conversion_helps) {
  Model m("Copies");
  const auto a = m.variable("a"), b = m.variable("b");
  m.equation("rate", der(a) + der(b) == 1);
  m.equation("total", a + b == m.time());
  const ConsistentPoint p = initialize(m);
  EXPECT_EQ(p.status, Status::structural_analysis_fails);
  ASSERT_THAT(p.problems, SizeIs(2));
  EXPECT_EQ(p.problems[0].id, "S-STR-001");
  EXPECT_THAT(p.problems[0].todo, testing::HasSubstr("0 = 0"));
}

TEST(Initialize, takes_the_time_from_the_options_or_the_experiment) {
  Model m("Clock");
  const auto x = m.variable("x");
  m.equation(x == m.time());
  m.set_experiment({.start_time = 3});
  EXPECT_EQ(value(initialize(m), "x"), 3);
  EXPECT_EQ(value(initialize(m, {.t = 5}), "x"), 5);
}

TEST(Initialize, finds_a_point_where_blocks_contain_derivatives_of_later_blocks) {
  Model m("Slack");
  const auto x = m.variable("x", {.start = {0.5}}), y = m.variable("y", {.start = {0.5}});
  const auto z = m.variable("z", {.start = {0.5}}), w = m.variable("w", {.start = {0.5}});
  m.equation(der(x) + 0.1 * pow(der(x), 3) + sin(w) == sin(m.time()));
  m.equation(der(w, 2) + 0.3 * pow(der(w, 2), 3) + der(y) == sin(m.time()));
  m.equation(der(z) + der(y, 4) == sin(m.time()));
  m.equation(der(y) + der(x, 2) == sin(m.time()));
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  EXPECT_LE(p.residual, rounding);
  const double rate = value(p, "x", 1);
  EXPECT_NEAR(rate + 0.1 * rate * rate * rate, -std::sin(value(p, "w")), rounding);
}

TEST(Initialize, knows_the_rounding_of_terms_without_unknowns) {
  // 0.1 + 0.2 - 0.3 and sin(pi) are not 0 but of the size of rounding, and so is x.
  Model m("Offsets");
  const auto x = m.variable("x", {.start = {0}});
  const auto a = m.parameter("a", 0.1), b = m.parameter("b", 0.2), c = m.parameter("c", 0.3);
  m.equation(x + pow(x, 3) + a + b == sin(m.time()) + c);
  const ConsistentPoint p = initialize(m, {.t = -std::numbers::pi});
  ASSERT_TRUE(p.ok());
  EXPECT_NEAR(value(p, "x"), 0, rounding);
}

TEST(Initialize, knows_the_rounding_inside_of_factors_and_functions) {
  for (const bool is_inside_log : {false, true}) {
    Model m("Offsets");
    const auto x = m.variable("x", {.start = {0}});
    const auto a = m.parameter("a", 0.1), b = m.parameter("b", 0.2), c = m.parameter("c", 0.3);
    const auto sum = x + pow(x, 3) + a + b - c;
    m.equation((is_inside_log ? log(1 + sum) : (2 + x) * sum) == 3 * sin(m.time()));
    const ConsistentPoint p = initialize(m, {.t = -std::numbers::pi});
    ASSERT_TRUE(p.ok());
    EXPECT_NEAR(value(p, "x"), 0, rounding);
  }
}

TEST(Initialize, leaves_guesses_that_are_consistent_with_values_not_given) {
  // x and y follow u and v, which are functions of time and have no guesses. While u and v are
  // still 0, x and y must not go to meet them.
  const double t = -1.2, u = 1.13 * std::exp(-2 * t), v = 1 / (1.5 + 0.39 * std::sin(t)) + 0.8;
  Model m("Followers");
  const auto x = m.variable("x", {.start = {u, -2 * u, 4 * u}});
  const auto y = m.variable("y", {.start = {v}});
  const auto first = m.variable("u"), second = m.variable("v");
  const auto mixed = [](const Expression& a, const Expression& b) {
    return 4 * a / (1 + 0.1 * tanh(a)) + 0.05 * sqrt(1 + sqr(b)) + 0.1 * cos(a * b);
  };
  m.equation(mixed(x, y) == mixed(first, second));
  m.equation(first == 1.13 * exp(-2 * m.time()));
  m.equation(second == 1 / (1.5 + 0.39 * sin(m.time())) + 0.8);
  m.equation(der(y, 3) + 0.1 * sin(der(x, 3)) == der(second, 3) + 0.1 * sin(der(first, 3)));
  const ConsistentPoint p = initialize(m, {.t = t});
  ASSERT_TRUE(p.ok());
  EXPECT_LT(p.distance, 1e-9);
}

TEST(Initialize, initialises_3000_unknowns_from_inconsistent_guesses) {
  // Pendula hung at 0, 1, 2, ... with springs between neighbours; springs do not enter the
  // constraints, so each goes to its own nearest point.
  Model m("Row");
  constexpr int size = 1000;
  std::vector<Expression> x, y, lambda;
  for (int k = 0; k < size; ++k) {
    x.push_back(m.variable(fmt::format("x[{}]", k), {.start = {k + 0.3, 0}}));
    y.push_back(m.variable(fmt::format("y[{}]", k), {.start = {-0.4, 0}}));
    lambda.push_back(m.variable(fmt::format("lambda[{}]", k)));
  }
  for (int k = 0; k < size; ++k) {
    Expression force = 0.0;
    if (k > 0) force += x[k - 1] - x[k] + 1;
    if (k + 1 < size) force += x[k + 1] - x[k] - 1;
    m.equation(der(x[k], 2) == -2 * lambda[k] * (x[k] - k) + force);
    m.equation(der(y[k], 2) == -2 * lambda[k] * y[k] - 1);
    m.equation(sqr(x[k] - k) + sqr(y[k]) == 1);
  }
  const ConsistentPoint p = initialize(m);
  ASSERT_TRUE(p.ok());
  for (int k = 0; k < size; ++k) {
    EXPECT_NEAR(value(p, fmt::format("x[{}]", k)), k + 0.6, 1e-12);  // eps times 1000
    EXPECT_NEAR(value(p, fmt::format("y[{}]", k)), -0.8, 1e-12);
  }
}

}  // namespace
}  // namespace daedal

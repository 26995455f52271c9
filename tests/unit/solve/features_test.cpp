// What a model does between the ends of a step: walls, bumps and steps that depend on the solution,
// each smaller than any tolerance where the step begins and where it would end. Witnesses are
// closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/model.hpp"
#include "daedal/solve.hpp"
#include "unit/solve/final_value.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

const std::vector<double> tolerances = {1e-4, 1e-6, 1e-9, 1e-12};
const double root_of_pi = std::sqrt(std::numbers::pi);

// A body passes x = -10 ... 10, or back; der(y) is what it meets.
Model road(const std::string& what, double width, double speed = 1.0) {
  return parse_model(
      "model Road\nparameter Real v = 1;\nparameter Real w = 1;\nReal x(start=-10*v, fixed=true);\n"
      "Real y(start=0, fixed=true);\nequation\nder(x) = v;\nder(y) = " +
          what + ";\nend Road;\n",
      "road.mo", {{"v", speed}, {"w", width}});
}

struct Feature {
  const char* name;
  const char* what;  // der(y), of x and w
  double width;
  double integral;
};

std::ostream& operator<<(std::ostream& out, const Feature& feature) { return out << feature.name; }

// 2 (2n)!!/(2n+1)!!, the integral of (1 - x^2)^n over [-1, 1].
double integral_of_arch(int n) {
  double result = 2.0;
  for (int k = 1; k <= n; ++k) result *= 2.0 * k / (2.0 * k + 1);
  return result;
}

const std::vector<Feature> features = {
    {"gauss", "exp(-(x/w)^2)", 0.1, 0.1 * root_of_pi},
    {"narrow_gauss", "exp(-(x/w)^2)", 1e-4, 1e-4 * root_of_pi},
    {"lorentz", "1/(1 + (x/w)^2)^2", 1e-3, 1e-3 * std::numbers::pi / 2},
    {"arch", "if x > -1 and x < 1 then (1 - x^2)^200 else 0", 0.1, integral_of_arch(200)},
    {"steps", "tanh((x - 1)/w) - tanh((x - 2)/w)", 0.01, 2.0},
    // With u = tanh(x): the integral of exp(-(u/w)^2) (1 + u^2 + u^4 + ...) du.
    {"gauss_of_tanh", "exp(-(tanh(x)/w)^2)", 0.01,
     0.01 * root_of_pi*(1 + 0.5e-4 + 0.75e-8 + 15.0 / 8 * 1e-12)},
    {"product", "x^2*exp(-(x/w)^2)*(2 + cos(x))/(2 + cos(x))", 0.1, 0.5e-3 * root_of_pi},
    {"square_of_tanh", "1 - tanh(x/w)^2", 0.008, 0.016},
    {"near_steps", "tanh(x/w) - tanh(x/w - 3)", 0.00136, 0.00136 * 6},
    {"between", "exp(-(x/w)^2)*(x/w)^2", 0.0087, 0.00435 * root_of_pi},
    {"hill", "1/cosh((x - 3)/w)^2", 0.05, 0.1},
};

class PassedFeature : public testing::TestWithParam<Feature> {};

TEST_P(PassedFeature, is_integrated_by_series_at_every_tolerance_in_both_directions) {
  const Feature& feature = GetParam();
  for (const double direction : {1.0, -1.0})  // of the road, not of time
    for (const double tolerance : tolerances) {
      SCOPED_TRACE(direction * tolerance);
      const Solution solution =
          solve(road(feature.what, feature.width, direction), {.to = 20, .tolerance = tolerance});
      ASSERT_EQ(solution.status(), Status::ok);
      // Each of some steps may be wrong by a tolerance.
      EXPECT_NEAR(test::final_value(solution, "y"), feature.integral, 20 * tolerance);
      EXPECT_LT(solution.statistics().steps, 200);
    }
}

TEST_P(PassedFeature, is_integrated_or_named_by_methods_without_series) {
  const Feature& feature = GetParam();
  for (const std::string method : {"dd-erk", "dd-ida", "bdf", "array", "completion"}) {
    SCOPED_TRACE(method);
    const Solution solution =
        solve(road(feature.what, feature.width), {.to = 20, .tolerance = 1e-8, .method = method});
    if (solution.ok()) {
      EXPECT_NEAR(test::final_value(solution, "y"), feature.integral, 1e-5);
      continue;
    }
    ASSERT_FALSE(solution.problems().empty());
    if (method == "array" && solution.statistics().steps == 0) continue;  // refused at its start
    EXPECT_EQ(solution.problems()[0].id, "S-INT-003");
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PassedFeature, testing::ValuesIn(features),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Backwards in time the same wall is met from the other side of the start.
TEST(PassedFeatures, are_seen_backwards_in_time) {
  for (const double tolerance : tolerances) {
    const Solution solution =
        solve(road("exp(-((x + 20)/w)^2)", 0.1), {.to = -20, .tolerance = tolerance});
    EXPECT_NEAR(test::final_value(solution, "y"), -0.1 * root_of_pi, 20 * tolerance);
  }
}

// der(x, 2) = -dU/dx with U = exp(-(2 x)^2): from x = -10 with x' = 1 the body turns where U = 1/2.
// The time until then is the integral of dx/sqrt(1 - 2 U); with x = a + y^2 from the turning point
// -a on, the integrand is smooth.
double time_to_the_wall() {
  const double a = 0.5 * std::sqrt(std::log(2.0));
  const double end = std::sqrt(10.0 - a);
  constexpr int num_points = 1000000;
  double sum = 0.0;
  for (int k = 0; k < num_points; ++k) {
    const double y = end * (k + 0.5) / num_points, x = a + y * y;
    sum += 2 * y / std::sqrt(-std::expm1(-4 * (x * x - a * a)));
  }
  return sum * end / num_points;
}

Model wall() {
  return parse_model(
      "model Wall\nReal x(start={-10,1}, fixed={true,true});\nequation\n"
      "der(x, 2) = 2*x/0.25*exp(-(x/0.5)^2);\nend Wall;\n",
      "wall.mo");
}

TEST(PassedFeatures, a_body_turns_at_a_wall_that_its_energy_does_not_pass) {
  const double exact = -10 - (20 - 2 * time_to_the_wall());
  EXPECT_NEAR(exact, -10.1390764, 1e-7);
  for (const double tolerance : tolerances) {
    const Solution solution = solve(wall(), {.to = 20, .tolerance = tolerance});
    EXPECT_NEAR(solution.final()[0], exact, 1000 * tolerance) << tolerance;
  }
}

TEST(PassedFeatures, a_wall_is_met_or_named_by_every_method) {
  const double exact = -10 - (20 - 2 * time_to_the_wall());
  for (const std::string method : {"dd-erk", "dd-ida", "bdf", "array", "completion"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE(method + " " + std::to_string(tolerance));
      const Solution solution = solve(wall(), {.to = 20, .tolerance = tolerance, .method = method});
      if (solution.ok())
        EXPECT_NEAR(solution.final()[0], exact, 1e4 * tolerance);
      else
        EXPECT_THAT(solution.problems()[0].what, HasSubstr("has stepped over"));
    }
}

TEST(PassedFeatures, a_limit_for_steps_leads_methods_without_series_through) {
  const double exact = -10 - (20 - 2 * time_to_the_wall());
  for (const std::string method : {"dd-erk", "dd-ida", "bdf", "array", "completion"}) {
    const Solution solution =
        solve(wall(), {.to = 20, .tolerance = 1e-8, .method = method, .max_step = 0.1});
    ASSERT_TRUE(solution.ok()) << method;
    EXPECT_NEAR(solution.final()[0], exact, 1e-4) << method;
  }
}

// No coefficient of x^40 up to order 39 differs from zero where x is.
TEST(PassedFeatures, a_power_whose_coefficients_all_vanish_is_seen) {
  for (const double tolerance : tolerances) {
    const Model model = parse_model(
        "model Power\nReal x(start=0, fixed=true), y(start=0, fixed=true);\nequation\n"
        "der(x) = 1;\nder(y) = x^40;\nend Power;\n",
        "power.mo");
    const Solution solution = solve(model, {.to = 1.2, .tolerance = tolerance});
    const double exact = std::pow(1.2, 41) / 41;
    EXPECT_NEAR(test::final_value(solution, "y"), exact, 20 * tolerance * (1 + exact));
  }
}

// The position is prescribed by a constraint (index 3); what is met is an algebraic variable.
TEST(PassedFeatures, are_seen_through_constraints_and_algebraic_variables) {
  const Model model = parse_model(
      "model Rail\nReal x(start={-10,1}), f, g, y(start=0, fixed=true);\nequation\n"
      "der(x, 2) = f;\nx = time - 10;\ng = exp(-(x/0.1)^2);\nder(y) = g;\nend Rail;\n",
      "rail.mo");
  const Model circle = parse_model(
      "model Circle\nReal x(start=-1), z(start={0,0.1}, fixed={true,true});\n"
      "Real l, y(start=0, fixed=true);\nequation\nder(x, 2) = -l*x;\nder(z, 2) = -l*z;\n"
      "x^2 + z^2 = 1;\nder(y) = exp(-((z - 0.7)/1e-3)^2);\nend Circle;\n",
      "circle.mo");
  for (const double tolerance : tolerances) {
    EXPECT_NEAR(test::final_value(solve(model, {.to = 20, .tolerance = tolerance}), "y"),
                0.1 * root_of_pi, 20 * tolerance);
    // z = sin(t/10): the peak is at t = 10 asin(0.7), and 1e-3/z' wide.
    EXPECT_NEAR(test::final_value(solve(circle, {.to = 15, .tolerance = tolerance}), "y"),
                1e-3 * root_of_pi / (0.1 * std::sqrt(1 - 0.49)), 20 * tolerance + 1e-6);
  }
}

TEST(PassedFeatures, members_in_lanes_each_meet_their_own) {
  std::vector<ParameterValues> members;
  for (const double w : {0.5, 0.1, 0.02, 0.004, 1e-3, 0.3}) members.push_back({{"w", w}});
  const std::string what = "exp(-(x/w)^2)";
  const auto solutions = solve_ensemble(road(what, 1.0), members, {.to = 20}, {.lanes = 4});
  for (std::size_t k = 0; k < members.size(); ++k) {
    const double w = members[k].at("w");
    EXPECT_NEAR(test::final_value(solutions[k], "y"), w * root_of_pi, 2e-8);
    EXPECT_EQ(solutions[k].final(), solve(road(what, w), {.to = 20}).final());
  }
}

// The current of a diode that blocks does not matter, though its series has no end on the step.
TEST(PassedFeatures, what_does_not_matter_does_not_make_steps_short) {
  const std::string circuit =
      "Real u(start={1, 0}, fixed={true, true}), i;\nequation\nder(u, 2) = -u;\n";
  const auto steps_of = [&](const std::string& current) {
    const Model model =
        parse_model("model Diode\n" + circuit + "i = " + current + ";\nend Diode;\n", "diode.mo");
    const Solution solution = solve(model, {.to = 100});
    EXPECT_TRUE(solution.ok());
    return solution.statistics().steps;
  };
  EXPECT_LE(steps_of("1e-30*exp((u - 1.1)/0.025)"), steps_of("0*u") + 2);
}

}  // namespace
}  // namespace daedal

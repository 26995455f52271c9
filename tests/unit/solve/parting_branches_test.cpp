// Branches that come near each other and part: u^2 = s^2 + g with u = x - 1, s = t - 1. For g > 0
// each turns back, x(3) = 1 -+ sqrt(4 + g); for g < 0 each ends at t = 1 - sqrt(-g); for g = 0 they
// meet, and the smooth continuation is a straight line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

constexpr double to = 3.0;

Model written(const std::string& body) {
  return parse_model("model M\n" + body + "end M;\n", "test.mo");
}

std::string number(double value) { return fmt::format("{}", value); }

// As a product, and as a sum in which the gap is smaller than the terms.
Model as_product(double gap, int side) {
  return written("Real x(start=" + std::string(side < 0 ? "-1" : "3") +
                 ");\nequation\n(x - time)*(x + time - 2) = " + number(gap) + ";\n");
}
Model as_sum(double gap, int side) {
  return written("Real x(start=" + std::string(side < 0 ? "-1" : "3") +
                 ");\nequation\nx^2 - 2*x - time^2 + 2*time = " + number(gap) + ";\n");
}

bool has_warning(const Solution& solution, const std::string& id) {
  return std::any_of(solution.warnings().begin(), solution.warnings().end(),
                     [&](const Problem& warning) { return warning.id == id; });
}

TEST(PartingBranches, are_followed_by_the_taylor_method_at_every_tolerance_and_gap) {
  for (const double gap : {1e-4, 1e-6, 1e-9, 1e-11, 1e-13})
    for (const double tolerance : {1e-4, 1e-6, 1e-9, 1e-12})
      for (const int side : {-1, 1})
        for (const Model& model : {as_product(gap, side), as_sum(gap, side)}) {
          const Solution solution = solve(model, {.to = to, .tolerance = tolerance});
          ASSERT_TRUE(solution.ok()) << gap << " " << tolerance;
          EXPECT_NEAR(solution.final()[0], 1 + side * std::sqrt(4 + gap), 100 * tolerance)
              << gap << " " << tolerance;
          EXPECT_FALSE(has_warning(solution, "W-SNG-001"));
        }
}

TEST(PartingBranches, are_followed_by_every_method) {
  for (const char* method : {"auto", "dd-erk", "dd-ida", "bdf", "array", "completion"})
    for (const int side : {-1, 1}) {
      const Solution solution = solve(as_product(1e-9, side), {.to = to, .method = method});
      ASSERT_TRUE(solution.ok()) << method;
      EXPECT_NEAR(solution.final()[0], 1 + side * std::sqrt(4 + 1e-9), 1e-7) << method;
    }
}

TEST(PartingBranches, that_end_are_not_jumped_over_a_gap) {
  for (const double gap : {1e-4, 1e-9, 1e-12})
    for (const double tolerance : {1e-4, 1e-6, 1e-9, 1e-12})
      for (const int side : {-1, 1}) {
        const Solution solution = solve(as_product(-gap, side), {.to = to, .tolerance = tolerance});
        EXPECT_FALSE(solution.ok()) << gap << " " << tolerance;
        EXPECT_NEAR(solution.t(), 1 - std::sqrt(gap), 0.01 * std::sqrt(gap)) << tolerance;
      }
}

TEST(PartingBranches, that_meet_after_all_are_still_crossed) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9, 1e-12})
    for (const int side : {-1, 1})
      for (const Model& model : {as_product(0.0, side), as_sum(0.0, side)}) {
        const Solution solution = solve(model, {.to = to, .tolerance = tolerance});
        ASSERT_TRUE(solution.ok()) << tolerance;
        EXPECT_NEAR(solution.final()[0], 1 - 2 * side, 100 * tolerance);
        EXPECT_TRUE(has_warning(solution, "W-SNG-001"));
      }
}

// The constraint's value at the point decides, not that of its derivatives.
TEST(PartingBranches, of_a_hidden_constraint_are_followed) {
  const Model model = written(
      "Real x(start=-1); Real v; Real w;\nequation\n(x - time)*(x + time - 2) = 1e-9;\n"
      "v = der(x);\nw = der(v);\n");
  const Solution solution = solve(model, {.to = to});
  ASSERT_TRUE(solution.ok());
  EXPECT_NEAR(solution.final()[0], 1 - std::sqrt(4 + 1e-9), 1e-7);
}

// Of a state that takes the place of time the error moves the point, and closes no gap.
TEST(PartingBranches, that_depend_on_a_state_are_followed) {
  for (const double tolerance : {1e-4, 1e-9}) {
    const Model model = written(
        "Real x(start=-1); Real y(start=0, fixed=true);\nequation\n"
        "(x - y)*(x + y - 2) = 1e-9;\nder(y) = 1;\n");
    const Solution solution = solve(model, {.to = to, .tolerance = tolerance});
    ASSERT_TRUE(solution.ok());
    EXPECT_NEAR(solution.final()[0], 1 - std::sqrt(4 + 1e-9), 100 * tolerance);
  }
}

// Two unknowns in one block: y = x/2 + z, where z = 0 is the only zero of z + z^3/2.
TEST(PartingBranches, of_two_unknowns_are_followed) {
  const Model model = written(
      "Real x(start=-1); Real y(start=-0.5);\nequation\n"
      "(x - time)*(x + time - 2) + (y - x/2) = 1e-9;\ny - x/2 + 0.5*(y - x/2)^3 = 0;\n");
  const Solution solution = solve(model, {.to = to});
  ASSERT_TRUE(solution.ok());
  EXPECT_NEAR(solution.final()[0], 1 - std::sqrt(4 + 1e-9), 1e-7);
}

// A wall of potential exp(-(x/0.5)^2)/2 turns back what comes with the energy 1/2 - exp(-400)/2,
// and the references are of runs by series at 1e-13.
TEST(StepsThatPassOverSomething, are_made_again_by_every_method) {
  const Model wall = written(
      "Real x(start={-10, 1}, fixed={true, true});\nequation\n"
      "der(x, 2) = 2*x/0.25*exp(-(x/0.5)^2);\n");
  // The integral of (1 - x^2)^200 from -1 to 1: 2^401 (200!)^2/401!.
  const Model bump = written(
      "Real x(start=-1, fixed=true); Real y(start=0, fixed=true);\nequation\n"
      "der(x) = 1;\nder(y) = (1 - x^2)^200;\n");
  const double integral =
      std::exp(401 * std::log(2.0) + 2 * std::lgamma(201.0) - std::lgamma(402.0));
  for (const char* method : {"auto", "dd-erk", "dd-ida", "bdf", "array", "completion"}) {
    const Solution turned = solve(wall, {.to = 20.0, .method = method});
    ASSERT_TRUE(turned.ok()) << method;
    EXPECT_NEAR(turned.final()[0], -10.139076436, 2e-6) << method;
    const Solution integrated = solve(bump, {.to = 2.0, .method = method});
    ASSERT_TRUE(integrated.ok()) << method;
    EXPECT_NEAR(integrated.final()[1], integral, 1e-8) << method;
  }
}

}  // namespace
}  // namespace daedal

// Constraints that depend on each other: named, and on request solved with multipliers of minimum
// norm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

// A plate on three parallel bars of length 1, hung from (a, 0); each of its three points has mass
// m.
Model plate(bool allow_redundant, double second_height = -0.8) {
  Model model("Plate");
  const double a[] = {0, 1, 3}, m = 2, g = 9.8;
  std::vector<Expression> x, y;
  for (int i = 0; i < 3; ++i)
    y.push_back(model.variable("y[" + std::to_string(i + 1) + "]",
                               {.start = {i == 1 ? second_height : -0.8, 0}}));
  for (int i = 0; i < 3; ++i)
    x.push_back(model.variable("x[" + std::to_string(i + 1) + "]", {.start = {a[i] + 0.6, 0}}));
  Lagrangian lagrangian;
  lagrangian.function = 0.0;
  for (int i = 0; i < 3; ++i) {
    lagrangian.function += 0.5 * m * (sqr(der(x[i])) + sqr(der(y[i]))) - m * g * y[i];
    lagrangian.constraints.push_back(
        {"bar[" + std::to_string(i + 1) + "]", sqr(x[i] - a[i]) + sqr(y[i]) == 1});
  }
  lagrangian.constraints.push_back({"width", x[1] - x[0] == 1});
  lagrangian.constraints.push_back({"level", y[1] == y[0]});
  lagrangian.constraints.push_back({"tail", x[2] - x[1] == 2});
  lagrangian.coordinates = x;
  lagrangian.coordinates.insert(lagrangian.coordinates.end(), y.begin(), y.end());
  lagrangian.allow_redundant = allow_redundant;
  add_lagrangian(model, lagrangian);
  return model;
}

TEST(RedundantConstraints, are_named_with_those_that_they_follow_from) {
  const Solution solution = solve(plate(false));
  EXPECT_FALSE(solution.ok());
  ASSERT_EQ(solution.problems().size(), 1U);
  EXPECT_EQ(solution.problems()[0].id, "S-LAG-001");
  EXPECT_THAT(solution.problems()[0].what,
              HasSubstr("'level' follows from 'bar[1]', 'bar[2]', 'width'"));
}

// Every mass swings on its own bar, as it would without the plate: the tension of a bar, 2 lambda,
// is m (v^2 + g depth), and nothing is left for the plate to do.
TEST(RedundantConstraints, share_forces_evenly_on_request) {
  const Solution solution = solve(plate(true), {.to = 3.0, .tolerance = 1e-12});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.variables().size(), 12U);
  for (const double t : {0.5, 1.7, 3.0}) {
    const double vx = solution("x[1]", t, 1), vy = solution("y[1]", t, 1);
    const double tension = 2 * (vx * vx + vy * vy - 9.8 * solution("y[1]", t));
    for (const char* bar : {"bar[1]", "bar[2]", "bar[3]"})
      EXPECT_NEAR(2 * solution(bar, t), tension, 1e-8) << t;
    for (const char* part : {"width", "level", "tail"}) EXPECT_NEAR(solution(part, t), 0, 1e-8);
    EXPECT_NEAR(solution("x[3]", t) - solution("x[2]", t), 2, 1e-10);  // the one left out
  }
  EXPECT_NEAR(solution.final_outputs()[0], solution.start().output_values[0], 1e-9);
}

// The guess has the second bar up, where all constraints but 'level' hold; with it they hold where
// all bars are parallel.
TEST(RedundantConstraints, left_out_must_hold_at_the_start) {
  const Solution solution = solve(plate(true, 0.8));
  EXPECT_EQ(solution.status(), Status::no_consistent_point);
  ASSERT_EQ(solution.problems().size(), 1U);
  EXPECT_EQ(solution.problems()[0].id, "S-LAG-002");
  EXPECT_THAT(solution.problems()[0].what, HasSubstr("'level'"));
}

// A beam on legs at -1, 0 and 2: forces alpha + beta a_i with sum m g and no torque are
// m g (6, 5, 3)/14.
TEST(RedundantConstraints, more_than_coordinates_are_balanced_too) {
  Model model("Table");
  const auto y = model.variable("y"), phi = model.variable("phi");
  Lagrangian table{.function = 0.5 * 7 * sqr(der(y)) + sqr(der(phi)) - 7 * 10.0 * y,
                   .coordinates = {y, phi},
                   .constraints = {y - phi == 0, y == 0, y + 2 * phi == 0},
                   .allow_redundant = true};
  add_lagrangian(model, table);
  const Solution solution = solve(model);
  ASSERT_TRUE(solution.ok());
  EXPECT_NEAR(-solution.final()[2], 30, 1e-10);
  EXPECT_NEAR(-solution.final()[3], 25, 1e-10);
  EXPECT_NEAR(-solution.final()[4], 15, 1e-10);
}

TEST(RedundantConstraints, too_many_for_the_structure_are_named_as_well) {
  Model model("Table");
  const auto y = model.variable("y"), phi = model.variable("phi");
  add_lagrangian(model, {.function = sqr(der(y)) + sqr(der(phi)),
                         .coordinates = {y, phi},
                         .constraints = {y - phi == 0, y == 0, {"third", y + 2 * phi == 0}}});
  const Analysis analysis = analyze(model);
  ASSERT_EQ(analysis.status, AnalysisStatus::structurally_singular);
  EXPECT_EQ(analysis.diagnosis.back().id, "S-LAG-001");
  EXPECT_THAT(analysis.diagnosis.back().what, HasSubstr("'third' follows from"));
}

// A rhombus of bars folded flat: its gradients depend on each other there, and nowhere near.
TEST(RedundantConstraints, a_linkage_that_is_stretched_out_is_a_singular_point_instead) {
  Model model("Rhombus");
  const auto at = [&](const char* name, double value) {
    return model.variable(name, {.start = {value, 0}, .fixed = {true, true}});
  };
  const auto x1 = at("x1", 1), y1 = at("y1", 0), x2 = at("x2", 2), y2 = at("y2", 0);
  add_lagrangian(model, {.function = sqr(der(x1)) + sqr(der(y1)) + sqr(der(x2)) + sqr(der(y2)),
                         .coordinates = {x1, y1, x2, y2},
                         .constraints = {sqr(x1) + sqr(y1) == 1, sqr(x2 - 1) + sqr(y2) == 1,
                                         sqr(x2 - x1) + sqr(y2 - y1) == 1}});
  const Solution solution = solve(model);
  EXPECT_FALSE(solution.ok());
  for (const Problem& problem : solution.problems()) EXPECT_NE(problem.id, "S-LAG-001");
}

TEST(RedundantConstraints, allowing_them_changes_nothing_where_there_are_none) {
  const auto pendulum = [](bool allow) {
    Model model("Pendulum");
    const auto x = model.variable("x", {.start = {1, 0}});
    const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
    add_lagrangian(model, {.function = sqr(der(x)) + sqr(der(y)) - 9.8 * y,
                           .coordinates = {x, y},
                           .constraints = {sqr(x) + sqr(y) == 1},
                           .allow_redundant = allow});
    return solve(model, {.to = 2}).final();
  };
  EXPECT_EQ(pendulum(true), pendulum(false));
}

}  // namespace
}  // namespace daedal

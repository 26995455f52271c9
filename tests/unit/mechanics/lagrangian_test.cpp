// Equations of motion from Lagrangians, compared with those written by hand, and what is refused.
#include "daedal/lagrangian.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "daedal/error.hpp"
#include "daedal/vector.hpp"
#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "mechanics/euler_lagrange.hpp"
#include "model/model_data.hpp"
#include "unit/mechanics/residual.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

expr::Simplified simplified(const Model& model) {
  std::vector<expr::NodeId> roots;
  for (const model::Equation& equation : model.data().equations) roots.push_back(equation.residual);
  return expr::simplify(*model.data().graph, roots);
}

// Every equation as "left - right", simplified.
std::vector<std::string> texts_of(const Model& model) {
  const expr::Simplified equations = simplified(model);
  std::vector<std::string> texts;
  for (const expr::NodeId root : equations.roots)
    texts.push_back(expr::to_text(*equations.graph, root));
  return texts;
}

std::vector<std::string> ids_of(const std::function<void()>& action) {
  std::vector<std::string> ids;
  try {
    action();
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) ids.push_back(problem.id);
  }
  return ids;
}

std::vector<std::string> names_of(const std::vector<model::Variable>& variables) {
  std::vector<std::string> names;
  for (const auto& variable : variables) names.push_back(variable.name);
  return names;
}

TEST(Lagrangian, the_pendulum_comes_out_as_written_by_hand) {
  Model model("Pendulum");
  const auto m = model.parameter("m", 2.0), g = model.parameter("g", 9.8),
             l = model.parameter("l", 10.0);
  const auto x = model.variable("x"), y = model.variable("y");
  const auto multipliers =
      add_lagrangian(model, {.function = 0.5 * m * (sqr(der(x)) + sqr(der(y))) + m * g * y,
                             .coordinates = {x, y},
                             .constraints = {sqr(x) + sqr(y) == sqr(l)}});
  ASSERT_EQ(multipliers.size(), 1U);

  Model by_hand("ByHand");
  by_hand.parameter("m", 2.0), by_hand.parameter("g", 9.8), by_hand.parameter("l", 10.0);
  {
    const auto X = by_hand.variable("x"), Y = by_hand.variable("y"),
               lambda = by_hand.variable("lambda[1]");
    const auto& p = by_hand.data().parameters;
    const auto at = [&](int k) {
      return Expression::of(by_hand.data().graph.get(), p[k].node.value);
    };
    by_hand.equation(at(0) * der(X, 2) + 2 * lambda * X == 0);
    by_hand.equation(at(0) * der(Y, 2) - at(0) * at(1) + 2 * lambda * Y == 0);
    by_hand.equation(sqr(X) + sqr(Y) == sqr(at(2)));
  }
  // One more: -m*g comes first in its sum, which is then stored with the sign pulled out.
  EXPECT_EQ(simplified(model).graph->size(), simplified(by_hand).graph->size() + 1);
  EXPECT_EQ(texts_of(model)[0], "m*der(x, 2) + 2*x*lambda[1]");
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(residual_at_a_point(model, i), residual_at_a_point(by_hand, i));
}

// Zhu et al. 2010, as printed in [Pryce2018, eq. (21)]; the equations of motion by hand.
TEST(Lagrangian, a_cart_with_a_rod_has_the_equations_known_for_it) {
  Model model("Rod");
  const auto x = model.variable("x"), th = model.variable("th");
  const double M = 5, m = 2, a = 1, k = 10, g = 9.8;
  add_lagrangian(model,
                 {.function = 0.5 * (M + m) * sqr(der(x)) + m * a * der(x) * der(th) * cos(th) +
                              2.0 / 3 * m * a * a * sqr(der(th)) - 0.5 * k * sqr(x) -
                              m * g * a * (1 - cos(th)),
                  .coordinates = {x, th}});
  Model by_hand("ByHand");
  const auto X = by_hand.variable("x"), T = by_hand.variable("th");
  by_hand.equation(
      (M + m) * der(X, 2) + m * a * (cos(T) * der(T, 2) - sin(T) * sqr(der(T))) + k * X == 0);
  by_hand.equation(
      m * a * cos(T) * der(X, 2) + 4.0 / 3 * m * a * a * der(T, 2) + m * g * a * sin(T) == 0);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(residual_at_a_point(model, i), residual_at_a_point(by_hand, i), 1e-14);
}

TEST(Lagrangian, derivatives_of_expressions_may_stand_in_it) {
  Model model("Polar");
  const auto phi = model.variable("phi");
  const Expression x = 2 * sin(phi), y = -2 * cos(phi);
  add_lagrangian(model,
                 {.function = 0.5 * (sqr(der(x)) + sqr(der(y))) - 9.8 * y, .coordinates = {phi}});
  Model by_hand("ByHand");
  const auto p = by_hand.variable("phi");
  by_hand.equation(4 * der(p, 2) + 2 * 9.8 * sin(p) == 0);
  EXPECT_NEAR(residual_at_a_point(model, 0), residual_at_a_point(by_hand, 0), 1e-14);
}

TEST(Lagrangian, a_potential_of_inverse_distance_is_one_power) {
  Model model("Kepler");
  const auto mu = model.parameter("mu", 3.0);
  const auto x = model.variable("x"), y = model.variable("y"), z = model.variable("z");
  const Vector3<Expression> r(x, y, z);
  add_lagrangian(model, {.function = 0.5 * sqr(der(r)) + mu / norm(r), .coordinates = {x, y, z}});
  EXPECT_THAT(texts_of(model)[0], HasSubstr("^2)^(-1.5)"));
  EXPECT_THAT(texts_of(model)[0], testing::Not(HasSubstr("sqrt")));
}

TEST(Lagrangian, constraints_on_velocities_push_along_their_velocity_gradient) {
  Model model("Skate");
  const auto x = model.variable("x"), y = model.variable("y"), phi = model.variable("phi");
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y)) + 3 * sqr(der(phi))) - 2 * x,
                         .coordinates = {x, y, phi},
                         .constraints = {{"edge", der(x) * sin(phi) == der(y) * cos(phi)}}});
  Model by_hand("ByHand");
  const auto X = by_hand.variable("x"), Y = by_hand.variable("y"), P = by_hand.variable("phi"),
             edge = by_hand.variable("edge");
  by_hand.equation(der(X, 2) + 2 + edge * sin(P) == 0);
  by_hand.equation(der(Y, 2) - edge * cos(P) == 0);
  by_hand.equation(3 * der(P, 2) == 0);
  by_hand.equation(der(X) * sin(P) == der(Y) * cos(P));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(residual_at_a_point(model, i), residual_at_a_point(by_hand, i), 1e-14) << i;
}

TEST(Lagrangian, moving_constraints_forces_and_dissipation_take_their_places) {
  Model model("Driven");
  const auto u = model.variable("u");
  const auto x = model.variable("x"), y = model.variable("y");
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y))),
                         .coordinates = {x, y},
                         .constraints = {sqr(x) + sqr(y) == 2 + sin(model.time())},
                         .forces = {{x, u}, {x, -3 * y}},
                         .dissipation = 0.25 * sqr(der(x) - der(y))});
  Model by_hand("ByHand");
  const auto U = by_hand.variable("u");
  const auto X = by_hand.variable("x"), Y = by_hand.variable("y"), L = by_hand.variable("l");
  by_hand.equation(der(X, 2) + 2 * L * X + 0.5 * (der(X) - der(Y)) == U - 3 * Y);
  by_hand.equation(der(Y, 2) + 2 * L * Y - 0.5 * (der(X) - der(Y)) == 0);
  by_hand.equation(sqr(X) + sqr(Y) == 2 + sin(by_hand.time()));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(residual_at_a_point(model, i), residual_at_a_point(by_hand, i), 1e-14) << i;
}

TEST(Lagrangian, rates_go_inside_sums_and_constant_factors_only) {
  Model model("M");
  const auto p = model.parameter("p", 2.0);
  const auto x = model.variable("x"), y = model.variable("y");
  expr::Graph& graph = *model.data().graph;
  const auto rate = [&](const Expression& e) {
    const expr::NodeId node(e.node());
    return expr::to_text(graph, mechanics::rates_of(graph, {&node, 1})[0]);
  };
  // The compiler chooses which operand of + is made first, and terms are printed in that order.
  const Expression first = p * der(x);
  EXPECT_EQ(rate(first + 2 * p * y + 7), "p*der(x, 2) + 2*p*der(y)");
  EXPECT_EQ(rate(p * x * y / p), "p*der(x*y)/p");
  EXPECT_EQ(rate(p * sqr(p)), "0");
}

TEST(Lagrangian, multipliers_are_called_like_their_constraints_or_lambda) {
  Model model("Names");
  const auto x = model.variable("x"), y = model.variable("y"), z = model.variable("z");
  add_lagrangian(model, {.function = sqr(der(x)) + sqr(der(y)) + sqr(der(z)),
                         .coordinates = {x, y, z},
                         .constraints = {x + y == 1, {"floor", z == 0}, x - y == 2}});
  EXPECT_THAT(names_of(model.data().variables),
              ElementsAre("x", "y", "z", "lambda[1]", "floor", "lambda[2]"));
  std::vector<std::string> labels;
  for (const auto& equation : model.data().equations) labels.push_back(equation.name);
  EXPECT_THAT(labels, ElementsAre("motion(x)", "motion(y)", "motion(z)", "constraint(1)", "floor",
                                  "constraint(2)"));
}

// ---- what is refused ----

class Refused : public testing::Test {
 protected:
  std::vector<std::string> ids(const Lagrangian& lagrangian) {
    return ids_of([&] { add_lagrangian(model, lagrangian); });
  }

  Model model{"Refused"};
  Expression p = model.parameter("p", 1.0);
  Expression x = model.variable("x"), y = model.variable("y"), u = model.variable("u");
  Expression L = sqr(der(x)) + sqr(der(y));
};

TEST_F(Refused, coordinates_that_are_no_unknowns_or_given_twice) {
  EXPECT_THAT(ids({.function = L, .coordinates = {x + y, p, 3.0}}),
              ElementsAre("E-LAG-001", "E-LAG-001", "E-LAG-001"));
  EXPECT_THAT(ids({.function = L, .coordinates = {x, y, x}}), ElementsAre("E-LAG-001"));
  EXPECT_THAT(ids({.function = L, .coordinates = {}}), ElementsAre("E-LAG-001"));
}

TEST_F(Refused, functions_without_velocities_or_with_accelerations) {
  EXPECT_THAT(ids({.function = x * der(u), .coordinates = {x, y}}), ElementsAre("E-LAG-002"));
  EXPECT_THAT(ids({.function = L, .coordinates = {x, y}, .dissipation = x}),
              ElementsAre("E-LAG-002"));
  EXPECT_THAT(ids({.function = L + der(x * der(y)), .coordinates = {x, y}}),
              ElementsAre("E-LAG-003"));
}

TEST_F(Refused, constraints_without_coordinates_and_forces_on_others) {
  EXPECT_THAT(ids({.function = L,
                   .coordinates = {x, y},
                   .constraints = {u == p, {"bent", der(x, 2) == 0}},
                   .forces = {{u, 1.0}}}),
              ElementsAre("E-LAG-005", "E-LAG-004", "E-LAG-003"));
}

TEST_F(Refused, names_that_are_taken) {
  EXPECT_THAT(ids({.function = L, .coordinates = {x, y}, .constraints = {{"p", x == y}}}),
              ElementsAre("E-LAG-006"));
}

TEST_F(Refused, a_second_lagrangian) {
  EXPECT_TRUE(ids({.function = sqr(der(x)), .coordinates = {x}}).empty());
  EXPECT_THAT(ids({.function = sqr(der(y)), .coordinates = {y}}), ElementsAre("E-LAG-007"));
}

TEST_F(Refused, a_second_lagrangian_where_it_was_added) {
  add_lagrangian(model, {.function = sqr(der(x)), .coordinates = {x}});
  try {
    add_lagrangian(model, {.function = sqr(der(y)), .coordinates = {y}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.problems()[0].where, testing::HasSubstr("lagrangian_test.cpp:"));
  }
}

TEST_F(Refused, expressions_of_another_model) {
  Model other("Other");
  EXPECT_THAT(ids({.function = L, .coordinates = {other.variable("q")}}), ElementsAre("E-MOD-006"));
}

}  // namespace
}  // namespace daedal

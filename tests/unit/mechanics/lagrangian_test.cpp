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
#include "model/check.hpp"
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

// The tip of an arm of two links, defined by equations, in the Lagrangian: the equations of motion
// are those of the same model with the expressions inserted. The last two equations are the arm's
// own.
struct Arm {
  Model model = Model("Arm");
  Expression q1 = model.variable("q1"), q2 = model.variable("q2");
  Expression x = model.variable("x"), y = model.variable("y");
  Expression elbow = model.variable("elbow");

  void define() {
    model.equation(x == 1.5 * cos(q1) + elbow);  // by another definition, which comes later
    model.equation(0.7 * sin(q1 + q2) + 1.5 * sin(q1) == y);
    model.equation(elbow == 0.7 * cos(q1 + q2));
  }
  void add(const Expression& tip_x, const Expression& tip_y) {
    add_lagrangian(model, {.function = 0.5 * sqr(der(q1)) + 0.2 * sqr(der(q2)) + sqr(der(tip_x)) +
                                       sqr(der(tip_y)) - 19.62 * tip_y,
                           .coordinates = {q1, q2},
                           .constraints = {{"wall", sqr(tip_x) == 0.3 * tip_y}},
                           .dissipation = 0.1 * sqr(der(tip_x))});
  }
};

TEST(Lagrangian, of_unknowns_that_equations_define_is_that_of_their_expressions) {
  Arm by_name, inserted;
  by_name.define();
  by_name.add(by_name.x, by_name.y);
  inserted.define();
  inserted.add(1.5 * cos(inserted.q1) + 0.7 * cos(inserted.q1 + inserted.q2),
               0.7 * sin(inserted.q1 + inserted.q2) + 1.5 * sin(inserted.q1));
  ASSERT_EQ(by_name.model.data().equations.size(), 6U);
  for (const std::size_t motion : {3U, 4U})
    EXPECT_NEAR(residual_at_a_point(by_name.model, motion),
                residual_at_a_point(inserted.model, motion), 1e-12);
  EXPECT_THAT(by_name.model.data().mechanics->given, testing::IsEmpty());
  EXPECT_NE(residual_at_a_point(by_name.model, 5), residual_at_a_point(inserted.model, 5))
      << "the constraint stays as it was written";
}

TEST(Lagrangian, refuses_unknowns_that_follow_coordinates_without_a_definition) {
  const auto ids = [](const std::function<void(Model&, Expression, Expression)>& tie) {
    Model m("Tied");
    const auto q = m.variable("q"), x = m.variable("x");
    return ids_of([&] {
      tie(m, q, x);
      add_lagrangian(m, {.function = 0.5 * sqr(der(q)) - x, .coordinates = {q}});
      model::check(m.data());
    });
  };
  using Tie = std::function<void(Model&, Expression, Expression)>;
  const Tie implicit = [](Model& m, Expression q, Expression x) {
    m.equation(x + x * x * x == cos(q));
  };
  const Tie rates = [](Model& m, Expression q, Expression x) {
    m.equation(der(x) == -sin(q) * der(q));
  };
  const Tie circle = [](Model& m, Expression q, Expression x) {
    const auto z = m.variable("z");
    m.equation(x == z + cos(q));
    m.equation(z == 0.5 * x);
  };
  const Tie rates_by_name = [](Model& m, Expression q, Expression x) {
    const auto v = m.variable("v");
    m.equation(v == der(x));
    m.equation(v == 3 * der(q));
  };
  EXPECT_THAT(ids(implicit), ElementsAre("E-LAG-008"));
  EXPECT_THAT(ids(rates), ElementsAre("E-LAG-008"));
  EXPECT_THAT(ids(circle), ElementsAre("E-LAG-008"));
  EXPECT_THAT(ids(rates_by_name), ElementsAre("E-LAG-008"));
}

TEST(Lagrangian, accepts_unknowns_that_do_not_move_with_the_coordinates) {
  Model m("Crane");
  const auto q = m.variable("q"), l = m.variable("l"), w = m.variable("w"),
             load = m.variable("load");
  m.equation(load == l * cos(q));
  m.equation(der(l) == w);
  m.equation(2 * der(w) == sin(m.time()) - 0.1 * l - 0.3 * q);  // a motor with feedback
  add_lagrangian(m, {.function = 0.5 * sqr(l * der(q)) + 0.5 * sqr(der(l)) + 9.81 * l * cos(q),
                     .coordinates = {q}});
  EXPECT_NO_THROW(model::check(m.data()));
  EXPECT_EQ(m.data().mechanics->given.size(), 1U);
}

TEST(Lagrangian, of_an_unknown_that_is_defined_after_it_is_refused_when_the_model_is_checked) {
  Model m("Late");
  const auto q = m.variable("q"), x = m.variable("x");
  add_lagrangian(m, {.function = 0.5 * sqr(der(q)) - x, .coordinates = {q}});
  m.equation(x == cos(q));
  try {
    model::check(m.data());
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].id, "E-LAG-008");
    EXPECT_THAT(error.problems()[0].what, HasSubstr("'x'"));
    EXPECT_THAT(error.problems()[0].why, HasSubstr("'x = cos(q)'"));
  }
}

}  // namespace
}  // namespace daedal

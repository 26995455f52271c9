#include "reduce/dummy/dummy_derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_data.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {
namespace {

// A model with what dummy derivatives need to know of it; all nominal values are 1.
struct Problem {
  explicit Problem(const Model& given) : model(given) {
    for (const model::Equation& equation : model.data().equations)
      residuals.push_back(equation.residual);
    structure =
        structure::analyze_structure(structure::signature_of(*model.data().graph, residuals));
    nominals.assign(structure.d.size(), 1.0);
  }
  DummyDerivatives dummies() const {
    return DummyDerivatives({.graph = *model.data().graph,
                             .residuals = residuals,
                             .structure = structure,
                             .parameters = parameters,
                             .nominals = nominals,
                             .tolerance = 1e-9});
  }

  const Model& model;
  std::vector<NodeId> residuals;
  structure::Structure structure;
  std::vector<double> parameters, nominals;
};

constexpr double g = 9.81;

// y points downwards [Pryce2018, eq. (12)], l = 1.
Model pendulum() {
  Model model("Pendulum");
  const auto x = model.variable("x"), y = model.variable("y"), lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation(sqr(x) + sqr(y) == 1);
  return model;
}

// All items at an angle, by hand: lambda = phi'^2 + g y with y = cos phi.
std::vector<std::vector<double>> on_circle(double phi, double omega) {
  const double x = std::sin(phi), y = std::cos(phi), lambda = omega * omega + g * y;
  return {{x, omega * y, -lambda * x}, {y, -omega * x, g - lambda * y}, {lambda}};
}

TEST(DummyDerivatives, finds_the_items_of_the_pendulum_from_two) {
  const Model model = pendulum();
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  for (const double phi : {0.3, 1.2, 2.0, 3.0, 4.5}) {
    const std::vector<double> exact = dummies.items_of(on_circle(phi, 1.7));
    ASSERT_TRUE(dummies.choose_state(0.0, exact));
    std::vector<double> items = exact;
    for (const int column : dummies.mode().solved_columns()) items[column] *= 1.05;
    ASSERT_TRUE(dummies.solve(0.0, items)) << phi;
    for (std::size_t k = 0; k < items.size(); ++k) EXPECT_NEAR(items[k], exact[k], 1e-9) << phi;
    EXPECT_LE(dummies.residual(0.0, items), 1e-10);
  }
}

// A full turn in small steps: four switches, two entries in the table, both used again.
TEST(DummyDerivatives, of_the_pendulum_switch_four_times_a_turn) {
  const Model model = pendulum();
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  ASSERT_TRUE(dummies.choose_state(0.0, dummies.items_of(on_circle(0.0, 2.0))));
  const int steps_per_turn = 400, turns = 5;
  for (int k = 1; k <= turns * steps_per_turn; ++k) {
    const double phi = 2 * M_PI * k / steps_per_turn;
    dummies.switch_if_bad(0.0, dummies.items_of(on_circle(phi, 2.0)));
    EXPECT_LE(dummies.growth(), StateSelection::largest_growth);
  }
  EXPECT_EQ(dummies.counters().switches, 4 * turns);
  EXPECT_EQ(dummies.modes().size(), 2u);
}

// [Pryce2018, sec. 3.4.1] expects 1 to 3 evaluations of f^(c) for one of F with good guesses, and
// less than one factorisation for several of these; guesses here are off by 1e-8.
TEST(DummyDerivatives, need_few_evaluations_along_a_path) {
  const Model model = pendulum();
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  std::vector<double> items = dummies.items_of(on_circle(0.2, 1.0));
  ASSERT_TRUE(dummies.choose_state(0.0, items));
  const int num_points = 200;
  const auto at = [&](int k) { return dummies.items_of(on_circle(0.2 + 0.002 * k, 1.0)); };
  for (int k = 1; k <= num_points; ++k) {
    const std::vector<double> exact = at(k), last = at(k - 1), before = at(k - 2),
                              first = at(k - 3);
    for (const int column : dummies.mode().solved_columns())  // extrapolated
      items[column] = 3 * last[column] - 3 * before[column] + first[column];
    for (const int column : dummies.mode().state_columns()) items[column] = exact[column];
    ASSERT_TRUE(dummies.solve(0.0, items));
    if (k % 10 == 0) dummies.switch_if_bad(0.0, items);  // the end of a step
  }
  EXPECT_LE(dummies.counters().evaluations, 5 * num_points);
  EXPECT_LE(dummies.counters().factorisations, num_points / 5);
}

// x' = -x + y, y' = x t: linear in the highest derivatives, with a constant matrix.
TEST(DummyDerivatives, of_an_explicit_ode_need_one_evaluation) {
  Model model("Ode");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x) == -x + y);
  model.equation(der(y) == x * model.time());
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  std::vector<double> items = dummies.items_of({{2.0, 0.0}, {3.0, 0.0}});
  ASSERT_TRUE(dummies.choose_state(0.5, items));
  EXPECT_TRUE(dummies.mode().is_constant());
  ASSERT_TRUE(dummies.solve(0.5, items));
  EXPECT_DOUBLE_EQ(items[dummies.column(0, 1)], 1.0);
  EXPECT_DOUBLE_EQ(items[dummies.column(1, 1)], 1.0);
  EXPECT_EQ(dummies.counters().evaluations, 1);
}

// lambda = omega^2 + g y moves by 2 omega^2 and more if the velocity does by its size.
TEST(DummyDerivatives, respond_to_the_state) {
  const Model model = pendulum();
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  const std::vector<double> items = dummies.items_of(on_circle(0.1, 10.0));
  ASSERT_TRUE(dummies.choose_state(0.0, items));
  std::vector<double> moves(items.size(), 0.0), responses(items.size());
  for (const int column : dummies.mode().state_columns()) moves[column] = std::abs(items[column]);
  dummies.array().linearise(dummies.point(0.0, items));
  dummies.find_responses(moves, responses);
  EXPECT_NEAR(responses[dummies.column(2, 0)], 200.0, 20.0);
}

TEST(DummyDerivatives, find_no_state_where_the_jacobian_is_singular) {
  Model model("Fold");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x) == y);
  model.equation(sqr(y) == x);
  const Problem problem(model);
  DummyDerivatives dummies = problem.dummies();
  std::vector<double> items = dummies.items_of({{0.0, 0.0}, {0.0, 0.0}});
  dummies.choose_state(0.0, items);
  EXPECT_FALSE(dummies.solve(0.0, items));
}

}  // namespace
}  // namespace daedal::reduce

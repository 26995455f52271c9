#include "reduce/index_form.hpp"

#include <gmock/gmock.h>

#include "daedal/model.hpp"
#include "expr/evaluate.hpp"
#include "model/model_data.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {
namespace {

using testing::ElementsAre;

struct Analysed {
  explicit Analysed(const Model& model) : graph(*model.data().graph) {
    for (const model::Equation& equation : model.data().equations)
      residuals.push_back(equation.residual);
    structure = structure::analyze_structure(structure::signature_of(graph, residuals));
  }
  IndexForm form(std::optional<int> index) const {
    return index_form(graph, residuals, structure, index);
  }

  const expr::Graph& graph;
  std::vector<NodeId> residuals;
  structure::Structure structure;
};

constexpr double g = 9.80665;

// Of unit mass and length, y upwards: unknowns x, y, lambda; c = (0, 0, 2), d = (2, 2, 0).
Model pendulum() {
  Model model("Pendulum");
  const auto x = model.variable("x"), y = model.variable("y"), lambda = model.variable("lambda");
  model.equation(der(x, 2) + lambda * x == 0);
  model.equation(der(y, 2) + lambda * y + g == 0);
  model.equation(sqr(x) + sqr(y) - 1 == 0);
  return model;
}

// What the pendulum does at an angle with a rate, computed by its own equation phi'' = -g cos phi.
struct Motion {
  double phi, omega;

  double x() const { return std::cos(phi); }
  double y() const { return std::sin(phi); }
  double u() const { return -omega * y(); }
  double v() const { return omega * x(); }
  double lambda() const { return omega * omega - g * y(); }
  double turn() const { return -g * x(); }  // phi''
  double u_slope() const { return -turn() * y() - omega * omega * x(); }
  double v_slope() const { return turn() * x() - omega * omega * y(); }
  double lambda_slope() const { return -3 * g * v(); }
  double third_x() const { return -lambda_slope() * x() - lambda() * u(); }
  double third_y() const { return -lambda_slope() * y() - lambda() * v(); }
};

// By unknown of the form: its value and its slope.
std::vector<double> residuals_at(const IndexForm& form,
                                 const std::vector<std::pair<double, double>>& point) {
  expr::Evaluator evaluator(*form.system.graph);
  std::vector<double> values;
  for (const NodeId residual : form.system.residuals)
    values.push_back(evaluator.value(
        residual, {.time = 0.0, .parameters = {}, .unknown = [&](expr::UnknownId u, int k) {
                     return k == 0 ? point[u.index()].first : point[u.index()].second;
                   }}));
  return values;
}

std::vector<std::pair<double, double>> point_of(const Motion& m) {
  return {{m.x(), m.u()},
          {m.y(), m.v()},
          {m.lambda(), m.lambda_slope()},
          {m.u(), m.u_slope()},
          {m.v(), m.v_slope()}};
}

TEST(IndexForm, of_the_pendulum_holds_on_its_motion_whatever_the_index) {
  const Model model = pendulum();
  const Analysed analysed(model);
  const Motion motion = {0.3, 1.7};
  for (const std::optional<int> index : {std::optional<int>(), {3}, {2}, {1}}) {
    const IndexForm form = analysed.form(index);
    ASSERT_EQ(form.num_unknowns(), 5);
    for (const double value : residuals_at(form, point_of(motion))) EXPECT_NEAR(value, 0, 1e-14);
  }
}

// A point off the circle in its position, velocity, acceleration: C, C', C'' and no other notices.
TEST(IndexForm, replaces_the_constraint_by_its_derivatives) {
  const Model model = pendulum();
  const Analysed analysed(model);
  auto point = point_of({0.3, 1.7});
  const double x = point[0].first, y = point[1].first;
  const auto constraint = [&](std::optional<int> index) {
    return std::abs(residuals_at(analysed.form(index), point)[2]);
  };
  point[3].first += 0.01;  // u
  EXPECT_NEAR(constraint(3), 0, 1e-14);
  EXPECT_NEAR(constraint(2), 2 * x * 0.01, 1e-14);
  point[3].first -= 0.01;
  point[4].second += 0.01;  // y''
  EXPECT_NEAR(constraint({}), 0, 1e-14);
  EXPECT_NEAR(constraint(2), 0, 1e-14);
  EXPECT_NEAR(constraint(1), 2 * std::abs(y) * 0.01, 1e-14);
}

// u' = -lambda x, v' = -lambda y - g, lambda' = -3 g v, with x''' and y''' as unknowns.
TEST(IndexForm, of_index_0_is_the_pendulums_ordinary_equation) {
  const Model model = pendulum();
  const IndexForm form = Analysed(model).form(0);
  EXPECT_THAT(form.meaning, ElementsAre(Place{0, 0}, Place{1, 0}, Place{2, 0}, Place{0, 3},
                                        Place{1, 3}, Place{0, 1}, Place{1, 1}));
  EXPECT_THAT(form.is_auxiliary, ElementsAre(0, 0, 0, 1, 1, 0, 0));
  EXPECT_THAT(form.orders, ElementsAre(3, 3, 1));
  const Motion m = {0.3, 1.7};
  auto point = point_of(m);
  point.insert(point.begin() + 3, {{m.third_x(), 0.0}, {m.third_y(), 0.0}});
  for (const double value : residuals_at(form, point)) EXPECT_NEAR(value, 0, 1e-13);
  point[2].second += 1.0;  // lambda' is determined
  double largest = 0.0;
  for (const double value : residuals_at(form, point)) largest = std::max(largest, std::abs(value));
  EXPECT_GT(largest, 0.1);
}

// An ordinary equation has nothing to lose.
TEST(IndexForm, of_index_0_without_algebraic_unknowns_is_that_of_index_1) {
  Model model("Oscillator");
  const auto x = model.variable("x");
  model.equation(der(x, 2) + x == 0);
  const IndexForm form = Analysed(model).form(0);
  EXPECT_EQ(form.num_unknowns(), 2);
  EXPECT_THAT(form.is_auxiliary, ElementsAre(0, 0));
}

// Unknowns x, y, lambda, x', y'.
TEST(IndexForm, knows_the_levels_of_the_pendulum) {
  const Model model = pendulum();
  const Analysed analysed(model);
  EXPECT_THAT(analysed.form({}).levels, ElementsAre(1, 1, 3, 2, 2));
  EXPECT_THAT(analysed.form(3).levels, ElementsAre(1, 1, 3, 2, 2));
  EXPECT_THAT(analysed.form(2).levels, ElementsAre(1, 1, 2, 1, 1));
  EXPECT_THAT(analysed.form(1).levels, ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(analysed.form(0).levels, ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

// x_1 is given; each of the others is the derivative of the one before: blocks of their own.
TEST(IndexForm, counts_levels_along_a_chain_of_blocks) {
  Model model("Chain");
  const auto x = model.variables("x", 4);
  model.equation(x[0] == sin(model.time()));
  for (int k = 1; k < 4; ++k) model.equation(x[k] == der(x[k - 1]));
  const Analysed analysed(model);
  EXPECT_THAT(analysed.form({}).levels, ElementsAre(1, 2, 3, 4));
  const std::vector<int> of_index_2 = analysed.form(2).levels;
  EXPECT_EQ(*std::max_element(of_index_2.begin(), of_index_2.end()), 2);
}

// w' = lambda: an error of lambda of size h^-2 is one of w of size h^-1. p' = w: of none.
TEST(IndexForm, passes_levels_on_to_what_depends_on_them) {
  Model model("Driven");
  const auto x = model.variable("x"), y = model.variable("y"), lambda = model.variable("lambda");
  const auto w = model.variable("w"), p = model.variable("p");
  model.equation(der(x, 2) + lambda * x == 0);
  model.equation(der(y, 2) + lambda * y + g == 0);
  model.equation(sqr(x) + sqr(y) - 1 == 0);
  model.equation(der(w) == lambda);
  model.equation(der(p) == w);
  EXPECT_THAT(Analysed(model).form({}).levels, ElementsAre(1, 1, 3, 2, 1, 2, 2));
}

// Rows A, B, C, x' = u, y' = v.
TEST(IndexForm, scales_rows_and_columns_by_the_offsets) {
  const Model model = pendulum();
  const IndexForm form = Analysed(model).form({});
  EXPECT_THAT(form.row_powers, ElementsAre(0, 0, 2, 1, 1));
  EXPECT_THAT(form.column_powers, ElementsAre(2, 2, 0, 1, 1));
}

TEST(IndexForm, tells_where_derivatives_of_the_users_unknowns_are) {
  const Model model = pendulum();
  const IndexForm form = Analysed(model).form({});
  EXPECT_THAT(form.orders, ElementsAre(2, 2, 1));
  EXPECT_EQ(form.places[0][1].unknown, 3);
  EXPECT_FALSE(form.places[0][1].is_slope);
  EXPECT_EQ(form.places[0][2].unknown, 3);
  EXPECT_TRUE(form.places[0][2].is_slope);
}

}  // namespace
}  // namespace daedal::reduce

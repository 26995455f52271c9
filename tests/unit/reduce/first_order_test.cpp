#include "reduce/array/first_order.hpp"

#include <gmock/gmock.h>

#include "daedal/model.hpp"
#include "expr/evaluate.hpp"
#include "model/model_data.hpp"

namespace daedal::reduce {
namespace {

using testing::ElementsAre;

FirstOrderForm form_of(const Model& model) {
  std::vector<NodeId> residuals;
  for (const model::Equation& equation : model.data().equations)
    residuals.push_back(equation.residual);
  return first_order_form(*model.data().graph, residuals, {});
}

double residual(const FirstOrderForm& form, std::size_t row,
                const std::vector<std::vector<double>>& derivatives) {
  expr::Evaluator evaluator(*form.graph);
  return evaluator.value(form.residuals[row],
                         {.time = 0.0, .parameters = {}, .unknown = [&](expr::UnknownId j, int k) {
                            return derivatives[j.index()].at(static_cast<std::size_t>(k));
                          }});
}

TEST(FirstOrderForm, gives_derivatives_below_the_highest_unknowns_of_their_own) {
  Model model("Mixed");
  const auto x = model.variable("x"), y = model.variable("y"), z = model.variable("z");
  model.equation(der(x, 3) + y == 0);
  model.equation(der(y) == x);
  model.equation(der(z, 2) == z);
  const FirstOrderForm form = form_of(model);
  EXPECT_EQ(form.num_given(), 3);
  EXPECT_THAT(form.highest, ElementsAre(3, 1, 2));
  EXPECT_THAT(form.meaning, ElementsAre(Place{0, 0}, Place{1, 0}, Place{2, 0}, Place{0, 1},
                                        Place{0, 2}, Place{2, 1}));
  EXPECT_EQ(form.unknown_of(0, 0), 0);
  EXPECT_EQ(form.unknown_of(0, 1), 3);
  EXPECT_EQ(form.unknown_of(0, 2), 4);
  EXPECT_EQ(form.unknown_of(0, 3), -1);
  EXPECT_EQ(form.unknown_of(1, 1), -1);
  EXPECT_EQ(form.unknown_of(2, 1), 5);
  EXPECT_EQ(form.residuals.size(), 6u);
}

// x''' + y with x = 2, x' = 3, x'' = 5, x''' = 7, y = 11 and the two definitions.
TEST(FirstOrderForm, says_the_same_as_the_equations_and_defines_what_is_new) {
  Model model("Third");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x, 3) + y == 0);
  model.equation(y == x);
  const FirstOrderForm form = form_of(model);
  const std::vector<std::vector<double>> point = {{2, 3}, {11, 0}, {3, 5}, {5, 7}};
  ASSERT_EQ(form.residuals.size(), 4u);
  EXPECT_EQ(std::abs(residual(form, 0, point)), 18);
  EXPECT_EQ(std::abs(residual(form, 1, point)), 9);
  EXPECT_EQ(residual(form, 2, point), 0);  // x' - v
  EXPECT_EQ(residual(form, 3, point), 0);  // v' - w
  EXPECT_NE(residual(form, 2, {{2, 4}, {11, 0}, {3, 5}, {5, 7}}), 0);
}

// d/dt (x y) = x' y + x y'
TEST(FirstOrderForm, expands_derivatives_of_expressions) {
  Model model("Product");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x * y) == 0);
  model.equation(x == y);
  const FirstOrderForm form = form_of(model);
  EXPECT_EQ(form.num_unknowns(), 2);
  EXPECT_EQ(std::abs(residual(form, 0, {{2, 3}, {5, 7}})), 3 * 5 + 2 * 7);
}

TEST(FirstOrderForm, leaves_a_system_of_order_one_alone) {
  Model model("One");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x) == y);
  model.equation(sqr(x) + sqr(y) == 1);
  const FirstOrderForm form = form_of(model);
  EXPECT_EQ(form.num_unknowns(), 2);
  EXPECT_EQ(form.residuals.size(), 2u);
}

}  // namespace
}  // namespace daedal::reduce

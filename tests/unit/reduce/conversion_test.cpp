// Conversions of small models whose results can be worked out by hand.
#include "reduce/conversion/conversion.hpp"

#include <gmock/gmock.h>

#include "daedal/model.hpp"
#include "reduce/conversion/expression_substitution.hpp"
#include "reduce/conversion/linear_combination.hpp"
#include "reduce/conversion/null_vector.hpp"

namespace daedal::reduce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ConversionResult converted(const Model& model) {
  return convert(model.data(), model::parameter_values(model.data()));
}

AnalysedModel analysed_copy(const Model& model) {
  return analysed(model::copy_of(model.data()), model::parameter_values(model.data()));
}

// J = [1 1; 1 1] by equations of different offsets.
Model hidden_constraint() {
  Model m("Hidden");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("rate", der(x) + der(y) + 2 * y == 0);
  m.equation("total", x + y == sqr(m.time()));
  return m;
}

// Only a + b is seen by two equations: s = -t^2, a = s' = -2 t, b = 3 t.
Model sum_of_two() {
  Model m("Sum");
  const auto a = m.variable("a"), b = m.variable("b"), s = m.variable("s");
  m.equation(a + b == m.time());
  m.equation(sqr(a + b) + s == 0);
  m.equation(der(s) == a);
  return m;
}

TEST(LinearCombination, replaces_an_equation_by_the_hidden_constraint) {
  const ConversionResult result = converted(hidden_constraint());
  ASSERT_TRUE(result.model) << result.reason;
  ASSERT_THAT(result.steps, SizeIs(1));
  EXPECT_EQ(result.steps[0].kind, "linear combination");
  EXPECT_THAT(result.steps[0].members, ElementsAre("rate", "d/dt total"));
  EXPECT_THAT(result.steps[0].factors, ElementsAre("1", "-1"));
  EXPECT_THAT(result.steps[0].replaced, ElementsAre("rate"));
  EXPECT_THAT(result.steps[0].new_equations, ElementsAre("2*y + 2*time = 0"));
  EXPECT_EQ(result.steps[0].holds_where, "");
  EXPECT_EQ(result.model->data.label(model::EquationId(0)), "rate - d/dt total");
  EXPECT_EQ(result.model->structure.dof, 0);
}

TEST(LinearCombination, leaves_the_models_that_it_is_given_alone) {
  const Model m = hidden_constraint();
  converted(m);
  EXPECT_EQ(m.data().label(model::EquationId(0)), "rate");
}

// With c = 0 and 1, cbar = 1 is more than the order 0 of z, which may not be integrated.
TEST(LinearCombination, works_where_substitution_would_have_to_integrate) {
  Model m("NoSubstitution");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) + z == 0);
  m.equation(der(y) - z + y == 0);
  m.equation(x + y == sin(m.time()));
  AnalysedModel model = analysed_copy(m);
  ASSERT_THAT(model.regularity.singular, SizeIs(1));
  const GenericValues values(model.data, model.parameters);
  const auto columns = null_vectors(model, 0, Side::columns, values);
  ASSERT_THAT(columns, SizeIs(1));
  const Attempt attempt = substitute_expressions(model, 0, columns[0]);
  ASSERT_TRUE(std::holds_alternative<Obstacle>(attempt));
  EXPECT_THAT(std::get<Obstacle>(attempt).text, HasSubstr("integrated"));
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_EQ(result.steps[0].kind, "linear combination");
}

TEST(LinearCombination, is_repeated_until_the_jacobian_is_regular) {
  Model m("Twice");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation(der(x, 2) + der(y, 2) + der(x) + der(y) + x == 0);
  m.equation(der(x) + der(y) == m.time());
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.steps, SizeIs(2));
  EXPECT_EQ(result.model->structure.dof, 1);
  EXPECT_EQ(result.model->structure.index, 1);
}

// cos^2 + sin^2 = 1 is found at generic points; der(x) cannot be seen to cancel, but does.
TEST(LinearCombination, does_not_need_to_know_the_identity_by_which_derivatives_cancel) {
  Model m("Identity");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(z == m.time());
  m.equation((sqr(cos(z)) + sqr(sin(z))) * der(x) + der(y) + y == 0);
  m.equation(der(x) + der(y) + x == m.time());
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  ASSERT_THAT(result.steps, SizeIs(1));
  EXPECT_THAT(result.steps[0].factors, ElementsAre("1", "-1"));
  EXPECT_EQ(result.model->structure.dof, 1);
}

TEST(LinearCombination, says_where_it_is_equivalent_if_it_divides_by_an_expression) {
  Model m("Where");
  const auto x = m.variable("x", {.start = {1}}), y = m.variable("y", {.start = {2}});
  const auto z = m.variable("z", {.start = {1}});
  m.equation(der(z) == -z);
  m.equation("first", sin(z) * (exp(z) * der(x) + z * der(y)) == x);
  m.equation("second", cos(z) * (exp(z) * der(x) + z * der(y)) == y);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  ASSERT_THAT(result.steps, SizeIs(1));
  EXPECT_THAT(result.steps[0].holds_where, HasSubstr("!= 0"));
}

TEST(ExpressionSubstitution, introduces_the_combination_that_the_equations_see) {
  const ConversionResult result = converted(sum_of_two());
  ASSERT_TRUE(result.model) << result.reason;
  ASSERT_THAT(result.steps, SizeIs(1));
  EXPECT_EQ(result.steps[0].kind, "expression substitution");
  EXPECT_THAT(result.steps[0].new_variables, ElementsAre("y1"));
  EXPECT_THAT(result.steps[0].new_equations,
              ElementsAre("y1 - time = 0", "s + y1^2 = 0", "y1 = a + b"));
  EXPECT_EQ(result.model->structure.dof, 0);
  ASSERT_THAT(result.model->data.variables, SizeIs(4));
  EXPECT_TRUE(result.model->data.variables[3].is_auxiliary);
  EXPECT_EQ(result.model->data.label(model::UnknownId(3)), "a + b");
}

// u = (2 (a + b), -1) contains a and b, which is all that should cancel.
TEST(ExpressionSubstitution, works_where_the_factors_of_a_combination_are_of_too_high_order) {
  AnalysedModel model = analysed_copy(sum_of_two());
  ASSERT_THAT(model.regularity.singular, SizeIs(1));
  const int block = model.regularity.singular[0].block;
  const GenericValues values(model.data, model.parameters);
  const auto rows = null_vectors(model, block, Side::rows, values);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_FALSE(rows[0].is_constant);
  const Attempt attempt = combine_equations(model, block, rows[0], values);
  ASSERT_TRUE(std::holds_alternative<Obstacle>(attempt));
  EXPECT_THAT(std::get<Obstacle>(attempt).text, HasSubstr("factors contain derivatives"));
}

TEST(ExpressionSubstitution, takes_names_that_are_free) {
  Model m("Taken");
  const auto a = m.variable("y1"), b = m.variable("y2"), s = m.variable("s");
  m.equation(a + b == m.time());
  m.equation(sqr(a + b) + s == 0);
  m.equation(der(s) == a);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.steps[0].new_variables, ElementsAre("y3"));
}

TEST(Conversion, is_refused_if_equations_depend_on_each_other) {
  Model m("Copies");
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("first", der(x) + der(y) == sin(m.time()));
  m.equation("copy", x + y == -cos(m.time()));
  const ConversionResult result = converted(m);
  EXPECT_FALSE(result.model);
  EXPECT_THAT(result.reason, HasSubstr("0 = 0"));
  EXPECT_THAT(result.reason, HasSubstr("depend on each other"));
}

// Only x*y is seen: u and v both contain x and y themselves.
TEST(Conversion, gives_both_reasons_if_neither_method_applies) {
  Model m("Product");
  const auto x = m.variable("x", {.start = {1}}), y = m.variable("y", {.start = {1}});
  const auto s = m.variable("s");
  m.equation(x * y == m.time() + 1);
  m.equation(sqr(x * y) + s == 0);
  m.equation(der(s) == x);
  const ConversionResult result = converted(m);
  EXPECT_FALSE(result.model);
  EXPECT_THAT(result.reason, HasSubstr("block {x, y}"));
  EXPECT_THAT(result.reason, HasSubstr("as high"));
  EXPECT_THAT(result.steps, IsEmpty());
}

TEST(Conversion, puts_in_the_value_of_a_parameter_that_makes_the_jacobian_singular) {
  Model m("Perturbed");
  const auto eps = m.parameter("eps", 0.0), k = m.parameter("k", 2.0);
  const auto x = m.variable("x");
  m.equation(eps * der(x, 2) + der(x) + k * x == 0);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.fixed, ElementsAre(model::ParameterId(0)));
  EXPECT_THAT(result.steps, IsEmpty());
  EXPECT_EQ(result.model->structure.dof, 1);
}

// 3*0.1 is not 0.3, and 0.1 + 0.2 - 0.3 is not 0.
TEST(Conversion, is_not_misled_by_the_rounding_of_numbers) {
  Model m("Decimals");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(0.1 * der(x) + 0.7 * der(y) + x + 0.2 * der(z) == 0);
  m.equation(0.3 * der(x) + 2.1 * der(y) + y + 0.6 * der(z) == 1);
  m.equation(der(x) + 7 * der(y) + 2 * der(z) + z == 2);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.steps, SizeIs(2));
  EXPECT_EQ(result.model->structure.dof, 1);
}

// Either of them alone leaves the block singular.
TEST(Conversion, puts_in_values_that_make_the_jacobian_singular_only_together) {
  Model m("Both");
  const auto a = m.parameter("a", 0.0), b = m.parameter("b", 0.0);
  const auto x = m.variable("x");
  m.equation(a * b * der(x, 2) + der(x) + x == 0);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.fixed, SizeIs(2));
  EXPECT_EQ(result.model->structure.dof, 1);
}

// The network of resistors has no ground: all potentials may be shifted, currents sum to zero.
TEST(Conversion, says_at_once_that_the_nodes_of_a_large_floating_network_depend_on_each_other) {
  constexpr int n = 800;
  Model m("Floating");
  const auto v = m.variables("v", n);
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n, last = (k + n - 1) % n;
    m.equation((v[k] - v[next]) / (1.0 + k % 7) + (v[k] - v[last]) / (1.0 + last % 7) == 0);
  }
  const ConversionResult result = converted(m);
  EXPECT_FALSE(result.model);
  EXPECT_THAT(result.reason, HasSubstr("combination of 800 equations is 0 = 0"));
}

// The null vector is (1, 1) whatever C is; (C, R) has a ratio that stays an expression.
TEST(Conversion, keeps_other_parameters_as_parameters) {
  Model m("Ratio");
  const auto c = m.parameter("C", 2.0), r = m.parameter("R", 4.0);
  const auto x = m.variable("x"), y = m.variable("y");
  m.equation("one", c * (der(x) - der(y)) == x - m.time());
  m.equation("two", r * (der(x) - der(y)) == y);
  const ConversionResult result = converted(m);
  ASSERT_TRUE(result.model) << result.reason;
  EXPECT_THAT(result.fixed, IsEmpty());
  ASSERT_THAT(result.steps, SizeIs(1));
  // Of columns it is a vector of numbers, which is preferred.
  EXPECT_EQ(result.steps[0].kind, "expression substitution");
  AnalysedModel model = analysed_copy(m);
  const GenericValues values(model.data, model.parameters);
  const auto rows = null_vectors(model, 0, Side::rows, values);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_FALSE(rows[0].is_constant);
  EXPECT_FALSE(model.graph().varies(rows[0].factors[0]));
}

TEST(NullVector, has_neither_denominators_nor_common_factors) {
  Model m("Factors");
  const auto x = m.variable("x"), y = m.variable("y"), z = m.variable("z", {.start = {1}});
  m.equation(der(z) == 1);
  m.equation(z * exp(z) * (der(x) + der(y)) / (2 + sin(z)) == x);
  m.equation(exp(z) * (der(x) + der(y)) / (2 + sin(z)) == y);
  AnalysedModel model = analysed_copy(m);
  ASSERT_THAT(model.regularity.singular, SizeIs(1));
  const GenericValues values(model.data, model.parameters);
  const auto rows = null_vectors(model, model.regularity.singular[0].block, Side::rows, values);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_TRUE(model.graph().is_constant(rows[0].factors[0], 1.0));
  const expr::NodeId minus_z = model.graph().negate(model.graph().node(model::UnknownId(2)));
  EXPECT_EQ(rows[0].factors[1], minus_z);
}

}  // namespace
}  // namespace daedal::reduce

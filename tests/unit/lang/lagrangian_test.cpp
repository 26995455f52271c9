// The lagrangian section of the model language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string swing(std::string_view statements, std::string_view rest = "") {
  return fmt::format(
      "model M\n  parameter Real m = 1, g = 9.81, l = 2;\n  Real x, y, u, tension;\n"
      "lagrangian\n{}\n{}\nend M;\n",
      statements, rest);
}

constexpr std::string_view energies =
    "  coordinates x, y;\n  function 0.5*m*(der(x)^2 + der(y)^2) + m*g*y;\n";

std::vector<std::string> variables_of(const model::ModelData& model) {
  std::vector<std::string> names;
  for (const auto& variable : model.variables) names.push_back(variable.name);
  return names;
}

std::vector<std::string> equations_of(const model::ModelData& model) {
  std::vector<std::string> names;
  for (const auto& equation : model.equations) names.push_back(equation.name);
  return names;
}

TEST(LagrangianSection, the_section_of_the_product_page_is_read) {
  const model::ModelData model =
      parsed(swing(std::string(energies) +
                   "  constraint x^2 + y^2 = l^2;\n  force x = u;\n  dissipation 0.5*der(x)^2;\n"));
  EXPECT_THAT(variables_of(model), ElementsAre("x", "y", "u", "tension", "lambda[1]"));
  EXPECT_THAT(equations_of(model), ElementsAre("motion(x)", "motion(y)", "constraint(1)"));
  EXPECT_EQ(expr::to_text(*model.graph, model.equations[0].right), "u");
  EXPECT_EQ(model.equations[2].place.text(), "model.mo:7:3");
}

TEST(LagrangianSection, multipliers_are_names_that_forces_and_equations_may_use) {
  const std::string text = swing(std::string(energies) +
                                     "  length: constraint x^2 + y^2 = l^2;\n"
                                     "  constraint y = x;\n  force y = -length*der(y);\n",
                                 "equation\n  tension = 2*l*length + lambda[1];\n  u = 0;\n");
  const model::ModelData model = parsed(text);
  EXPECT_THAT(variables_of(model), Contains("length"));
  EXPECT_EQ(expr::to_text(*model.graph, model.equations[4].right), "lambda[1] + 2*l*length");
}

TEST(LagrangianSection, a_name_may_stand_before_or_after_the_word_constraint) {
  for (const char* statement : {"a: constraint x = y;", "constraint a: x = y;"})
    EXPECT_THAT(variables_of(parsed(swing(std::string(energies) + statement))), Contains("a"));
}

TEST(LagrangianSection, loops_and_arrays_are_unrolled) {
  const model::ModelData model = parsed(
      "model M\n  parameter Integer n = 3;\n  Real x[n], y[n], total;\nlagrangian\n"
      "  coordinates x, y[:];\n"
      "  function sum(der(x[i])^2 + der(y[i])^2 for i in 1:n);\n"
      "  for i in 1:n - 1 loop\n    rod: constraint (x[i + 1] - x[i])^2 + y[i]^2 = 1;\n"
      "    force y[i] = -i;\n  end for;\n"
      "  constraint x[1:2] = y[1:2];\n"
      "equation\n  total = sum(rod) + lambda[2];\nend M;\n");
  EXPECT_THAT(variables_of(model),
              ElementsAre("x[1]", "x[2]", "x[3]", "y[1]", "y[2]", "y[3]", "total", "rod[1]",
                          "rod[2]", "lambda[1]", "lambda[2]"));
  EXPECT_EQ(model.equations.size(), 11U);
  EXPECT_EQ(expr::to_text(*model.graph, model.equations[4].right), "-2");
}

TEST(LagrangianSection, redundant_constraints_may_be_allowed) {
  EXPECT_FALSE(parsed(swing(energies)).mechanics->allows_redundant);
  const std::string allowed = std::string(energies) + "  redundant constraints;\n";
  EXPECT_TRUE(parsed(swing(allowed)).mechanics->allows_redundant);
  EXPECT_THAT(findings(swing(std::string(energies) + "  redundant;\n")),
              ElementsAre("E-LNG-001 7:12"));
}

TEST(LagrangianSection, several_sections_are_one) {
  const model::ModelData model =
      parsed(swing(std::string(energies), "equation\n  u = 0;\nlagrangian\n  constraint x = y;"));
  EXPECT_THAT(equations_of(model), ElementsAre("motion(x)", "motion(y)", "constraint(1)", ""));
  EXPECT_THAT(findings(swing(std::string(energies) + "  function der(x)^2;\n")),
              ElementsAre("E-LNG-001 7:3"));
}

TEST(LagrangianSection, incomplete_sections_say_what_is_missing) {
  EXPECT_THAT(findings(swing("  coordinates x, y;")), ElementsAre("E-LNG-001 4:1"));
  EXPECT_THAT(findings(swing("  function der(x)^2;")), ElementsAre("E-LNG-001 4:1"));
}

TEST(LagrangianSection, misspelt_words_are_recognised_and_the_rest_is_read) {
  const auto problems = problems_of(
      swing(std::string(energies) + "  constrain x = y;\n  force x = nothing;\n  x = y;\n"));
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_THAT(problems[0].todo, HasSubstr("'constraint'"));
  EXPECT_EQ(problems[1].id, "E-LNG-002");
  EXPECT_THAT(problems[2].why, HasSubstr("coordinates, function, constraint"));
}

TEST(LagrangianSection, mechanical_mistakes_have_the_line_of_the_part) {
  EXPECT_THAT(findings(swing(std::string(energies) +
                             "  constraint u = 1;\n  force tension = 1;\n  constraint x = "
                             "der(y, 2);\n")),
              ElementsAre("E-LAG-004 7:3", "E-LAG-005 8:3", "E-LAG-003 9:3"));
  EXPECT_THAT(findings(swing("  coordinates x, 2*y;\n  function der(x)^2;\n")),
              ElementsAre("E-LAG-001 5:18"));
  EXPECT_THAT(findings(swing("  coordinates x, y;\n  function x;\n")),
              ElementsAre("E-LAG-002 6:12"));
}

TEST(LagrangianSection, names_of_multipliers_must_be_free_and_uses_of_them_stay_silent) {
  EXPECT_THAT(findings(swing(std::string(energies) + "  u: constraint x = y;\n")),
              ElementsAre("E-LAG-006 7:3"));
  const std::string text =
      "model M\n  Real x, y, lambda;\nlagrangian\n  coordinates x, y;\n"
      "  function der(x)^2 + der(y)^2;\n  constraint x = y;\n"
      "equation\n  lambda = 1;\nend M;\n";
  EXPECT_THAT(findings(text), ElementsAre("E-LAG-006 6:3"));
  EXPECT_THAT(findings(swing(std::string(energies) + "  a: constraint x = wrong;\n",
                             "equation\n  tension = a;\n")),
              ElementsAre("E-LNG-002 7:21"));
}

TEST(LagrangianSection, its_words_are_names_elsewhere) {
  EXPECT_THAT(findings("model M\n  Real force, constraint, coordinates, dissipation;\n"
                       "lagrangian\n  coordinates force, constraint;\n"
                       "  function der(force)^2 + der(constraint)^2;\n"
                       "equation\n  coordinates = force;\n  dissipation = 1;\nend M;\n"),
              IsEmpty());
}

TEST(OutputDeclaration, is_told_and_not_solved_for) {
  const model::ModelData model = parsed(
      "model M\n  Real x(start = 1);\n  output Real twice(unit = \"m\") = 2*x \"doubled\";\n"
      "  output Real more[2] = {twice + 1, der(x)};\n  output Real y;\n"
      "equation\n  der(x) = -x;\n  y = x;\nend M;\n");
  EXPECT_THAT(variables_of(model), ElementsAre("x", "y"));
  EXPECT_EQ(model.equations.size(), 2U);
  ASSERT_EQ(model.outputs.size(), 3U);
  EXPECT_EQ(model.outputs[0].unit, "m");
  EXPECT_EQ(model.outputs[1].name, "more[1]");
  EXPECT_EQ(expr::to_text(*model.graph, model.outputs[1].node), "2*x + 1");
}

TEST(OutputDeclaration, cannot_be_used_in_equations_and_must_fit_its_size) {
  EXPECT_THAT(findings("model M\n  Real x;\n  output Real e = 2*x;\nequation\n  x = e;\nend M;\n"),
              ElementsAre("E-LNG-011 5:7"));
  EXPECT_THAT(findings("model M\n  Real x;\n  output Real e[2] = x;\nequation\n  x = 1;\nend M;\n"),
              ElementsAre("E-LNG-004 3:22"));
}

TEST(LagrangianSection, energy_is_an_output_unless_the_name_is_taken) {
  const auto num_outputs = [](const std::string& text) {
    const model::ModelData model = parsed(text);
    return model::outputs_of(model).size();
  };
  EXPECT_EQ(num_outputs(swing(energies)), 1U);
  const std::string named =
      "model M\n  parameter Real energy = 3;\n  Real x;\nlagrangian\n  coordinates x;\n"
      "  function der(x)^2;\nend M;\n";
  EXPECT_EQ(num_outputs(named), 0U);
}

TEST(LagrangianText, of_something_bad_is_reported_where_that_is) {
  const auto problems = problems_of(
      "model M\n  parameter Real m = nothing;\n  Real x;\nlagrangian\n  coordinates x;\n"
      "  function m*der(x)^2;\nend M;\n");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].id, "E-LNG-002");
}

// Definitions stand after the Lagrangian in the text, and Real x = e; is one.
TEST(LagrangianSection, unknowns_that_equations_define_stand_for_their_expressions) {
  const auto arm = [](const std::string& x, const std::string& tip) {
    return parsed("model Arm\n  Real q, y;\n" + x + "lagrangian\n  coordinates q;\n  function " +
                  tip + ";\nequation\n  y = sin(q);\nend Arm;\n");
  };
  const model::ModelData by_name =
      arm("  Real x = cos(q);\n", "der(x)^2 + der(q)^2 + 0.5*der(y)^2 - 3*x - 9.81*y");
  const model::ModelData inserted =
      arm("  Real x = cos(q);\n",
          "der(cos(q))^2 + der(q)^2 + 0.5*der(sin(q))^2 - 3*cos(q) - 9.81*sin(q)");
  ASSERT_EQ(by_name.equations.size(), 3U);
  EXPECT_EQ(by_name.equations[0].name, "motion(q)");
  const auto value = [](const model::ModelData& model) {
    const expr::NodeId root =
        expr::expand_derivatives(*model.graph, {&model.equations[0].residual, 1})[0];
    return expr::Evaluator(*model.graph)
        .value(root, {.time = 0.8, .parameters = {}, .unknown = [](expr::UnknownId j, int order) {
                        return 0.3 + 0.7 * static_cast<double>(j.index()) - 0.41 * order;
                      }});
  };
  EXPECT_NEAR(value(by_name), value(inserted), 1e-12);
}

TEST(LagrangianSection, unknowns_that_follow_without_a_definition_have_the_line_of_the_part) {
  EXPECT_THAT(findings("model Arm\n  Real q, x;\nlagrangian\n  coordinates q;\n"
                       "  function der(q)^2 - x;\nequation\n  x + x^3 = cos(q);\nend Arm;\n"),
              ElementsAre("E-LAG-008 5:12"));
}

}  // namespace
}  // namespace daedal::lang

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daedal/model.hpp"
#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using Texts = std::vector<std::string>;

Texts equations(std::string_view declarations, std::string_view text,
                const ParameterValues& values = {}) {
  return equation_texts(parsed(model_text(declarations, text), values));
}

TEST(Arrays, elements_are_named_by_their_indices) {
  EXPECT_EQ(variable_names(parsed(model_text("Real x[2]; Real y[2,2]; Real s; Real none[0];", ""))),
            (Texts{"x[1]", "x[2]", "y[1,1]", "y[1,2]", "y[2,1]", "y[2,2]", "s"}));
}

TEST(Arrays, sizes_come_from_parameters_declared_anywhere) {
  EXPECT_EQ(
      parsed(model_text("Real x[n]; parameter Integer n = m + 1; parameter Integer m = 2;", ""))
          .variables.size(),
      3U);
}

TEST(Arrays, whole_array_equations_hold_element_by_element_and_number_their_name) {
  const auto model = parsed(model_text("Real x[2], y[2];", "same: x = y;"));
  EXPECT_EQ(equation_texts(model), (Texts{"x[1] = y[1]", "x[2] = y[2]"}));
  EXPECT_EQ(equation_names(model), (Texts{"same[1]", "same[2]"}));
}

TEST(Arrays, operators_work_element_by_element_where_modelica_says_so) {
  EXPECT_EQ(
      equations("Real x[2], y[2];", "y = 2*x + {1, 2} - x/4;"),
      equations("Real x[2], y[2];", "y[1] = 2*x[1] + 1 - x[1]/4; y[2] = 2*x[2] + 2 - x[2]/4;"));
  EXPECT_EQ(equations("Real x[2], y[2];", "y = x .* y ./ {2, 4} .^ 2;"),
            equations("Real x[2], y[2];", "y[1] = x[1]*y[1]/4; y[2] = x[2]*y[2]/16;"));
  EXPECT_EQ(equations("Real x[2], y[2];", "y = x .+ 1;"),
            equations("Real x[2], y[2];", "y[1] = x[1] + 1; y[2] = x[2] + 1;"));
  EXPECT_EQ(
      equations("Real x[2], y[2];", "y = sin(x); der(x) = -y;"),
      (Texts{"y[1] = sin(x[1])", "y[2] = sin(x[2])", "der(x[1]) = -y[1]", "der(x[2]) = -y[2]"}));
}

TEST(Arrays, products_of_vectors_and_matrices_are_those_of_linear_algebra) {
  const std::string declarations = "parameter Real A[2,2] = {{1, 2}, {3, 4}}; Real x[2], y[2], s;";
  EXPECT_EQ(equations(declarations, "s = x*y;"),
            equations(declarations, "s = x[1]*y[1] + x[2]*y[2];"));
  EXPECT_EQ(equations(declarations, "y = A*x;"),
            equations(declarations,
                      "y[1] = A[1,1]*x[1] + A[1,2]*x[2]; y[2] = A[2,1]*x[1] + A[2,2]*x[2];"));
}

TEST(Arrays, slices_ranges_and_end_pick_parts) {
  EXPECT_EQ(equations("Real x[4];", "x[2:end] = x[1:end-1];"),
            (Texts{"x[2] = x[1]", "x[3] = x[2]", "x[4] = x[3]"}));
  EXPECT_EQ(equations("Real x[2]; Real y[2,2];", "y[2,:] = x; y[:,1] = x[{2,1}];"),
            (Texts{"y[2,1] = x[1]", "y[2,2] = x[2]", "y[1,1] = x[2]", "y[2,1] = x[1]"}));
  EXPECT_EQ(equations("Real x[2]; Real y[2,2];", "y[1] = x;"),
            (Texts{"y[1,1] = x[1]", "y[1,2] = x[2]"}));
}

TEST(Arrays, constructors_with_several_iterators_nest_the_last_one_outermost) {
  EXPECT_EQ(equations("Real y[2,3];", "y = {10*i + j for j in 1:3, i in 1:2};"),
            equations("Real y[2,3];", "y = {{11, 12, 13}, {21, 22, 23}};"));
}

TEST(Arrays, size_zeros_ones_and_fill_are_known) {
  EXPECT_EQ(
      equations("Real x[3]; Real s;",
                "x = fill(2, 3); s = size(x, 1); x = zeros(3) + ones(size(x,1));"),
      (Texts{"x[1] = 2", "x[2] = 2", "x[3] = 2", "s = 3", "x[1] = 1", "x[2] = 1", "x[3] = 1"}));
}

TEST(Loops, unroll_with_steps_nesting_and_several_iterators) {
  EXPECT_EQ(equations("Real x[5];", "for i in 1:2:5 loop x[i] = i; end for;"),
            (Texts{"x[1] = 1", "x[3] = 3", "x[5] = 5"}));
  EXPECT_EQ(equations("Real x[3];", "for i in 3:-1:1 loop x[i] = i; end for;"),
            (Texts{"x[3] = 3", "x[2] = 2", "x[1] = 1"}));
  EXPECT_EQ(equations("Real y[2,2];", "for i in 1:2, j in 1:i loop y[i,j] = i + j; end for;"),
            (Texts{"y[1,1] = 2", "y[2,1] = 3", "y[2,2] = 4"}));
  EXPECT_EQ(equations("Real x[3];", "for i in {3, 1} loop x[i] = 0; end for;"),
            (Texts{"x[3] = 0", "x[1] = 0"}));
}

TEST(Loops, empty_ranges_give_no_equations) {
  EXPECT_TRUE(equations("Real x;", "for i in 1:0 loop x = i; end for;").empty());
  EXPECT_EQ(equations("Real x;", "x = 1 + sum(x for i in 1:0) + product(x for i in 1:0);"),
            (Texts{"x = 2"}));
}

TEST(Loops, names_of_equations_get_the_indices) {
  EXPECT_EQ(
      equation_names(parsed(model_text(
          "Real x[2]; Real y[2,2];",
          "for i in 1:2 loop a: x[i] = 0; for j in 1:2 loop b: y[i,j] = 0; end for; end for;"))),
      (Texts{"a[1]", "b[1,1]", "b[1,2]", "a[2]", "b[2,1]", "b[2,2]"}));
  EXPECT_EQ(equation_names(parsed(
                model_text("Real y[2,2];", "for i in 1:2 loop r: y[i,:] = zeros(2); end for;"))),
            (Texts{"r[1,1]", "r[1,2]", "r[2,1]", "r[2,2]"}));
}

TEST(Loops, a_loop_variable_hides_a_component_only_inside_the_loop) {
  EXPECT_EQ(
      equations("Real i, x[2];", "for i in 1:2 loop x[i] = i; end for; i = sum(i*i for i in 1:3);"),
      (Texts{"x[1] = 1", "x[2] = 2", "i = 14"}));
}

TEST(Loops, sums_over_iterators_and_arrays_are_the_same) {
  EXPECT_EQ(equations("Real x[3], s;", "s = sum(x[i] for i in 1:3);"),
            equations("Real x[3], s;", "s = sum(x);"));
  EXPECT_EQ(equations("Real x[3], s;", "s = product(x[i] for i in 1:3);"),
            equations("Real x[3], s;", "s = product(x);"));
  EXPECT_EQ(equations("Real s;", "s = sum(i*j for i in 1:2, j in 1:i);"), (Texts{"s = 7"}));
}

TEST(Equations, a_binding_of_a_variable_is_an_unnamed_equation_at_its_declaration) {
  const auto model = parsed("model M\n Real x = 2*y;\n Real y;\nequation\n y = 1;\nend M;");
  EXPECT_EQ(equation_texts(model), (Texts{"x = 2*y", "y = 1"}));
  EXPECT_EQ(model.equations[0].name, "");
  EXPECT_EQ(model.equations[0].place.text(), "model.mo:2:7");
}

TEST(Equations, nodes_carry_the_position_of_their_text) {
  const auto model = parsed("model M\n Real x;\nequation\n  sin(x) = 1;\nend M;");
  EXPECT_EQ(model.graph->position(model.equations[0].left).line, 4U);
  EXPECT_EQ(model.graph->position(model.equations[0].left).column, 3U);
}

TEST(Equations, residuals_are_left_minus_right) {
  const auto model = parsed(model_text("Real x, y;", "x = y;"));
  EXPECT_EQ(model.equations[0].residual,
            model.graph->subtract(model.equations[0].left, model.equations[0].right));
}

TEST(Functions, all_of_the_product_page_are_known) {
  for (const char* name :
       {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
        "atanh", "erf", "exp", "log", "log10", "sqrt", "abs", "sign"})
    EXPECT_TRUE(problems_of(model_text("Real x, y;", fmt::format("y = {}(x);", name))).empty())
        << name;
  for (const char* name : {"atan2", "min", "max"})
    EXPECT_TRUE(problems_of(model_text("Real x, y;", fmt::format("y = {}(x, 2);", name))).empty())
        << name;
}

TEST(Functions, of_numbers_are_computed_at_once) {
  EXPECT_EQ(
      equations(
          "Real x;",
          "x = min(2, 3) + max(2, 3) + abs(-1) + sqrt(4) + log10(100) + mod(-1, 3) + div(7, 2);"),
      (Texts{"x = 15"}));
}

TEST(Functions, pi_is_known_by_its_modelica_name_only) {
  EXPECT_EQ(equations("Real x;", "x = Modelica.Constants.pi;"), (Texts{"x = 3.141592653589793"}));
  EXPECT_EQ(findings(model_text("Real x;", "x = pi;")), (Texts{"E-LNG-002 4:5"}));
}

TEST(Functions, the_derivative_of_a_parameter_is_zero) {
  EXPECT_EQ(equations("parameter Real p = 1; Real x;", "x = der(p);"), (Texts{"x = 0"}));
}

// Quadratic work would be 1e10 steps here: these tests would not end. Timings are in benchmarks/.
TEST(Size, a_loop_of_1e5_equations_is_unrolled) {
  const auto model = parsed(model_text(
      "parameter Integer n = 100000; Real x[n];",
      "x[1] = time; for i in 2:n loop der(x[i]) = x[i-1]^2 - 2*x[i] + sin(i*time); end for;"));
  EXPECT_EQ(model.equations.size(), 100000U);
}

TEST(Size, a_sum_of_1e5_terms_is_one_node) {
  const auto model =
      parsed(model_text("Real x[100000]; Real s;", "s = sum(x[i] for i in 1:100000);"));
  EXPECT_EQ(model.graph->arguments(model.equations[0].right).size(), 100000U);
}

TEST(Public, parse_model_gives_a_model_with_experiment_and_overrides) {
  const Model model = parse_model(std::string(pendulum_text), "p.mo", {{"g", 1.0}});
  EXPECT_EQ(model.name(), "Pendulum");
  EXPECT_EQ(model.num_equations(), 3);
  EXPECT_EQ(model.experiment().stop_time, 100.0);
  EXPECT_EQ(value_of(model.data(), "g"), 1.0);
}

}  // namespace
}  // namespace daedal::lang

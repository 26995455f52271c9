#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(Parameters, are_sorted_so_that_bindings_use_earlier_ones) {
  const auto model = parsed(model_text(
      "parameter Real a = b + c; parameter Real b = 2*c; parameter Real c = 3; Real x;", "x = a;"));
  Texts names;
  for (const auto& parameter : model.parameters) names.push_back(parameter.name);
  EXPECT_EQ(names, (Texts{"c", "b", "a"}));
  EXPECT_EQ(value_of(model, "a"), 9.0);
  EXPECT_FALSE(find_parameter(model, "a")->structural);
}

TEST(Parameters, overrides_change_bindings_that_use_them) {
  const auto model = parsed(
      model_text("parameter Real b = 2*c; parameter Real c = 3; Real x;", "x = b;"), {{"c", 5}});
  EXPECT_EQ(value_of(model, "b"), 10.0);
}

TEST(Parameters, elements_of_arrays_are_parameters_of_their_own) {
  const auto model =
      parsed(model_text("parameter Real m[3] = {1, 2, 3}; Real x;", "x = m[2];"), {{"m[2]", 20}});
  EXPECT_EQ(value_of(model, "m[2]"), 20.0);
  EXPECT_EQ(value_of(model, "m[3]"), 3.0);
}

TEST(Parameters, sizes_bounds_and_exponents_follow_overrides_and_are_structural) {
  const std::string text = model_text(
      "parameter Integer n = 2; parameter Integer k = 2*n; parameter Real e = 2; parameter Real g "
      "= 1; Real x[k];",
      "for i in 1:k loop x[i]^e = g; end for;");
  const auto small = parsed(text);
  const auto large = parsed(text, {{"n", 3}, {"e", 3}});
  EXPECT_EQ(small.equations.size(), 4U);
  EXPECT_EQ(large.equations.size(), 6U);
  EXPECT_EQ(equation_texts(large)[0], "x[1]^3 = g");
  for (const char* name : {"n", "k", "e"})
    EXPECT_TRUE(find_parameter(large, name)->structural) << name;
  EXPECT_FALSE(find_parameter(large, "g")->structural);
}

TEST(Parameters, an_overridden_binding_does_not_make_its_sources_structural) {
  const auto model = parsed(
      model_text("parameter Integer n = 2; parameter Integer k = n; Real x[k];"), {{"k", 1}});
  EXPECT_TRUE(find_parameter(model, "k")->structural);
  EXPECT_FALSE(find_parameter(model, "n")->structural);
}

TEST(Parameters, exponents_with_unknowns_or_time_stay_general_powers) {
  EXPECT_EQ(equation_texts(parsed(model_text("parameter Real a = 2; Real x;", "a^x = 2^time;")))[0],
            "a^x = 2^time");
}

TEST(Parameters, exponents_in_bindings_do_not_shape_the_model) {
  const auto model =
      parsed(model_text("parameter Real a = 2; parameter Real b = 3^a; Real x;", "x = b;"));
  EXPECT_EQ(value_of(model, "b"), 9.0);
  EXPECT_FALSE(find_parameter(model, "a")->structural);
}

TEST(Parameters, constants_are_folded_into_numbers) {
  const auto model =
      parsed(model_text("constant Real c = 2*d; constant Integer d = 3; Real x;", "x = c;"));
  EXPECT_TRUE(model.parameters.empty());
  EXPECT_EQ(equation_texts(model)[0], "x = 6");
}

TEST(Parameters, booleans_are_conditions_on_parameters) {
  const auto model = parsed(model_text(
      "parameter Integer n = 3; parameter Boolean b = n >= 3 and not (n == 4 or n <> 3); Real x;",
      "x = 1;"));
  EXPECT_EQ(value_of(model, "b"), 1.0);
  EXPECT_EQ(find_parameter(model, "b")->type, model::ParameterType::boolean);
}

TEST(Parameters, open_sizes_are_taken_from_the_value) {
  EXPECT_EQ(
      parsed(model_text(
                 "parameter Real m[:] = {1, 2, 3}; parameter Integer n = size(m, 1); Real x[n];"))
          .variables.size(),
      3U);
}

TEST(Parameters, without_a_value_are_accepted_unless_they_shape_the_model) {
  const auto model = parsed(model_text("parameter Real p; Real x;", "x = p;"));
  EXPECT_FALSE(find_parameter(model, "p")->binding.has_value());
  const Problem problem =
      only_problem(model_text("parameter Integer n; parameter Integer k = n + 1; Real x[k];"));
  EXPECT_EQ(problem.id, "E-MOD-002");
  EXPECT_EQ(problem.where, "model.mo:2:58");
  EXPECT_THAT(problem.what, HasSubstr("'n'"));
  EXPECT_EQ(parsed(model_text("parameter Integer n; Real x[n];"), {{"n", 2}}).variables.size(), 2U);
}

TEST(Parameters, whole_values_of_real_expressions_fit_integers) {
  EXPECT_EQ(parsed(model_text("parameter Integer n = 1e1; parameter Integer h = n/2; Real x[h];"))
                .variables.size(),
            5U);
  EXPECT_EQ(findings(model_text("parameter Integer n = 5; parameter Integer h = n/2; Real x[h];")),
            (Texts{"E-LNG-009 2:48"}));
}

TEST(Parameters, a_cycle_of_bindings_is_named) {
  const Problem problem = only_problem(model_text(
      "parameter Real a = b; parameter Real b = c; parameter Real c = a + 1; Real x;", "x = a;"));
  EXPECT_EQ(problem.id, "E-LNG-011");
  EXPECT_EQ(problem.where, "model.mo:2:16");
  EXPECT_EQ(problem.why, "a needs b needs c needs a");
}

TEST(Parameters, a_chain_of_1e5_bindings_in_reverse_order_is_sorted_without_recursion) {
  std::string declarations;
  for (int k = 0; k < 100000; ++k)
    declarations += fmt::format("parameter Real p{} = p{} + 1;\n", k, k + 1);
  declarations += "parameter Real p100000 = 1;\n";
  EXPECT_EQ(value_of(parsed(model_text(declarations)), "p0"), 100001.0);
}

TEST(Overrides, of_unknown_names_suggest_near_ones) {
  const Problem problem = only_problem(pendulum_text, {{"gg", 1}});
  EXPECT_EQ(problem.id, "E-MOD-007");
  EXPECT_EQ(problem.todo, "did you mean 'g'?");
  EXPECT_EQ(only_problem(pendulum_text, {{"x", 1}}).id, "E-MOD-007");
  EXPECT_EQ(only_problem(pendulum_text, {{"", 1}}).id, "E-MOD-007");
  EXPECT_EQ(only_problem(pendulum_text, {{"g[", 1}}).id, "E-MOD-007");
}

TEST(Overrides, must_be_finite) {
  const Problem problem = only_problem(pendulum_text, {{"g", std::nan("")}});
  EXPECT_EQ(problem.id, "E-MOD-003");
  EXPECT_EQ(problem.where, "model.mo:2:18");
}

TEST(Overrides, must_fit_type_and_place) {
  const std::string text = model_text(
      "parameter Integer n = 1; parameter Boolean b = true; constant Real c = 1; parameter Real "
      "m[2] = {1, 2}; Real x;",
      "x = 1;");
  EXPECT_EQ(only_problem(text, {{"n", 1.5}}).id, "E-LNG-016");
  EXPECT_EQ(only_problem(text, {{"b", 2}}).id, "E-LNG-016");
  EXPECT_EQ(only_problem(text, {{"c", 2}}).id, "E-LNG-016");
  EXPECT_EQ(only_problem(text, {{"m", 2}}).id, "E-LNG-016");
  EXPECT_EQ(only_problem(text, {{"m[3]", 2}}).id, "E-LNG-016");
  EXPECT_EQ(only_problem(text, {{"n[1]", 2}}).id, "E-LNG-016");
}

}  // namespace
}  // namespace daedal::lang

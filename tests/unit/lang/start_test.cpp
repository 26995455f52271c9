#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lang/lang_test.hpp"

namespace daedal::lang {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

// The starts of all variables of one declaration, as in "1! 0".
Texts starts(std::string_view declarations) {
  const auto model = parsed(model_text(declarations));
  Texts all;
  for (const model::Variable& variable : model.variables)
    all.push_back(start_text(model, variable.name));
  return all;
}

TEST(Start, on_a_scalar_lists_value_and_derivatives) {
  EXPECT_EQ(starts("Real x(start = 1);"), (Texts{"1"}));
  EXPECT_EQ(starts("Real x(start = {1, 2, 3});"), (Texts{"1 2 3"}));
  EXPECT_EQ(starts("Real x;"), (Texts{""}));
}

TEST(Start, on_an_array_runs_over_elements_outside_and_derivatives_inside) {
  EXPECT_EQ(starts("Real x[2](start = {{1, 0}, {2, 0}});"), (Texts{"1 0", "2 0"}));
  EXPECT_EQ(starts("Real x[2](start = {{1, 0}, {2}});"), (Texts{"1 0", "2"}));
  EXPECT_EQ(starts("Real y[2,2](start = {{1, 2}, {3, 4}});"), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(starts("Real y[1,2](start = {{{1, 9}, {2, 8}}});"), (Texts{"1 9", "2 8"}));
}

TEST(Start, a_flat_list_on_an_array_is_values_only) {
  EXPECT_EQ(starts("Real x[2](start = {1, 2});"), (Texts{"1", "2"}));
}

TEST(Start, each_gives_every_element_the_same_list) {
  EXPECT_EQ(starts("Real x[2](each start = {0, 5});"), (Texts{"0 5", "0 5"}));
  EXPECT_EQ(starts("Real x[2](each start = 3, each fixed = true);"), (Texts{"3!", "3!"}));
}

TEST(Start, a_single_number_on_an_array_is_for_every_element) {
  EXPECT_EQ(starts("Real x[2](start = 3, fixed = true);"), (Texts{"3!", "3!"}));
}

TEST(Start, may_be_parameters_arrays_and_constructors_with_loops) {
  EXPECT_EQ(starts("parameter Real p = 2; Real x(start = {p, 2*p});"), (Texts{"p 2*p"}));
  EXPECT_EQ(starts("parameter Real a[2] = {1, 2}; Real x[2](start = a);"), (Texts{"a[1]", "a[2]"}));
  EXPECT_EQ(starts("Real x[3](start = {{i, -i} for i in 1:3});"), (Texts{"1 -1", "2 -2", "3 -3"}));
}

TEST(Fixed, one_flag_on_a_scalar_fixes_the_value_only) {
  EXPECT_EQ(starts("Real x(start = {1, 2}, fixed = true);"), (Texts{"1! 2"}));
}

TEST(Fixed, lists_follow_the_same_rules_as_start) {
  EXPECT_EQ(starts("Real x(start = {1, 2}, fixed = {false, true});"), (Texts{"1 2!"}));
  EXPECT_EQ(starts("Real x[2](start = {{1, 2}, {3, 4}}, fixed = {{true, true}, {false, true}});"),
            (Texts{"1! 2!", "3 4!"}));
  EXPECT_EQ(starts("Real x[2](start = {1, 2}, fixed = {true, false});"), (Texts{"1!", "2"}));
  EXPECT_EQ(starts("Real x[2](each start = {1, 2}, each fixed = {true, true});"),
            (Texts{"1! 2!", "1! 2!"}));
}

TEST(Fixed, without_a_start_value_is_an_error) {
  const Problem problem = only_problem(model_text("Real x(start = 1, fixed = {true, true});"));
  EXPECT_EQ(problem.id, "E-LNG-012");
  EXPECT_EQ(problem.where, "model.mo:2:19");
  EXPECT_THAT(problem.why, HasSubstr("fixed number 2 is true, but start has 1 value"));
  EXPECT_EQ(findings(model_text("Real x(fixed = true);")), (Texts{"E-LNG-012 2:8"}));
}

TEST(Fixed, may_come_from_a_boolean_parameter_which_becomes_structural) {
  const auto model =
      parsed(model_text("parameter Boolean hold = false; Real x(start = 1, fixed = hold);"),
             {{"hold", 1}});
  EXPECT_EQ(start_text(model, "x"), "1!");
  EXPECT_TRUE(find_parameter(model, "hold")->structural);
}

TEST(Start, of_the_wrong_shape_names_both_sizes) {
  const Problem count = only_problem(model_text("Real x[3](start = {1, 2});"));
  EXPECT_EQ(count.id, "E-LNG-004");
  EXPECT_THAT(count.why, HasSubstr("2 are given"));
  EXPECT_THAT(count.why, HasSubstr("size 3"));
  EXPECT_EQ(findings(model_text("Real x(start = {{1, 2}, {3, 4}});")), (Texts{"E-LNG-004 2:16"}));
  EXPECT_EQ(findings(model_text("Real y[2,2](start = {1, 2});")), (Texts{"E-LNG-004 2:22"}));
}

TEST(Start, may_not_use_variables_or_time) {
  EXPECT_EQ(findings(model_text("Real y; Real x(start = y);")), (Texts{"E-LNG-011 2:24"}));
  EXPECT_EQ(findings(model_text("Real x(start = time);")), (Texts{"E-LNG-011 2:16"}));
}

TEST(Nominal, is_kept_per_element) {
  const auto model =
      parsed(model_text("parameter Real p = 5; Real x(nominal = 1e5), y[2](nominal = {1, p}), z;"));
  const auto nominal = [&](const char* name) {
    return expr::to_text(*model.graph, *find_variable(model, name)->nominal);
  };
  EXPECT_EQ(nominal("x"), "100000");
  EXPECT_EQ(nominal("y[2]"), "p");
  EXPECT_FALSE(find_variable(model, "z")->nominal.has_value());
}

}  // namespace
}  // namespace daedal::lang

// The C++ builder and the checks of a model.
#include "daedal/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "daedal/error.hpp"
#include "daedal/port.hpp"
#include "expr/print.hpp"
#include "model/check.hpp"
#include "model/model_data.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

std::vector<Problem> problems_of(const Model& model) {
  try {
    model::check(model.data());
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

template <typename Call>
Problem problem_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.problems().front();
  }
  return {};
}

TEST(Model, keeps_names_starts_and_places) {
  Model model("M", "a model");
  const Expression L = model.parameter("L", 2.0);
  const Expression x =
      model.variable("x", {.start = {L, 0.5}, .fixed = {true}, .nominal = 10 * L, .unit = "m"});
  const auto line = Location::current().line + 1;
  model.equation("spring", der(x, 2) == -x);
  const model::ModelData& data = model.data();
  EXPECT_EQ(data.variables[0].unit, "m");
  ASSERT_EQ(data.variables[0].start.size(), 2U);
  EXPECT_TRUE(data.variables[0].start[0].fixed);
  EXPECT_FALSE(data.variables[0].start[1].fixed);
  EXPECT_EQ(expr::to_text(*data.graph, *data.variables[0].start[0].value), "L");
  EXPECT_EQ(data.equations[0].place.line, line);
  EXPECT_THAT(data.equations[0].place.file, HasSubstr("model_test.cpp"));
}

TEST(Model, an_array_of_variables_is_numbered_from_one) {
  Model model("M");
  const auto x = model.variables("x", 3);
  EXPECT_EQ(x.size(), 3U);
  EXPECT_EQ(model.data().variables[2].name, "x[3]");
}

TEST(Model, a_parameter_follows_the_parameters_it_is_computed_from) {
  Model model("M");
  const Expression m = model.parameter("m", 2.0);
  model.parameter("k", 3 * m * m);
  EXPECT_EQ(model::parameter_values(model.data()), (std::vector<double>{2.0, 12.0}));
  model.set_parameter("m", 10.0);
  EXPECT_EQ(model::parameter_values(model.data()), (std::vector<double>{10.0, 300.0}));
  model.set_parameter("k", 1.0);
  EXPECT_EQ(model::parameter_values(model.data()), (std::vector<double>{10.0, 1.0}));
}

TEST(Model, numbers_fold_without_a_model) {
  const Expression three = sqrt(Expression(9.0)), one = cos(Expression(0.0)) * three / 3;
  EXPECT_TRUE(one.is_number());
  EXPECT_EQ(one.number(), 1.0);
  EXPECT_EQ(atan2(Expression(1.0), Expression(-1.0)).number(), std::atan2(1.0, -1.0));
  EXPECT_EQ(max(Expression(1.0), Expression(2.0)).number(), 2.0);
}

TEST(ModelErrors, E_MOD_001_an_equation_without_unknowns_is_named_with_what_it_reads) {
  Model model("M");
  const Expression x = model.variable("x"), p = model.parameter("p", 1.0);
  model.equation(x == p);
  model.equation("balance", x - x + p == model.time());
  const auto problems = problems_of(model);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].id, "E-MOD-001");
  EXPECT_THAT(problems[0].where, HasSubstr("balance"));
  EXPECT_THAT(problems[0].why, HasSubstr("p - time = 0"));
}

TEST(ModelErrors, E_MOD_002_and_003_name_every_parameter_without_a_finite_value_at_once) {
  Model model("M");
  const Expression x = model.variable("x"), a = model.parameter("a"), b = model.parameter("b", 0.0);
  model.parameter("c", 1 / b);
  model.parameter("d", a + 1);  // follows from a: not reported again
  model.equation(x == a);
  const auto problems = problems_of(model);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].id, "E-MOD-002");
  EXPECT_THAT(problems[0].what, HasSubstr("'a'"));
  EXPECT_EQ(problems[1].id, "E-MOD-003");
  EXPECT_THAT(problems[1].what, HasSubstr("'c' is inf"));
  model.set_parameter("a", 1.0);
  model.set_parameter("b", 1.0);
  EXPECT_TRUE(problems_of(model).empty());
}

TEST(ModelErrors, E_MOD_003_refuses_nan_when_it_is_set) {
  Model model("M");
  model.parameter("g", 9.81);
  EXPECT_EQ(problem_of([&] { model.set_parameter("g", std::nan("")); }).id, "E-MOD-003");
  EXPECT_EQ(
      problem_of([&] { model.set_parameter("g", std::numeric_limits<double>::infinity()); }).id,
      "E-MOD-003");
}

TEST(ModelErrors, E_MOD_004_a_model_without_equations_has_nothing_to_solve) {
  EXPECT_EQ(problems_of(Model("Empty")).front().id, "E-MOD-004");
}

TEST(ModelErrors, E_MOD_005_a_name_used_twice_gives_both_places) {
  Model model("M");
  const Expression x = model.variable("x");
  const auto line = Location::current().line + 1;
  model.parameter("x", 1.0);
  model.equation(x == 1);
  const auto problems = problems_of(model);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].id, "E-MOD-005");
  EXPECT_THAT(problems[0].where, HasSubstr(std::to_string(line)));
  EXPECT_THAT(problems[0].why, HasSubstr("first used at"));
}

TEST(ModelErrors, E_MOD_006_expressions_of_two_models_do_not_mix) {
  Model one("One"), two("Two");
  const Expression x = one.variable("x"), y = two.variable("y");
  EXPECT_EQ(problem_of([&] { x + y; }).id, "E-MOD-006");
  EXPECT_EQ(problem_of([&] { one.equation(y == 0); }).id, "E-MOD-006");
}

TEST(ModelErrors, E_MOD_007_an_unknown_parameter_gets_a_near_miss) {
  Model model("M");
  model.parameter("gravity", 9.81);
  const Problem problem = problem_of([&] { model.set_parameter("gravty", 1.0); });
  EXPECT_EQ(problem.id, "E-MOD-007");
  EXPECT_THAT(problem.todo, HasSubstr("'gravity'"));
}

TEST(ModelErrors, E_MOD_008_to_010_wrong_orders_starts_and_nominals) {
  Model model("M");
  const Expression x = model.variable("x");
  EXPECT_EQ(problem_of([&] { der(x, -1); }).id, "E-MOD-008");
  EXPECT_EQ(problem_of([&] { der(x, 1000000); }).id, "E-MOD-008");
  EXPECT_EQ(problem_of([&] { model.variable("y", {.start = {x}}); }).id, "E-MOD-009");
  EXPECT_EQ(problem_of([&] {
              model.variable("y", {.start = {1}, .fixed = {true, true}});
            }).id,
            "E-MOD-010");
  const Expression y = model.variable("y", {.nominal = -1.0});
  model.equation(x == y);
  EXPECT_EQ(problems_of(model).front().id, "E-MOD-010");
}

TEST(ModelErrors, E_MOD_013_a_start_value_that_is_not_finite) {
  Model model("M");
  const Expression a = model.parameter("a", -1.0);
  const Expression x = model.variable("x", {.start = {1, log(a)}});
  model.equation(der(x) == x);
  const auto problems = problems_of(model);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].id, "E-MOD-013");
  EXPECT_THAT(problems[0].what, HasSubstr("'der(x)' is not a number"));
}

TEST(Model, lists_of_numbers_are_lists_of_starts_however_they_are_braced) {
  Model model("M");
  model.variable("x", {.start = {0, 1}});
  EXPECT_EQ(model.data().variables[0].start.size(), 2U);
}

TEST(Model, a_start_given_later_takes_the_place_of_the_earlier_one) {
  Model model("M");
  model.variable("x", {.start = {1, 2}, .fixed = {true, true}});
  model.variable("y");
  model.set_start("x", 3.0);
  model.fix_start("der(y, 2)", -4.0);
  model.set_nominal("y", 1e-3);
  const model::ModelData& data = model.data();
  const auto text = [&](expr::NodeId node) { return expr::to_text(*data.graph, node); };
  EXPECT_EQ(text(*data.variables[0].start[0].value), "3");
  EXPECT_FALSE(data.variables[0].start[0].fixed);
  EXPECT_TRUE(data.variables[0].start[1].fixed);
  ASSERT_EQ(data.variables[1].start.size(), 3U);
  EXPECT_FALSE(data.variables[1].start[0].value || data.variables[1].start[1].value);
  EXPECT_TRUE(data.variables[1].start[2].fixed);
  EXPECT_EQ(text(*data.variables[1].nominal), "0.001");
}

TEST(ModelErrors, E_SIM_002_and_006_a_start_needs_a_name_and_a_finite_value) {
  Model model("M");
  model.variable("length");
  const Problem unknown = problem_of([&] { model.set_start("lenght", 1.0); });
  EXPECT_EQ(unknown.id, "E-SIM-002");
  EXPECT_THAT(unknown.todo, HasSubstr("'length'"));
  EXPECT_EQ(problem_of([&] { model.fix_start("der(length, 2000)", 1.0); }).id, "E-SIM-002");
  EXPECT_EQ(problem_of([&] { model.set_start("length", std::nan("")); }).id, "E-SIM-006");
  EXPECT_EQ(problem_of([&] { model.set_nominal("der(length)", 1.0); }).id, "E-SIM-002");
}

TEST(ModelErrors, E_MOD_014_a_model_that_was_moved_away_says_so) {
  Model a("A");
  const Expression x = a.variable("x");
  Model b = std::move(a);
  EXPECT_EQ(problem_of([&] { a.variable("y"); }).id,
            "E-MOD-014");   // NOLINT(bugprone-use-after-move)
  b.equation(der(x) == x);  // expressions went along
  EXPECT_TRUE(problems_of(b).empty());
}

TEST(ModelErrors, E_MOD_012_ported_functions_need_sizes_that_fit) {
  const port::Function nothing = [](Expression, const Expression*, Expression*, void*) {};
  EXPECT_EQ(problem_of([&] { port::make_model("M", 0, nothing); }).id, "E-MOD-012");
  EXPECT_EQ(
      problem_of([&] { port::make_model("M", 2, nothing, nullptr, {.variables = {"x"}}); }).id,
      "E-MOD-012");
  EXPECT_EQ(problem_of([&] {
              port::make_model("M", 2, nothing, nullptr, {.unknowns = {{.start = {1.0}}}});
            }).id,
            "E-MOD-012");
}

TEST(Conditions, with_a_known_one_are_the_other_one) {
  Model model("M");
  const Expression x = model.variable("x");
  const Condition open = x > 0.0;
  EXPECT_EQ((open || false).value().node(), open.value().node());
  EXPECT_EQ((true && open).value().node(), open.value().node());
  EXPECT_EQ((open || true).value().number(), 1.0);
  EXPECT_EQ((false && open).value().number(), 0.0);
}

}  // namespace
}  // namespace daedal

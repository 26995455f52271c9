// What makes no sense as a model is refused in the same way by whatever uses the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;

std::vector<std::string> ids_of(const std::function<void()>& work) {
  std::vector<std::string> ids;
  try {
    work();
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) ids.push_back(problem.id);
  }
  return ids;
}

struct Use {
  const char* name;
  std::function<void(const Model&)> of;
};

std::vector<Use> uses() {
  const std::vector<ParameterValues> two = {{}, {}};
  return {{"analyze", [](const Model& m) { analyze(m); }},
          {"initialize", [](const Model& m) { initialize(m); }},
          {"solve", [](const Model& m) { solve(m); }},
          {"solve by bdf", [](const Model& m) { solve(m, {.method = "bdf"}); }},
          {"solve by array", [](const Model& m) { solve(m, {.method = "array"}); }},
          {"Simulation", [](const Model& m) { Simulation simulation(m); }},
          {"PreparedModel::solve", [](const Model& m) { PreparedModel(m).solve(); }},
          {"PreparedModel::simulate", [](const Model& m) { PreparedModel(m).simulate(); }},
          {"members in lanes", [=](const Model& m) { solve_ensemble(m, two); }},
          {"members one by one",
           [=](const Model& m) { solve_ensemble(m, two, {.method = "dd-erk"}); }}};
}

// With a condition, or without: runs of the two kinds of models begin in different ways.
Model decay(bool with_condition) {
  Model model("Decay");
  const Expression x = model.variable("x", {.start = {1}, .fixed = {true}});
  model.equation(der(x) == -x);
  if (with_condition) model.when("half", x < 0.5);
  return model;
}

class ModelCheck : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Models, ModelCheck, testing::Bool(), [](const auto& with_condition) {
  return with_condition.param ? "with_condition" : "without_conditions";
});

TEST_P(ModelCheck, E_MOD_005_two_variables_of_one_name_are_refused_by_all) {
  Model model = decay(GetParam());
  const Expression second = model.variable("x");
  model.equation(second == 1.0);
  for (const Use& use : uses())
    EXPECT_THAT(ids_of([&] { use.of(model); }), ElementsAre("E-MOD-005")) << use.name;
}

TEST_P(ModelCheck, E_MOD_001_an_equation_without_unknowns_is_refused_by_all) {
  Model model = decay(GetParam());
  model.variable("free");
  model.equation("wish", model.parameter("a", 1.0) == 2.0);
  for (const Use& use : uses())
    EXPECT_THAT(ids_of([&] { use.of(model); }), ElementsAre("E-MOD-001")) << use.name;
}

TEST(ModelCheck, E_MOD_004_a_model_without_equations_is_refused_by_all) {
  for (const Use& use : uses())
    EXPECT_THAT(ids_of([&] { use.of(Model("Idle")); }), ElementsAre("E-MOD-004")) << use.name;
}

TEST_P(ModelCheck, reports_all_that_is_wrong_at_once) {
  Model model = decay(GetParam());
  model.variable("x", {.nominal = -1.0});
  model.equation("wish", model.parameter("a", 1.0) == 2.0);
  for (const Use& use : uses())
    EXPECT_THAT(ids_of([&] { use.of(model); }), ElementsAre("E-MOD-005", "E-MOD-001", "E-MOD-010"))
        << use.name;
}

TEST_P(ModelCheck, E_MOD_002_is_reported_only_of_a_parameter_that_no_run_gives) {
  Model model = decay(GetParam());
  const Expression y = model.variable("y", {.start = {1}, .fixed = {true}});
  model.equation(der(y) == -model.parameter("rate") * y);
  PreparedModel prepared(model, {.to = 1.0, .tolerance = 1e-10});
  const RunInput slow{.parameters = {{"rate", 2.0}}}, fast{.parameters = {{"rate", 3.0}}};
  EXPECT_THAT(ids_of([&] { prepared.solve(); }), ElementsAre("E-MOD-002"));
  EXPECT_NEAR(prepared.solve(slow).final()[1], std::exp(-2.0), 1e-9);
  EXPECT_NEAR(prepared.solve(fast).final()[1], std::exp(-3.0), 1e-9);
  EXPECT_THAT(ids_of([&] { prepared.solve(); }), ElementsAre("E-MOD-002"));
  for (const double rate : {2.0, 3.0}) {
    Simulation simulation = prepared.simulate({.parameters = {{"rate", rate}}});
    ASSERT_TRUE(simulation.finish());
    EXPECT_NEAR(simulation("y"), std::exp(-rate), 1e-9);
  }
  EXPECT_THAT(ids_of([&] { prepared.simulate(); }), ElementsAre("E-MOD-002"));
  const std::vector<ParameterValues> members = {slow.parameters, fast.parameters};
  for (const char* method : {"taylor", "dd-erk"}) {
    const auto solutions = solve_ensemble(model, members, {.to = 1.0, .method = method});
    EXPECT_NEAR(solutions[0].final()[1], std::exp(-2.0), 1e-6) << method;
    EXPECT_NEAR(solutions[1].final()[1], std::exp(-3.0), 1e-6) << method;
  }
}

// A mass on two equal bars: one constraint follows from the other, whatever the mass.
TEST(ModelCheck, E_MOD_002_is_not_reported_where_redundant_constraints_are_looked_for) {
  const Model model = parse_model(R"(
model Bars
  parameter Real m;
  Real x(start = 0.6, fixed = true);
  Real y(start = -0.8);
lagrangian
  coordinates x, y;
  function m/2*(der(x)^2 + der(y)^2) - m*9.81*y;
  bar: constraint x^2 + y^2 = 1;
  twin: constraint x^2 + y^2 = 1;
  redundant constraints;
end Bars;
)");
  PreparedModel prepared(model, {.to = 0.5});
  const RunInput light{.parameters = {{"m", 1.0}}};
  EXPECT_THAT(ids_of([&] { prepared.solve(); }), ElementsAre("E-MOD-002"));
  EXPECT_TRUE(prepared.solve(light).ok());
  EXPECT_TRUE(prepared.simulate(light).finish());
  EXPECT_TRUE(solve_ensemble(model, std::vector{light.parameters}, {.to = 0.5})[0].ok());
}

TEST(ModelCheck, a_prepared_model_that_makes_no_sense_is_refused_at_every_run) {
  PreparedModel prepared(Model("Idle"));
  for (int k = 0; k < 3; ++k) {
    EXPECT_THAT(ids_of([&] { prepared.solve(); }), ElementsAre("E-MOD-004"));
    EXPECT_THAT(ids_of([&] { prepared.simulate(); }), ElementsAre("E-MOD-004"));
  }
}

}  // namespace
}  // namespace daedal

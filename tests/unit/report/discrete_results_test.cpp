// Discrete variables are results wherever variables and outputs are. The witness: a counter of the
// whole numbers that time has passed is a staircase.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// n counts from `first` how often x = t has passed a whole number and a half; y' = n.
Model staircase() {
  return parse_model(R"(
model Staircase
  parameter Real first = 0;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Real n(start = first) "steps climbed";
  discrete Real level(start = 0.5);
  output Real twice = 2*n;
equation
  der(x) = 1;
  der(y) = n;
  when x >= level then n = pre(n) + 1; level = pre(level) + 1; end when;
end Staircase;
)");
}

double stair(double t) { return std::floor(t + 0.5); }

TEST(DiscreteVariables, are_results_at_any_time_by_every_method) {
  for (const char* method : {"taylor", "dd-erk", "dd-ida", "bdf", "array", "completion"}) {
    SCOPED_TRACE(method);
    const Solution s = solve(staircase(), {.to = 4.0, .method = method, .at = {0.0, 1.0, 3.2}});
    ASSERT_TRUE(s.ok());
    EXPECT_EQ(s.num_discretes(), 2);
    EXPECT_THAT(s.outputs(), ElementsAre("n", "level", "twice"));
    EXPECT_THAT(s.final_outputs(), ElementsAre(4.0, 4.5, 8.0));
    for (const double t : {0.0, 0.4, 0.6, 1.4, 2.0, 3.6, 4.0}) EXPECT_EQ(s("n", t), stair(t)) << t;
    ASSERT_EQ(s.at().size(), 3U);
    for (const Sample& sample : s.at()) EXPECT_EQ(sample.outputs[0], stair(sample.t));
  }
}

TEST(DiscreteVariables, have_at_an_event_the_value_just_after_it_and_before_it_that_before) {
  const Solution s = solve(staircase(), {.to = 4.0});
  ASSERT_EQ(s.events().size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    const Event& event = s.events()[k];
    const double count = static_cast<double>(k);
    EXPECT_EQ(s("n", event.t), count + 1);
    EXPECT_EQ(s("n", std::nextafter(event.t, 0.0)), count);
    ASSERT_GE(event.jumps.size(), 2U);
    EXPECT_EQ(event.jumps[0].name, "n");
    EXPECT_EQ(event.jumps[0].before, count);
    EXPECT_EQ(event.jumps[0].after, count + 1);
  }
}

TEST(DiscreteVariables, have_no_derivative_and_that_is_said_by_name) {
  const Solution s = solve(staircase(), {.to = 1.0});
  try {
    s("n", 0.5, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].id, "E-SOL-004");
    EXPECT_THAT(error.problems()[0].what, HasSubstr("discrete variable 'n'"));
  }
}

TEST(DiscreteVariables, stand_in_text_and_json_beside_the_variables) {
  const Solution s = solve(staircase(), {.to = 2.0, .at = {1.0}});
  EXPECT_THAT(to_text(s), HasSubstr("discrete variables at t = 2\n  n        2\n"));
  EXPECT_THAT(to_json(s), HasSubstr(R"("n":2.0,"level":2.5})"));
  EXPECT_THAT(to_json(s), HasSubstr(R"("final_outputs":{"twice":4.0})"));
  EXPECT_THAT(to_json(s), HasSubstr(R"("n":1.0,"level":1.5},"outputs":{"twice":2.0})"));
  const ConsistentPoint start = initialize(staircase());
  EXPECT_THAT(to_text(start), HasSubstr("discrete variables\n  n        0\n  level  0.5\n"));
  EXPECT_THAT(to_json(start), HasSubstr(R"("n":0.0,"level":0.5},"outputs":{"twice":0.0})"));
}

TEST(DiscreteVariables, of_ensembles_are_those_of_single_runs) {
  const std::vector<ParameterValues> members = {{{"first", 0.0}}, {{"first", 10.0}}};
  const auto all = solve_ensemble(staircase(), members, {.to = 3.0});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]("n", 1.7), 2.0);
  EXPECT_EQ(all[1]("n", 1.7), 12.0);
  EXPECT_EQ(all[1].final_outputs()[0], 13.0);
}

TEST(DiscreteVariables, of_a_continued_run_are_those_of_one_that_was_not_interrupted) {
  const std::string file = testing::TempDir() + "daedal_discrete_results";
  std::filesystem::remove(file);
  SolveOptions options{.to = 8.0, .max_step = 0.1, .at = {0.7, 4.9, 7.7}, .anchor_every = 4};
  const Solution whole = solve(staircase(), options);
  SolveOptions first = options;
  first.checkpoint.file = file;
  first.on_step = [](const Progress& progress) { return progress.steps < 45; };
  ASSERT_EQ(solve(staircase(), first).status(), Status::interrupted);
  SolveOptions rest = options;
  rest.resume = file;
  const Solution continued = solve(staircase(), rest);
  std::filesystem::remove(file);
  EXPECT_EQ(continued.final_outputs(), whole.final_outputs());
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(continued.at()[k].outputs, whole.at()[k].outputs);
  for (double t = 0.0; t <= 8.0; t += 0.05) EXPECT_EQ(continued("n", t), whole("n", t)) << t;
}

TEST(DiscreteVariables, that_a_user_changes_in_a_simulation_stay_in_its_solution) {
  Simulation simulation(staircase(), {.to = 4.0});
  ASSERT_TRUE(simulation.step_until(1.0));
  simulation.set("n", 7.0);
  ASSERT_TRUE(simulation.finish());
  const Solution s = simulation.solution();
  EXPECT_EQ(s("n", 0.8), 1.0);
  EXPECT_EQ(s("n", 1.2), 7.0);
  EXPECT_EQ(s("n", 1.6), 8.0);
  EXPECT_EQ(simulation("n"), 10.0);
}

TEST(DiscreteVariables, are_drawn_as_steps) {
  const Solution s = solve(staircase(), {.to = 2.0});
  const std::string plot = text_plot(s, {.names = {"n"}, .width = 60, .unicode = false});
  EXPECT_THAT(plot, HasSubstr("2 +"));
  EXPECT_THROW(text_plot(s, {.names = {"der(n)"}}), Error);
}

}  // namespace
}  // namespace daedal

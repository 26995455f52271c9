// Outputs are told wherever values are, and change nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

// x = sin(w t)
Model oscillator(bool with_outputs) {
  Model model("Oscillator");
  const auto w = model.parameter("w", 2.0);
  const auto x = model.variable("x", {.start = {0, w}, .fixed = {true, true}});
  model.equation(der(x, 2) + sqr(w) * x == 0);
  if (with_outputs) {
    model.output("energy", 0.5 * sqr(der(x)) + 0.5 * sqr(w * x));
    model.output("rate", der(x * x));
  }
  return model;
}

TEST(Outputs, follow_the_solution_at_the_start_inside_steps_and_at_the_end) {
  const Model model = oscillator(true);
  const ConsistentPoint start = initialize(model);
  EXPECT_EQ(start.outputs, (std::vector<std::string>{"energy", "rate"}));
  EXPECT_DOUBLE_EQ(start.output_values[0], 2.0);
  const Solution solution = solve(model, {.to = 3.0, .tolerance = 1e-13, .at = {0.0, 1.1, 3.0}});
  const auto rate = [](double t) { return 2 * std::sin(4 * t); };  // 2 x x'
  ASSERT_EQ(solution.at().size(), 3U);
  for (const Sample& sample : solution.at()) {
    ASSERT_EQ(sample.values.size(), 1U);
    EXPECT_NEAR(sample.outputs.at(0), 2.0, 1e-11);
    EXPECT_NEAR(sample.outputs.at(1), rate(sample.t), 1e-11);
  }
  EXPECT_NEAR(solution.final_outputs().at(1), rate(3.0), 1e-11);
  EXPECT_NEAR(solution("rate", 2.3), rate(2.3), 1e-11);
  EXPECT_THROW(solution("rate", 2.3, 1), Error);
  EXPECT_THROW(solution("nothing", 2.3), Error);
}

TEST(Outputs, outlive_the_model_and_follow_parameters) {
  Solution solution;
  {
    Model model = oscillator(true);
    model.set_parameter("w", 3.0);
    solution = solve(model);
  }
  EXPECT_NEAR(solution("energy", 0.5), 4.5, 1e-8);
}

TEST(Outputs, samples_have_variables_then_outputs) {
  SolveOptions options{.to = 0.5};
  std::size_t length = 0;
  options.on_sample = [&](double, std::span<const double> values) { length = values.size(); };
  solve(oscillator(true), options);
  EXPECT_EQ(length, 3U);
}

TEST(Outputs, change_neither_steps_nor_nodes) {
  EXPECT_EQ(solve(oscillator(true), {.to = 9}).statistics().steps,
            solve(oscillator(false), {.to = 9}).statistics().steps);
  EXPECT_EQ(analyze(oscillator(true)).nodes, analyze(oscillator(false)).nodes);
}

TEST(Outputs, members_of_an_ensemble_have_their_own) {
  const std::vector<ParameterValues> members = {{{"w", 1.0}}, {{"w", 4.0}}};
  const auto solutions = solve_ensemble(oscillator(true), members, {.to = 2});
  EXPECT_NEAR(solutions[0].final_outputs()[0], 0.5, 1e-8);
  EXPECT_NEAR(solutions[1].final_outputs()[0], 8.0, 1e-7);
}

TEST(Outputs, names_must_be_free_but_the_energy_of_a_lagrangian_gives_way) {
  Model model = oscillator(true);
  model.output("w", 1.0);
  EXPECT_THROW(analyze(model), Error);

  Model falling("Falling");
  const auto y = falling.variable("y", {.start = {0, 3}});
  add_lagrangian(falling, {.function = 0.5 * sqr(der(y)) - 9.8 * y, .coordinates = {y}});
  EXPECT_EQ(analyze(falling).outputs, std::vector<std::string>{"energy"});
  EXPECT_NEAR(solve(falling, {.to = 2}).final_outputs()[0], 4.5, 1e-9);
  falling.output("energy", 7.0);
  EXPECT_EQ(analyze(falling).output_texts, std::vector<std::string>{"7"});
}

}  // namespace
}  // namespace daedal

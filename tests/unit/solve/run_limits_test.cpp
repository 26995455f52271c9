// Caps of a run end it with a status of their own, and keep what was computed.
#include <gtest/gtest.h>

#include <algorithm>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

// Minutes away with the longest steps, and near enough for the shortest (0.01) not to be given up
// as hopeless (integrate/progress.hpp) before the time is over on a fast machine.
constexpr double far = 1e9;

Model oscillator() {
  Model model("Oscillator");
  const Expression x = model.variable("x", {.start = {1, 0}});
  model.equation(der(x, 2) == -x);
  return model;
}

Model bouncing_ball() {
  return parse_model(R"(
model Ball
  Real h(start = {1, 0}, fixed = {true, true});
equation
  der(h, 2) = -1;
  when h < 0 then
    reinit(der(h), -pre(der(h)));
  end when;
end Ball;
)");
}

class RunLimits : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, RunLimits,
                         testing::Values("taylor", "array", "completion", "dd-erk", "dd-ida",
                                         "bdf"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(RunLimits, a_run_without_end_ends_when_its_time_is_over) {
  const Solution solution = solve(
      oscillator(), {.to = far, .method = GetParam(), .max_seconds = 0.05, .keep_steps = false});
  EXPECT_EQ(solution.status(), Status::out_of_time);
  ASSERT_FALSE(solution.problems().empty());
  EXPECT_EQ(solution.problems().back().id, "S-LIM-001");
  EXPECT_LT(solution.t(), far);
  EXPECT_EQ(solution.final().size(), 1U);
}

TEST_P(RunLimits, a_process_beyond_its_memory_ends_before_the_first_step) {
  const Solution solution =
      solve(oscillator(), {.to = 1.0, .method = GetParam(), .max_memory = 0.001});
  EXPECT_EQ(solution.status(), Status::out_of_memory);
  ASSERT_FALSE(solution.problems().empty());
  EXPECT_EQ(solution.problems().back().id, "S-LIM-002");
  EXPECT_EQ(solution.statistics().steps, 0);
}

TEST(RunLimitsOfModes, hold_in_a_model_with_events) {
  constexpr double many_bounces = 1e6;
  const Solution late =
      solve(bouncing_ball(), {.to = many_bounces, .max_seconds = 0.05, .keep_steps = false});
  EXPECT_EQ(late.status(), Status::out_of_time);
  EXPECT_GT(late.t(), 0.0);
  EXPECT_EQ(solve(bouncing_ball(), {.to = many_bounces, .max_memory = 0.001}).status(),
            Status::out_of_memory);
}

TEST(RunLimitsOfEnsembles, end_every_member) {
  const Model model = parse_model(R"(
model M
  parameter Real k = 1;
  Real x(start = {1, 0});
equation
  der(x, 2) = -k*x;
end M;
)");
  const std::vector<ParameterValues> members = {{{"k", 1.0}}, {{"k", 2.0}}, {{"k", 3.0}}};
  for (const Solution& solution :
       solve_ensemble(model, members, {.to = far, .max_seconds = 0.05, .keep_steps = false}))
    EXPECT_EQ(solution.status(), Status::out_of_time);
}

TEST(RunLimitsAsOptions, are_refused_unless_they_are_above_zero) {
  try {
    solve(oscillator(), {.max_seconds = 0.0, .max_memory = -1.0});
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(error.problems()[0].id, "E-OPT-001");
    EXPECT_EQ(error.problems()[1].where, "option max_memory");
  }
}

// Powers of a first step of 1e30 are beyond the range of doubles.
TEST(LongRuns, begin_and_take_steps_up_to_1e30) {
  const Solution solution = solve(oscillator(), {.to = 1e30, .max_steps = 10});
  EXPECT_EQ(solution.status(), Status::too_many_steps);
  EXPECT_GT(solution.t(), 1.0);
  EXPECT_THROW(solve(oscillator(), {.to = 1e31}), Error);
}

}  // namespace
}  // namespace daedal

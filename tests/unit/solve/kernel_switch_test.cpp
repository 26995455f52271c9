// Whoever computes the series, and whenever machine code takes over, the run is the same, bit by
// bit.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

Model double_pendulum() {
  return load_model(DAEDAL_SOURCE_DIR "/problems/double_pendulum/double_pendulum.mo");
}

bool has_compiler() {
  try {
    solve(double_pendulum(), {.to = 0.01, .kernel = "compiled"});
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-OPT-005");
    return false;
  }
}

void expect_equal_runs(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.step_times(), other.step_times());
  EXPECT_EQ(one.final(), other.final());
  EXPECT_EQ(one.final_derivatives(), other.final_derivatives());
  for (std::size_t k = 1; k < one.step_times().size(); ++k) {
    const double middle = 0.5 * (one.step_times()[k - 1] + one.step_times()[k]);
    EXPECT_EQ(one(middle), other(middle));
  }
}

TEST(Kernel, compiled_gives_the_run_of_the_interpreter) {
  if (!has_compiler()) GTEST_SKIP() << "no compiler";
  const Solution interpreted = solve(double_pendulum(), {.to = 2.0, .kernel = "interpreter"});
  const Solution compiled =
      solve(double_pendulum(), {.to = 2.0, .kernel = "compiled", .use_cache = false});
  EXPECT_EQ(interpreted.kernel(), "interpreter");
  EXPECT_EQ(compiled.kernel(), "compiled");
  expect_equal_runs(interpreted, compiled);
}

// Steps are held up until the compiler had its time.
TEST(Kernel, taking_over_in_the_middle_changes_nothing) {
  const Solution interpreted = solve(double_pendulum(), {.to = 2.0, .kernel = "interpreter"});
  const auto hold_up = [](const Progress&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return true;
  };
  const Solution mixed =
      solve(double_pendulum(), {.to = 2.0, .use_cache = false, .on_step = hold_up});
  expect_equal_runs(interpreted, mixed);
}

TEST(Kernel, that_does_not_exist_is_refused) {
  try {
    solve(double_pendulum(), {.kernel = "fast"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "E-OPT-004");
  }
}

}  // namespace
}  // namespace daedal

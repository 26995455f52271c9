// Models are built, analysed and solved in several threads at once; nothing is shared that changes.
#include <gtest/gtest.h>

#include "daedal/analysis.hpp"
#include "daedal/initialize.hpp"
#include "daedal/solve.hpp"
#include "threads/several_threads.hpp"

namespace daedal {
namespace {

using test::at_once;
using test::expect_same_bits;
using test::problem;

struct Case {
  const char* folder;  // in problems/, with a model file of the same name
  double to;
  const char* method = "auto";
};

// One for each way through the rooms: index 3, Newton at every step, modes, conversion, derivative
// array, state vectors, IDA, BDF, a Lagrangian.
const std::vector<Case> cases = {
    {"pendulum", 3.0},
    {"arc_length", 0.5},
    {"bouncing_ball", 2.0},
    {"slack_pendulum", 1.0},
    {"transistor_amplifier", 0.002},
    {"pendulum", 0.5, "array"},
    {"pendulum", 2.0, "dd-erk"},
    {"pendulum", 2.0, "dd-ida"},
    {"pendulum", 1.0, "bdf"},
    {"four_bar", 0.5},
};

SolveOptions options_of(const Case& which) {
  return {.to = which.to, .tolerance = 1e-8, .method = which.method, .use_cache = false};
}

TEST(Threads, that_each_solve_another_model_give_what_one_thread_gives) {
  std::vector<Solution> alone;
  for (const Case& which : cases) alone.push_back(solve(problem(which.folder), options_of(which)));
  const int num_cases = static_cast<int>(cases.size());
  at_once(4, [&](int n) {
    for (int k = 0; k < num_cases; ++k) {
      const auto number = static_cast<std::size_t>((k + 3 * n) % num_cases);
      SCOPED_TRACE(cases[number].folder);
      expect_same_bits(solve(problem(cases[number].folder), options_of(cases[number])),
                       alone[number]);
    }
  });
}

TEST(Threads, may_share_a_model_that_none_of_them_changes) {
  for (const Case& which : cases) {
    SCOPED_TRACE(which.folder);
    const Model model = problem(which.folder);
    const Solution alone = solve(model, options_of(which));
    const Analysis analysis = analyze(model);
    const ConsistentPoint start = initialize(model);
    at_once(3, [&](int n) {
      if (n == 0) {
        EXPECT_EQ(analyze(model).c, analysis.c);
      }
      if (n == 1) {
        EXPECT_EQ(initialize(model).values, start.values);
      }
      expect_same_bits(solve(model, options_of(which)), alone);
    });
  }
}

// Each beginning with the interpreter, going on with machine code that all find in one cache or
// make and put there.
TEST(Threads, whose_runs_are_compiled_meanwhile_give_the_bits_of_the_interpreter) {
  const Model model = problem("double_pendulum");
  const Solution interpreted = solve(model, {.to = 2.0, .kernel = "interpreter"});
  at_once(4, [&](int n) {
    SolveOptions options{.to = 2.0};
    options.on_step = [n](const Progress&) {  // so that there is time to compile
      std::this_thread::sleep_for(std::chrono::milliseconds(1 + n));
      return true;
    };
    expect_same_bits(solve(model, options), interpreted);
  });
}

TEST(Threads, that_end_their_runs_while_code_is_made_leave_others_alone) {
  const Model model = problem("pendulum");
  const Solution whole = solve(model, {.to = 30.0, .kernel = "interpreter"});
  at_once(4, [&](int n) {
    for (int k = 0; k < 10; ++k) {
      SolveOptions options{.to = 30.0, .use_cache = false};
      options.on_step = [&](const Progress& progress) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return progress.steps < 2 + (n + k) % 5;
      };
      const Solution cut = solve(model, options);
      ASSERT_EQ(cut.status(), Status::interrupted);
      EXPECT_EQ(cut.t(), whole.step_times().at(static_cast<std::size_t>(cut.statistics().steps)));
    }
  });
}

TEST(Threads, may_read_one_solution_at_once) {
  const Model model = problem("four_bar");
  const Solution solution = solve(model, {.to = 0.5});
  ASSERT_FALSE(solution.outputs().empty());  // the energy, evaluated when it is asked for
  const auto all_values = [&] {
    std::vector<double> values;
    for (int k = 0; k <= 100; ++k) {
      const double t = 0.005 * k;
      for (const double value : solution(t)) values.push_back(value);
      values.push_back(solution(0, t, 1));
      values.push_back(solution(solution.outputs()[0], t));
    }
    return values;
  };
  const std::vector<double> alone = all_values();
  at_once(4, [&](int) { EXPECT_EQ(all_values(), alone); });
}

}  // namespace
}  // namespace daedal

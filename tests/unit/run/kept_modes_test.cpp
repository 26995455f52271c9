// Modes that are not kept are built again, and nothing of a run shows which.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "daedal/model.hpp"
#include "model/check.hpp"
#include "run/drive.hpp"
#include "run/modes/transitions.hpp"
#include "run/run.hpp"

namespace daedal::run {
namespace {

// Blocks on springs, coupled, on a belt that holds them by friction: they stick and slip.
Model blocks(int n) {
  Model m("Blocks");
  std::vector<Expression> x, v;
  for (int k = 0; k < n; ++k) {
    x.push_back(m.variable(fmt::format("x{}", k), {.start = {1 + 0.1 * (k % 3)}, .fixed = {true}}));
    v.push_back(m.variable(fmt::format("v{}", k), {.start = {0.0}, .fixed = {true}}));
  }
  for (int k = 0; k < n; ++k) {
    Expression force = -x[k];
    if (k > 0) force = force + 0.5 * (x[k - 1] - x[k]);
    if (k + 1 < n) force = force + 0.5 * (x[k + 1] - x[k]);
    m.equation(der(x[k]) == v[k]);
    m.equation(der(v[k]) == force - (0.2 + 0.05 * k) * sign(v[k] - 0.1));
  }
  return m;
}

struct Outcome {
  solution::Record solution;
  long num_built = 0;
};

Outcome run_with(const Model& model, std::size_t most_nodes, const std::string& method) {
  const settings::Settings settings{.from = 0.0,
                                    .to = 60.0,
                                    .tolerance = 1e-8,
                                    .order = {},
                                    .max_step = std::numeric_limits<double>::infinity(),
                                    .at = {}};
  const SolveOptions options{.method = method, .kernel = "interpreter"};
  const std::vector<double> parameters = model::check(model.data());
  PreparedModes modes(model.data(), parameters, ladder_of(options.method.value()));
  modes.table.set_most_nodes(most_nodes);
  Transitions transitions(modes, settings, options, {.t = 0.0, .parameters = parameters});
  Outcome outcome;
  outcome.solution = transitions.find_start();
  Run run(transitions, settings, options, outcome.solution);
  run.begin();
  drive(run);
  outcome.num_built = modes.table.num_built();
  return outcome;
}

TEST(ModeTable, gives_the_same_bits_whether_modes_are_kept_or_built_again) {
  const Model model = blocks(5);
  for (const char* method : {"taylor", "dd-erk", "bdf"}) {
    const Outcome kept = run_with(model, 1'000'000, method), dropped = run_with(model, 1, method);
    ASSERT_TRUE(kept.solution.ok()) << method;
    EXPECT_GT(dropped.num_built, kept.num_built) << method;
    ASSERT_EQ(kept.solution.events.size(), dropped.solution.events.size()) << method;
    for (std::size_t k = 0; k < kept.solution.events.size(); ++k) {
      EXPECT_EQ(kept.solution.events[k].t, dropped.solution.events[k].t) << method;
      EXPECT_EQ(kept.solution.events[k].mode, dropped.solution.events[k].mode) << method;
    }
    EXPECT_EQ(kept.solution.final, dropped.solution.final) << method;
    EXPECT_EQ(kept.solution.statistics.steps, dropped.solution.statistics.steps) << method;
    EXPECT_EQ(kept.solution.statistics.evaluations, dropped.solution.statistics.evaluations);
    ASSERT_EQ(kept.solution.modes.size(), dropped.solution.modes.size()) << method;
    for (std::size_t k = 0; k < kept.solution.modes.size(); ++k)
      EXPECT_EQ(kept.solution.modes[k].conditions, dropped.solution.modes[k].conditions);
  }
}

// A block has two sides on which it slips, which are one mode, and one on which it sticks: of three
// blocks there are 8 modes, and 27 that users are told of.
TEST(ModeTable, builds_one_mode_for_both_directions_of_slipping) {
  const Outcome outcome = run_with(blocks(3), 1'000'000, "taylor");
  ASSERT_TRUE(outcome.solution.ok());
  EXPECT_LE(outcome.num_built, 8);
  EXPECT_GT(outcome.solution.num_modes, outcome.num_built);
}

}  // namespace
}  // namespace daedal::run

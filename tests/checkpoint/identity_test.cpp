// A run that was interrupted again and again is the run that was not (docs/theory/checkpoints.md),
// bit by bit: every method on the problems that it claims.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "conformance/achieved.hpp"
#include "conformance/cells.hpp"

namespace daedal::test {
namespace {

// So many that there are several anchors, and few enough that methods of several steps get going.
long anchor_every(const std::string& method) {
  if (method == "dd-ida") return 300;
  if (method == "bdf") return 100;
  return method == "dd-erk" || method == "completion" ? 30 : 7;
}

// So that bits are compared: NaN is NaN, and -0 is not 0.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

// What a run tells, in a form that can be compared.
struct Told {
  Solution solution;
  std::vector<std::vector<double>> rows;  // t and values, as a file would have them
};

class Interrupted {
 public:
  Interrupted(const Cell& cell, const Model& model, double end)
      : model_(model), random_(static_cast<unsigned>(std::hash<std::string>()(cell.name()))) {
    const double from = model.data().experiment.start_time.value_or(0.0);
    options_ = {.to = end, .tolerance = cell.method.tolerance, .method = cell.method.name};
    options_.anchor_every = anchor_every(cell.method.name);
    if (random_() % 2 == 0)
      for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0})
        options_.at.push_back(from + part * (end - from));
    options_.keep_steps = random_() % 2 == 0;
    file_ = testing::TempDir() + "daedal_" + cell.name() + ".checkpoint";
    std::filesystem::remove(file_);
  }
  ~Interrupted() { std::filesystem::remove(file_); }

  Told uninterrupted() {
    Told told;
    SolveOptions options = options_;
    options.on_sample = [&](double t, std::span<const double> values) { keep(told, t, values); };
    told.solution = solve(model_, options);
    return told;
  }

  // Stopped after some steps, and continued by a solver that knows the file only, until the end.
  Told interrupted(long steps) {
    Told told;
    SolveOptions options = options_;
    options.on_sample = [&](double t, std::span<const double> values) { keep(told, t, values); };
    options.checkpoint.file = file_;
    options.checkpoint.every = 1e9;  // the stops alone
    options.checkpoint.note = [&] { return std::to_string(told.rows.size()); };
    for (;;) {
      // Often before the first anchor, and far enough that it gets somewhere.
      const long most = steps / 3 + *options_.anchor_every;
      long left = 1 + static_cast<long>(random_() % static_cast<unsigned long>(2 * most));
      options.on_step = [&](const Progress&) { return --left > 0; };
      told.solution = solve(model_, options);
      if (told.solution.status() != Status::interrupted) return told;
      ++num_stops;
      options.resume = file_;
      told.rows.resize(std::stoul(read_checkpoint(file_).note));
    }
  }

  int num_stops = 0;

 private:
  static void keep(Told& told, double t, std::span<const double> values) {
    told.rows.push_back({t});
    told.rows.back().insert(told.rows.back().end(), values.begin(), values.end());
  }

  const Model& model_;
  std::mt19937 random_;
  SolveOptions options_;
  std::string file_;
};

void expect_same_events(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.events().size(), b.events().size());
  for (std::size_t k = 0; k < a.events().size(); ++k) {
    EXPECT_EQ(a.events()[k].t, b.events()[k].t);
    EXPECT_EQ(a.events()[k].name, b.events()[k].name);
    EXPECT_EQ(a.events()[k].mode, b.events()[k].mode);
    EXPECT_EQ(a.events()[k].jumps.size(), b.events()[k].jumps.size());
  }
  ASSERT_EQ(a.modes().size(), b.modes().size());
  for (std::size_t k = 0; k < a.modes().size(); ++k) {
    EXPECT_EQ(a.modes()[k].entries, b.modes()[k].entries);
    EXPECT_EQ(a.modes()[k].time, b.modes()[k].time);
    EXPECT_EQ(a.modes()[k].conditions, b.modes()[k].conditions);
  }
  EXPECT_EQ(a.zeno().has_value(), b.zeno().has_value());
}

void expect_same_steps(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.step_notes().size(), b.step_notes().size());
  EXPECT_EQ(bits(a.step_times()), bits(b.step_times()));
  for (std::size_t k = 0; k + 1 < a.step_times().size(); k += 5) {
    const double t = 0.5 * (a.step_times()[k] + a.step_times()[k + 1]);
    EXPECT_EQ(bits(a(t)), bits(b(t))) << "at t = " << t;
    EXPECT_EQ(a.step_notes()[k].rejected, b.step_notes()[k].rejected);
  }
}

void expect_same(const Told& a, const Told& b) {
  const Solution &x = a.solution, &y = b.solution;
  EXPECT_EQ(x.status(), y.status());
  EXPECT_EQ(x.t(), y.t());
  EXPECT_EQ(bits(x.final()), bits(y.final()));
  for (std::size_t j = 0; j < x.final_derivatives().size(); ++j)
    EXPECT_EQ(bits(x.final_derivatives()[j]), bits(y.final_derivatives()[j]));
  ASSERT_EQ(x.at().size(), y.at().size());
  for (std::size_t k = 0; k < x.at().size(); ++k)
    EXPECT_EQ(bits(x.at()[k].values), bits(y.at()[k].values));
  EXPECT_EQ(x.statistics().steps, y.statistics().steps);
  EXPECT_EQ(x.statistics().rejected, y.statistics().rejected);
  EXPECT_EQ(x.statistics().factorisations, y.statistics().factorisations);
  EXPECT_EQ(x.statistics().newton_iterations, y.statistics().newton_iterations);
  EXPECT_EQ(x.statistics().smallest_step, y.statistics().smallest_step);
  EXPECT_EQ(x.statistics().constraint_residual, y.statistics().constraint_residual);
  EXPECT_EQ(x.statistics().max_condition, y.statistics().max_condition);
  EXPECT_EQ(x.singularities().size(), y.singularities().size());
  EXPECT_EQ(x.indicators().size(), y.indicators().size());
  expect_same_events(x, y);
  expect_same_steps(x, y);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows.size(); ++k) ASSERT_EQ(bits(a.rows[k]), bits(b.rows[k]));
}

int num_stops_of_all = 0;

class Checkpoints : public testing::TestWithParam<Cell> {
 public:
  static void TearDownTestSuite() { std::printf("%d stops\n", num_stops_of_all); }
};

INSTANTIATE_TEST_SUITE_P(Small, Checkpoints, testing::ValuesIn(cells(Size::small)),
                         [](const auto& test) { return test.param.name(); });
INSTANTIATE_TEST_SUITE_P(Large, Checkpoints, testing::ValuesIn(cells(Size::large)),
                         [](const auto& test) { return test.param.name(); });

TEST_P(Checkpoints, a_run_that_is_interrupted_and_continued_gives_the_same_bits) {
  const Cell& cell = GetParam();
  const Variant& problem = variant(cell.row.problem);
  const Model model = problem.cpp();
  Interrupted run(cell, model, number(problem.facts.at("references").at(0).at("t")));
  const Told once = run.uninterrupted();
  const Told again = run.interrupted(once.solution.statistics().steps);
  expect_same(once, again);
  RecordProperty("stops", run.num_stops);
  num_stops_of_all += run.num_stops;
}

}  // namespace
}  // namespace daedal::test

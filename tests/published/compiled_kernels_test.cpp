// Machine code and interpreter do the same IEEE operations in the same order: every coefficient of
// every operation agrees, bit by bit, on every problem of the collection, in one lane and in
// several.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "integrate/taylor/taylor_integrator.hpp"
#include "jit/compiler.hpp"
#include "jit/stage_compiler.hpp"
#include "plan/plan.hpp"
#include "problem_data.hpp"
#include "start/consistent_start.hpp"

namespace daedal::test {
namespace {

constexpr int order = 14;
constexpr int num_steps = 3;

taylor::SeriesSolver make_series(plan::Plan& plan, int num_lanes) {
  return {taylor::make_series_schedule({*plan.equations.graph, plan.residuals(), plan.structure,
                                        plan.leads, plan.is_linear}),
          plan.structure, order - 1, std::vector<std::vector<double>>(num_lanes, plan.parameters),
          plan.nominals()};
}

integrate::TaylorIntegrator make_integrator(plan::Plan& plan, int num_lanes) {
  return {make_series(plan, num_lanes), plan.nominals(), {.tolerance = 1e-9, .max_step = 1e300}};
}

std::shared_ptr<const taylor::CompiledStages> compile(const taylor::SeriesSolver& series) {
  return jit::StageCompiler(series.program(), series.schedule(), series.intended_schedules(),
                            jit::CodeCache(""))
      .compile();
}

bool are_equal_bits(const taylor::SeriesSolver& one, const taylor::SeriesSolver& other) {
  for (int k = 0; k <= one.highest_degree(); ++k)
    for (taylor::Slot slot = 0; slot < one.schedule().offset.size(); ++slot)
      for (int lane = 0; lane < one.num_lanes(); ++lane) {
        const double a = one.slot_coefficient(slot, k, lane);
        const double b = other.slot_coefficient(slot, k, lane);
        if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) continue;
        if (std::isnan(a) && std::isnan(b)) continue;
        ADD_FAILURE() << "slot " << slot << " order " << k << " lane " << lane << ": " << a
                      << " and " << b;
        return false;
      }
  return true;
}

class CompiledKernels : public testing::TestWithParam<std::tuple<Variant, int>> {
 protected:
  void SetUp() override {
    try {
      jit::Compiler::of_installation();
    } catch (const jit::CompilerFailure& failure) {
      GTEST_SKIP() << failure.what();
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, CompiledKernels,
                         testing::Combine(testing::ValuesIn(all_variants()),
                                          testing::Values(1, 4, 7)),
                         [](const auto& test) {
                           return std::get<0>(test.param).name() + "_lanes_" +
                                  std::to_string(std::get<1>(test.param));
                         });

// A problem of the collection at its start.
struct Start {
  std::unique_ptr<Model> model;  // the plan refers to it
  plan::Plan plan;
  double t;
  init::PointFound point;
};

std::optional<Start> start_of(const Variant& variant) {
  if (variant.is_hybrid()) return {};  // its modes are models like all others
  auto model = std::make_unique<Model>(variant.mo());
  if (model->data().equations.size() > 500) return {};
  plan::Plan plan = plan::make_plan(model->data());
  const double t = model->data().experiment.start_time.value_or(0.0);
  init::PointFound point = start::find_start(plan, t);
  if (point.outcome != init::Outcome::found) return {};
  return Start{std::move(model), std::move(plan), t, std::move(point)};
}

// Lane n is n steps ahead, so that no two lanes compute the same.
void expect_equal_bits(const Variant& variant, int num_lanes) {
  std::optional<Start> found = start_of(variant);
  if (!found) GTEST_SKIP() << "large, with modes, or no start";
  auto& [model, plan, t, start] = *found;
  integrate::TaylorIntegrator interpreted = make_integrator(plan, num_lanes);
  integrate::TaylorIntegrator compiled = make_integrator(plan, num_lanes);
  compiled.use(compile(compiled.series()));
  for (int lane = 0; lane < num_lanes; ++lane) {
    const bool has_series = interpreted.begin(t, t + 1000.0, start.derivatives, lane);
    EXPECT_EQ(compiled.begin(t, t + 1000.0, start.derivatives, lane), has_series);
    ASSERT_TRUE(are_equal_bits(interpreted.series(), compiled.series()));
    for (int step = 0; step < num_steps + lane && has_series; ++step) {
      const bool is_accepted = interpreted.advance(lane);
      EXPECT_EQ(compiled.advance(lane), is_accepted);
      ASSERT_TRUE(are_equal_bits(interpreted.series(), compiled.series()));
      if (!is_accepted) break;
    }
  }
}

TEST_P(CompiledKernels, give_the_bits_of_the_interpreter) {
  const auto& [variant, num_lanes] = GetParam();
  expect_equal_bits(variant, num_lanes);
}

// Given values that are wrong by some thousandths, by others in each lane: projections and Newton's
// method have to move them.
void set_near(taylor::SeriesSolver& series, const Start& start) {
  constexpr double scale = 0.125;
  for (int lane = 0; lane < series.num_lanes(); ++lane) {
    series.set_origin(start.t, scale, lane);
    for (int j = 0; j < series.num_unknowns(); ++j) {
      double factor = 1.0 + 1e-3 * ((lane + j) % 3);
      for (int k = 0; k < static_cast<int>(start.point.derivatives[j].size()); ++k) {
        series.coefficient(j, k, lane) = factor * start.point.derivatives[j][k];
        factor *= scale / (k + 1);
      }
    }
  }
}

TEST_P(CompiledKernels, start_from_a_point_nearby_with_the_bits_of_the_interpreter) {
  const auto& [variant, num_lanes] = GetParam();
  std::optional<Start> start = start_of(variant);
  if (!start) GTEST_SKIP() << "large, with modes, or no start";
  taylor::SeriesSolver interpreted = make_series(start->plan, num_lanes);
  taylor::SeriesSolver compiled = make_series(start->plan, num_lanes);
  const auto code = compile(compiled);
  if (num_lanes == 1) {  // otherwise steps may be too large to be compiled
    EXPECT_TRUE(std::any_of(code->start.begin(), code->start.end(),
                            [](taylor::StageFunction function) { return function != nullptr; }));
  }
  compiled.use(code);
  for (taylor::SeriesSolver* series : {&interpreted, &compiled}) {
    set_near(*series, *start);
    series->solve_start();
  }
  EXPECT_TRUE(are_equal_bits(interpreted, compiled));
  for (int lane = 0; lane < num_lanes; ++lane) {
    EXPECT_EQ(interpreted.report(lane).failure, compiled.report(lane).failure);
    EXPECT_EQ(interpreted.counters(lane).newton_iterations,
              compiled.counters(lane).newton_iterations);
  }
}

// Operations too wide for one function.
class CompiledKernelsOfLargeModels : public CompiledKernels {};
INSTANTIATE_TEST_SUITE_P(, CompiledKernelsOfLargeModels,
                         testing::Combine(testing::Values(variant("rod_chain")),
                                          testing::Values(1, 2, 8)),
                         [](const auto& test) {
                           return "lanes_" + std::to_string(std::get<1>(test.param));
                         });

TEST_P(CompiledKernelsOfLargeModels, give_the_bits_of_the_interpreter) {
  auto [variant, num_lanes] = GetParam();
  for (const int num_rods : {10, 60}) {
    variant.parameters["n"] = num_rods;
    expect_equal_bits(variant, num_lanes);
  }
}

TEST_P(CompiledKernelsOfLargeModels, solve_linear_systems_of_one_lane_or_a_vector_of_lanes) {
  auto [variant, num_lanes] = GetParam();
  variant.parameters["n"] = 10;
  std::optional<Start> start = start_of(variant);
  ASSERT_TRUE(start);
  const auto code = compile(make_series(start->plan, num_lanes));
  ASSERT_EQ(code->solves.size(), 1u);
  EXPECT_EQ(code->solves[0] != nullptr, num_lanes != 2);
}

}  // namespace
}  // namespace daedal::test

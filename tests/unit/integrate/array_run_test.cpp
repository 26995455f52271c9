#include "integrate/array/array_run.hpp"

#include <gtest/gtest.h>

#include "model/model_data.hpp"
#include "unit/reduce/pendulum_series.hpp"

namespace daedal::integrate {
namespace {

using reduce::FirstOrderForm;

FirstOrderForm form_of(const Model& model) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.data().equations)
    residuals.push_back(equation.residual);
  return reduce::first_order_form(*model.data().graph, residuals, {});
}

struct Prepared {
  Prepared(const Model& model, const std::vector<double>& guesses, const ArrayOptions& options)
      : form(form_of(model)),
        study(form, starts_of(guesses), {}),
        finding(study.at(0.0, 1)),
        run(study, form, parameters, finding, options) {}

  static std::vector<init::GivenStart> starts_of(const std::vector<double>& guesses) {
    std::vector<init::GivenStart> starts;
    for (const double guess : guesses)
      starts.emplace_back().derivatives.push_back({.value = guess});
    return starts;
  }

  const std::vector<double> parameters = {};
  FirstOrderForm form;
  reduce::ArrayStudy study;
  reduce::ArrayFinding finding;
  ArrayRun run;
};

constexpr double inf = std::numeric_limits<double>::infinity();

// Length x^2 + y^2 and energy (vx^2 + vy^2)/2 + y.
TEST(ArrayRun, keeps_length_and_energy_of_the_pendulum) {
  Prepared pendulum(test::unit_pendulum(), {0.5, 0.5, 0, 0, 0},
                    {.tolerance = 1e-10, .max_step = inf, .order = 14});
  ArrayRun& run = pendulum.run;
  ASSERT_TRUE(run.begin(0.0, 5.0));
  int steps = 0;
  while (!run.is_done() && steps < 1000) {
    ASSERT_TRUE(run.advance());
    ++steps;
    const double x = run.derivative(0, 0), y = run.derivative(1, 0), vx = run.derivative(2, 0),
                 vy = run.derivative(3, 0);
    EXPECT_NEAR(x * x + y * y, 1.0, 1e-13);
    EXPECT_NEAR((vx * vx + vy * vy) / 2 + y, std::numbers::sqrt2 / 2, 1e-8);
  }
  EXPECT_EQ(run.t(), 5.0);
  EXPECT_TRUE(run.losses().empty());
  EXPECT_GE(run.indicators().size(), static_cast<std::size_t>(steps));
}

TEST(ArrayRun, takes_no_step_longer_than_allowed) {
  Prepared pendulum(test::unit_pendulum(), {0.5, 0.5, 0, 0, 0},
                    {.tolerance = 1e-6, .max_step = 0.05, .order = 10});
  ArrayRun& run = pendulum.run;
  ASSERT_TRUE(run.begin(0.0, 0.5));
  double last = 0.0;
  while (!run.is_done()) {
    ASSERT_TRUE(run.advance());
    EXPECT_LE(run.t() - last, 0.05 * (1 + 1e-12));
    last = run.t();
  }
}

// y + z and y + (2 - t) z are given: parallel rows at t = 1, where the solution cos t, sin t is
// smooth.
TEST(ArrayRun, reports_a_loss_of_rank_that_the_solution_passes_smoothly) {
  Model model("Parallel");
  const auto x = model.variable("x"), y = model.variable("y"), z = model.variable("z");
  const auto t = model.time();
  model.equation(der(x) == -x);
  model.equation(y + z == cos(t) + sin(t));
  model.equation(y + (2 - t) * z == cos(t) + (2 - t) * sin(t));
  Prepared passage(model, {1.0, 1.0, 0.0}, {.tolerance = 1e-9, .max_step = inf, .order = 12});
  ArrayRun& run = passage.run;
  ASSERT_TRUE(run.begin(0.0, 2.0));
  for (int steps = 0; !run.is_done() && steps < 1000; ++steps) ASSERT_TRUE(run.advance());
  ASSERT_EQ(run.losses().size(), 1u);
  EXPECT_NEAR(run.losses()[0].t, 1.0, 1e-6);
  EXPECT_EQ(run.losses()[0].unknowns, (std::vector<int>{1, 2}));
  EXPECT_NEAR(run.derivative(0, 0), std::exp(-2.0), 1e-8);
  EXPECT_NEAR(run.derivative(1, 0), std::cos(2.0), 1e-8);
  EXPECT_NEAR(run.derivative(2, 0), std::sin(2.0), 1e-8);
}

// (1 - t) y = (1 - t) cos t leaves y open at t = 1: row norms are those of the start.
TEST(ArrayRun, reports_a_row_that_vanishes) {
  Model model("Vanishing");
  const auto x = model.variable("x"), y = model.variable("y");
  const auto t = model.time();
  model.equation(der(x) == -x);
  model.equation((1 - t) * y == (1 - t) * cos(t));
  Prepared passage(model, {1.0, 1.0}, {.tolerance = 1e-9, .max_step = inf, .order = 12});
  ArrayRun& run = passage.run;
  ASSERT_TRUE(run.begin(0.0, 2.0));
  for (int steps = 0; !run.is_done() && steps < 1000; ++steps) ASSERT_TRUE(run.advance());
  ASSERT_EQ(run.losses().size(), 1u);
  EXPECT_NEAR(run.losses()[0].t, 1.0, 1e-6);
}

}  // namespace
}  // namespace daedal::integrate

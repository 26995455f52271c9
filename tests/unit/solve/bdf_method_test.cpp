#include "run/steppers/bdf_method.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "start/consistent_start.hpp"

namespace daedal::solving {
namespace {

constexpr double g = 9.80665;
constexpr int length_equation = 2;

// Of unit mass and length, from rest, horizontally; y upwards.
Model pendulum() {
  Model model("Pendulum");
  const auto x = model.variable("x", {.start = {1, 0}});
  const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
  const auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + lambda * x == 0);
  model.equation(der(y, 2) + lambda * y + g == 0);
  model.equation(sqr(x) + sqr(y) - 1 == 0);
  return model;
}

// phi'' = -g cos phi: x = cos phi, y = sin phi, lambda = phi'^2 - g sin phi.
Solution state_space_form(double to) {
  Model model("Angle");
  const auto phi = model.variable("phi", {.start = {0, 0}, .fixed = {true, true}});
  model.equation(der(phi, 2) + g * cos(phi) == 0);
  return solve(model, {.from = 0.0, .to = to, .tolerance = 1e-14});
}

struct Errors {
  double position = 0.0, velocity = 0.0, multiplier = 0.0;
};

Errors errors_at(const integrate::Bdf& method, const Solution& exact) {
  const double phi = exact("phi", method.t()), omega = exact("phi", method.t(), 1);
  const auto larger = [&](double of_x, double of_y, int order) {
    return std::max(std::abs(method.derivative(0, order) - of_x),
                    std::abs(method.derivative(1, order) - of_y));
  };
  return {larger(std::cos(phi), std::sin(phi), 0),
          larger(-omega * std::sin(phi), omega * std::cos(phi), 1),
          std::abs(method.derivative(2, 0) - (omega * omega - g * std::sin(phi)))};
}

struct PendulumRun {
  PendulumRun(double to, const SolveOptions& options)
      : model(pendulum()),
        plan(plan::make_plan(model.data())),
        method(run::make_bdf(plan, settings::settings_of(model.data(), options), options.bdf)),
        end(to) {
    EXPECT_TRUE(method->begin(0.0, to, start::consistent_start(plan, 0.0).values));
  }
  bool advance() {
    if (method->t() == end) return false;
    const bool is_accepted = method->advance();
    EXPECT_TRUE(is_accepted) << method->t();
    steps += is_accepted;
    return is_accepted;
  }

  Model model;
  plan::Plan plan;
  std::unique_ptr<integrate::Bdf> method;
  double end;
  long steps = 0;
};

// Errors at the end of 5 s, two and a half swings, by index and tolerance: measured, and doubled.
// Index 0 drifts off the circle.
TEST(BdfMethod, follows_the_pendulum_in_forms_of_any_index) {
  const Solution exact = state_space_form(5.0);
  const std::array<double, 4> factor = {400, 10, 2, 30};  // of the tolerance, by index
  for (int index = 0; index <= 3; ++index)
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      PendulumRun run(5.0, {.from = 0.0,
                            .to = 5.0,
                            .tolerance = tolerance,
                            .method = "bdf",
                            .bdf = {.index = index}});
      while (run.advance()) {
      }
      const Errors errors = errors_at(*run.method, exact);
      EXPECT_LT(errors.position, factor[index] * tolerance) << index << ' ' << tolerance;
      EXPECT_LT(errors.velocity, 5 * factor[index] * tolerance) << index << ' ' << tolerance;
      EXPECT_LT(errors.multiplier, 20 * factor[index] * tolerance) << index << ' ' << tolerance;
      EXPECT_LT(run.method->counters().jacobians, run.steps / 2);
    }
}

// Largest |C|, |C'|, |C''| of a run of 100 steps of 0.01.
std::array<double, 3> residuals(int index) {
  PendulumRun run(1.0, {.from = 0.0,
                        .to = 1.0,
                        .order = 3,
                        .method = "bdf",
                        .bdf = {.index = index, .fixed_step = 0.01}});
  std::array<double, 3> largest = {};
  while (run.advance())
    for (int l = 0; l < 3; ++l)
      largest[l] =
          std::max(largest[l], std::abs(run.method->constraint_value(length_equation, l).value()));
  return largest;
}

// The one that is an equation of the form holds to rounding (lambda is 30, its terms are as large);
// the others are off by 1e-4 to 1e-2.
TEST(BdfMethod, keeps_the_constraint_that_it_solves_and_no_other) {
  constexpr double rounding = 1e-13, drift = 1e-4;
  for (int index = 0; index <= 3; ++index) {
    const std::array<double, 3> largest = residuals(index);
    for (int l = 0; l < 3; ++l)
      if (l == 3 - index)
        EXPECT_LT(largest[l], rounding) << index << ' ' << l;
      else
        EXPECT_GT(largest[l], drift) << index << ' ' << l;
  }
}

// At t = 1, two steps of one run against those of half the length.
Errors errors_of_fixed_steps(double step, const std::string& start_up, const Solution& exact) {
  PendulumRun run(1.0, {.from = 0.0,
                        .to = 1.0,
                        .order = 3,
                        .method = "bdf",
                        .bdf = {.fixed_step = step, .start_up = start_up}});
  while (run.advance()) {
  }
  return errors_at(*run.method, exact);
}

TEST(BdfMethod, of_order_3_on_index_3_loses_an_order_by_its_start_and_none_by_series) {
  const Solution exact = state_space_form(1.0);
  const auto observed = [&](const std::string& start_up) {
    const Errors coarse = errors_of_fixed_steps(0.00125, start_up, exact),
                 fine = errors_of_fixed_steps(0.000625, start_up, exact);
    return Errors{std::log2(coarse.position / fine.position),
                  std::log2(coarse.velocity / fine.velocity),
                  std::log2(coarse.multiplier / fine.multiplier)};
  };
  const Errors orders = observed("orders"), series = observed("series");
  EXPECT_NEAR(orders.position, 2, 0.2);
  EXPECT_NEAR(orders.velocity, 2, 0.2);
  EXPECT_NEAR(orders.multiplier, 2, 0.2);
  EXPECT_NEAR(series.position, 3, 0.1);
  EXPECT_NEAR(series.velocity, 3, 0.1);
  EXPECT_NEAR(series.multiplier, 3, 0.1);
}

// From rest the motion is the same in both directions of time.
TEST(BdfMethod, goes_back_in_time_at_index_3) {
  const Solution exact = state_space_form(1.0);
  PendulumRun run(-1.0, {.from = 0.0, .to = -1.0, .tolerance = 1e-8});
  while (run.advance()) {
  }
  EXPECT_NEAR(run.method->derivative(1, 0), std::sin(exact("phi", 1.0)), 1e-7);
  EXPECT_NEAR(run.method->derivative(1, 1), -exact("phi", 1.0, 1) * std::cos(exact("phi", 1.0)),
              1e-6);
}

TEST(BdfMethod, with_fixed_steps_ends_where_asked) {
  PendulumRun run(1.0, {.from = 0.0, .to = 1.0, .method = "bdf", .bdf = {.fixed_step = 0.3}});
  while (run.advance()) {
  }
  EXPECT_EQ(run.steps, 4);
  EXPECT_EQ(run.method->t(), 1.0);
  EXPECT_NEAR(run.method->last_trial(), 0.1, 1e-15);
}

// What is left of the iterations is noise in the differences of the past, which orders and lengths
// of steps are chosen from.
TEST(BdfMethod, that_leaves_more_of_each_iteration_needs_more_steps) {
  const auto steps = [](double newton_tolerance) {
    const Solution run = solve(pendulum(), {.to = 2.0,
                                            .tolerance = 1e-6,
                                            .method = "bdf",
                                            .bdf = {.newton_tolerance = newton_tolerance}});
    EXPECT_TRUE(run.ok());
    return run.statistics().steps;
  };
  EXPECT_GT(steps(0.5), 2 * steps(0.01));
  EXPECT_NEAR(static_cast<double>(steps(1e-4)), static_cast<double>(steps(0.01)),
              0.02 * static_cast<double>(steps(0.01)));
}

TEST(BdfMethod, that_may_iterate_less_often_makes_its_matrix_more_often) {
  const auto jacobians = [](int newton_iterations) {
    return solve(pendulum(), {.to = 2.0,
                              .tolerance = 1e-6,
                              .method = "bdf",
                              .bdf = {.newton_iterations = newton_iterations}})
        .statistics()
        .jacobians;
  };
  EXPECT_GT(jacobians(2), jacobians(7));
}

}  // namespace
}  // namespace daedal::solving

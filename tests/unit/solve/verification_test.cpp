// A second run tells the error of the first: witnesses are closed forms.
#include "run/verification.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/ensemble.hpp"
#include "daedal/model.hpp"
#include "solution/access.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// x = exp(-rate t) is a solution that all neighbours leave like exp(rate t).
Model unstable() {
  return parse_model(
      "model Unstable\nparameter Real rate = 5;\nReal x(start={1, -rate}, fixed={true, true});\n"
      "equation\nder(x, 2) = rate^2*x;\nend Unstable;\n",
      "unstable.mo");
}

Model oscillator() {
  return parse_model(
      "model Oscillator\nReal x(start={1, 0}, fixed={true, true});\nequation\n"
      "der(x, 2) = -x;\nend Oscillator;\n",
      "oscillator.mo");
}

double true_error(const Solution& solution) {
  const double exact = std::exp(-5.0 * solution.t());
  return std::abs(solution.final()[0] - exact) / (1.0 + exact);
}

TEST(Verification, the_error_of_an_unstable_model_is_told_by_every_method) {
  const Model model = unstable();
  for (const std::string method : {"taylor", "array", "completion", "dd-erk", "dd-ida", "bdf"}) {
    SCOPED_TRACE(method);
    const Solution solution =
        solve(model, {.to = 3.0, .tolerance = 1e-9, .method = method, .verify = true});
    ASSERT_TRUE(solution.verification());
    EXPECT_EQ(solution.verification()->status, Status::ok);
    EXPECT_DOUBLE_EQ(solution.verification()->tolerance, 1e-10);
    EXPECT_EQ(solution.verification()->variable, "x");
    EXPECT_EQ(solution.verification()->error_at, 3.0);
    // A tenth of the tolerance leaves about a tenth of the error; 1e-9 is the tolerance itself.
    EXPECT_NEAR(solution.verification()->error, true_error(solution),
                0.5 * true_error(solution) + 1e-9);
    ASSERT_EQ(solution.warnings().size(), true_error(solution) > 2e-7 ? 1U : 0U);
    if (solution.warnings().empty()) continue;
    EXPECT_EQ(solution.warnings()[0].id, "W-ERR-001");
    EXPECT_THAT(solution.warnings()[0].where, HasSubstr("x at t = 3"));
  }
}

TEST(Verification, changes_no_bit_of_the_result_and_is_silent_where_all_is_well) {
  const Model model = oscillator();
  const Solution plain = solve(model, {.to = 10.0, .tolerance = 1e-8});
  const Solution verified = solve(model, {.to = 10.0, .tolerance = 1e-8, .verify = true});
  EXPECT_FALSE(plain.verification());
  EXPECT_EQ(verified.final(), plain.final());
  EXPECT_EQ(verified.statistics().steps, plain.statistics().steps);
  EXPECT_THAT(verified.warnings(), IsEmpty());
  EXPECT_LT(verified.verification()->error, 1e-6);
}

TEST(Verification, the_second_run_has_another_order_and_its_steps_end_elsewhere) {
  settings::Settings settings;
  settings.from = 2.0;
  settings.to = -6.0;
  settings.tolerance = 1e-9;
  for (const std::string method : {"taylor", "array", "dd-erk", "dd-ida", "bdf"})
    for (const int order : {2, 5}) {
      const SolveOptions second = run::more_accurate({.order = order, .method = method}, settings);
      EXPECT_NE(second.order, order) << method;
      EXPECT_LT(second.max_step, 8.0 / 25);
      EXPECT_GT(second.max_step, 8.0 / 26);
    }
  EXPECT_EQ(run::more_accurate({.max_step = 0.01}, settings).max_step, 0.01);
  EXPECT_FALSE(run::more_accurate({}, settings).order);
}

TEST(Verification, times_asked_for_are_compared_too) {
  const Solution solution =
      solve(unstable(), {.to = 2.0, .tolerance = 1e-9, .at = {1.0, 2.0}, .verify = true});
  EXPECT_EQ(solution.verification()->error_at, 2.0);
  std::vector<double> told;
  solve(oscillator(), {.to = 2.0, .at = {1.0}, .verify = true, .on_sample = [&](double t, auto) {
                         told.push_back(t);
                       }});
  EXPECT_THAT(told, ElementsAre(1.0)) << "of the first run alone";
}

TEST(Verification, at_the_smallest_tolerance_the_second_run_is_the_coarser_one) {
  const Solution solution = solve(oscillator(), {.to = 1.0, .tolerance = 1e-15, .verify = true});
  EXPECT_DOUBLE_EQ(solution.verification()->tolerance, 1e-14);
}

TEST(Verification, fixed_steps_are_halved) {
  const Solution solution = solve(
      oscillator(), {.to = 1.0, .method = "bdf", .bdf = {.fixed_step = 0.01}, .verify = true});
  const double error = std::abs(solution.final()[0] - std::cos(1.0)) / (1.0 + std::cos(1.0));
  // Of order 3, so that 7/8 of the error are seen.
  EXPECT_NEAR(solution.verification()->error / error, 7.0 / 8.0, 0.1);
}

TEST(Verification, a_second_run_that_is_stopped_says_nothing_of_the_first) {
  int calls = 0;
  const Solution plain = solve(oscillator(), {.to = 10.0, .tolerance = 1e-6});
  const Solution solution =
      solve(oscillator(),
            {.to = 10.0, .tolerance = 1e-6, .verify = true, .on_step = [&](const Progress&) {
               return ++calls <= plain.statistics().steps;
             }});
  EXPECT_TRUE(solution.ok());
  EXPECT_EQ(solution.verification()->status, Status::interrupted);
  EXPECT_THAT(solution.warnings(), IsEmpty());
}

TEST(Verification, a_second_run_that_ends_early_contradicts_the_first) {
  const Model model = oscillator();
  Solution first = solve(model, {.to = 1.0});
  solution::Record second = SolutionAccess::record(solve(model, {.to = 1.0}));
  second.status = Status::left_domain;
  second.problems = {{.id = "S-INT-002", .what = "the argument of `sqrt(h)` leaves its domain"}};
  run::compare(model.data(), settings::settings_of(model.data(), {.to = 1.0}), second,
               SolutionAccess::record(first));
  ASSERT_EQ(first.warnings().size(), 1U);
  EXPECT_EQ(first.warnings()[0].id, "W-ERR-001");
  EXPECT_THAT(first.warnings()[0].why, HasSubstr("sqrt(h)"));
}

TEST(Verification, a_run_that_ended_early_is_not_verified) {
  const Model model = parse_model(
      "model Pole\nReal x(start=1, fixed=true);\nequation\nder(x) = x^2;\nend Pole;\n", "pole.mo");
  const Solution solution = solve(model, {.to = 2.0, .verify = true});
  EXPECT_EQ(solution.status(), Status::blow_up);
  EXPECT_FALSE(solution.verification());
}

TEST(Verification, members_of_an_ensemble_are_verified_as_single_runs_are) {
  const Model model = unstable();
  const std::vector<ParameterValues> members = {{{"rate", 1.0}}, {{"rate", 5.0}}};
  const std::vector<Solution> solutions =
      solve_ensemble(model, members, {.to = 3.0, .tolerance = 1e-9, .verify = true});
  const Solution single = solve(model, {.to = 3.0, .tolerance = 1e-9, .verify = true});
  ASSERT_EQ(solutions.size(), 2U);
  EXPECT_EQ(solutions[1].verification()->error, single.verification()->error);
  EXPECT_LT(solutions[0].verification()->error, solutions[1].verification()->error);
  EXPECT_THAT(solutions[0].warnings(), IsEmpty());
  EXPECT_EQ(solutions[1].warnings().size(), 1U);
}

TEST(Verification, of_a_model_with_modes_the_events_are_counted) {
  const Model model = parse_model(
      "model Ball\nReal h(start={1, 0}, fixed={true, true});\nequation\nder(h, 2) = -9.81;\n"
      "when h < 0 then reinit(der(h), -0.8*der(h)); end when;\nend Ball;\n",
      "ball.mo");
  const Solution solution = solve(model, {.to = 2.0, .verify = true});
  EXPECT_EQ(solution.verification()->events, solution.events().size());
  EXPECT_THAT(solution.warnings(), IsEmpty());
}

}  // namespace
}  // namespace daedal

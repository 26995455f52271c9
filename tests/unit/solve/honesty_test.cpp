// Models that leave a domain, overflow, or become singular, by every method: each run ends with a
// status that names the time, the place and what to do, and keeps the last good state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "daedal/model.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

using testing::HasSubstr;

const std::vector<std::string> all_methods = {"taylor", "dd-erk", "dd-ida",
                                              "bdf",    "array",  "completion"};
const std::vector<std::string> methods_with_modes = {"taylor", "dd-erk", "dd-ida", "bdf"};

Model written(const std::string& body, const ParameterValues& parameters = {}) {
  return parse_model("model Trial\n" + body + "end Trial;\n", "trial.mo", parameters);
}

struct Ending {
  const char* name;
  const char* body;  // of the model; its first line is line 2 of the file
  double to;
  double t;                // where the solution ends
  const char* operation;   // as the message has it
  const char* place;       // file and line
  bool has_modes = false;  // methods on derivative arrays do not take it
};

std::ostream& operator<<(std::ostream& out, const Ending& ending) { return out << ending.name; }

class LeavesDomain : public testing::TestWithParam<Ending> {};

TEST_P(LeavesDomain, is_told_by_every_method_with_operation_line_time_and_advice) {
  const Ending& ending = GetParam();
  for (const std::string& method : ending.has_modes ? methods_with_modes : all_methods) {
    SCOPED_TRACE(method);
    const Solution solution = solve(written(ending.body), {.to = ending.to, .method = method});
    ASSERT_EQ(solution.status(), Status::left_domain);
    ASSERT_EQ(solution.problems().size(), 1U);
    const Problem& problem = solution.problems()[0];
    EXPECT_EQ(problem.id, "S-INT-002");
    EXPECT_THAT(problem.what, HasSubstr(ending.operation));
    EXPECT_THAT(problem.where, HasSubstr(ending.place));
    EXPECT_THAT(problem.todo, HasSubstr("end the run before"));
    // At 1e-9 the level of a tank is as good as zero from sqrt(1e-9) before its end on.
    EXPECT_LT(solution.t(), ending.t + 1e-4);
    for (const double value : solution.final()) EXPECT_TRUE(std::isfinite(value));
    EXPECT_LT(solution.statistics().steps, 300000);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, LeavesDomain,
    testing::Values(
        Ending{"tank", "Real h(start=1, fixed=true);\nequation\n0.5*der(h) = -0.1*sqrt(h);\n", 20,
               10, "`sqrt(h)`", "trial.mo:4:"},
        Ending{"two_tanks",
               "Real h(start=1, fixed=true), g(start=0.5, fixed=true);\nequation\n"
               "0.5*der(h) = -0.1*sqrt(h);\nder(g) = 0.1*sqrt(h) - 0.3*sqrt(g);\n",
               20, 10, "`sqrt(", "trial.mo:"},
        Ending{"tank_beside_a_clock",
               "Real h(start=1, fixed=true), y;\nequation\n0.5*der(h) = -0.1*sqrt(h);\n"
               "y = if time > 3 then 1 else 0;\n",
               20, 10, "`sqrt(h)`", "trial.mo:4:", true},
        Ending{"tank_beside_a_mode",
               "Real h(start=1, fixed=true), y(start=0, fixed=true);\nequation\n"
               "0.5*der(h) = -0.1*sqrt(h);\nder(y) = if y > 3 then -1 else 1;\n",
               20, 10, "`sqrt(h)`", "trial.mo:4:", true},
        Ending{"logarithm",
               "Real x(start=1, fixed=true), y(start=0, fixed=true);\nequation\nder(x) = -0.1;\n"
               "der(y) = log(x);\n",
               20, 10, "`log(x)`", "trial.mo:5:"},
        Ending{"arcsine",
               "Real x(start=0, fixed=true), y;\nequation\nder(x) = 0.1;\ny = asin(x);\n", 20, 10,
               "`asin(x)`", "trial.mo:5:"},
        Ending{"arccosine", "Real x(start=0, fixed=true);\nequation\nder(x) = acos(x);\n", 3,
               1.370762, "`acos(x)`", "trial.mo:4:"},
        Ending{"power", "Real x(start=1, fixed=true);\nequation\nder(x) = -x^0.3;\n", 3, 1 / 0.7,
               "`x^0.3`", "trial.mo:4:"},
        Ending{"reciprocal", "Real x(start=1, fixed=true);\nequation\nder(x) = -1/x;\n", 2, 0.5,
               "`1/x`", "trial.mo:4:"},
        Ending{"pole_in_time", "Real x(start=1, fixed=true);\nequation\nder(x) = 1/(time-0.5);\n",
               1, 0.5, "`1/(time - 0.5)`", "trial.mo:4:"},
        Ending{"pole_in_time_beside_a_mode",
               "Real x(start=1, fixed=true), y(start=0, fixed=true);\nequation\n"
               "der(x) = 1/(time-0.5);\nder(y) = if y > 0.2 then -1 else 1;\n",
               1, 0.5, "`1/(time - 0.5)`", "trial.mo:4:", true},
        Ending{"arcsine_beside_a_mode",
               "Real x(start=0, fixed=true), y, z(start=0, fixed=true);\nequation\n"
               "der(x) = 0.1;\ny = asin(x);\nder(z) = if z^2 > 30 then -1 else 1;\n",
               20, 10, "`asin(x)`", "trial.mo:5:", true}),
    [](const auto& tested) { return tested.param.name; });

TEST(Honesty, a_tank_that_says_what_holds_when_it_is_empty_goes_on) {
  const Model model = written(
      "Real h(start=1, fixed=true);\nequation\n"
      "0.5*der(h) = if h > 0 then -0.1*sqrt(h) else 0;\n");
  for (const std::string& method : methods_with_modes) {
    const Solution solution = solve(model, {.to = 20.0, .method = method});
    EXPECT_TRUE(solution.ok()) << method << ": " << solution.problems()[0].what;
    EXPECT_NEAR(solution.final()[0], 0.0, 1e-8) << method;
  }
}

TEST(Honesty, a_quotient_that_stays_bounded_is_passed) {
  const Model model =
      written("Real x(start=0, fixed=true);\nequation\nder(x) = sin(time-1)/(time-1);\n");
  const double si_1_and_2 = 0.946083070367183 + 1.605412976802695;
  for (const std::string method : {"taylor", "dd-erk", "completion", "array"}) {
    const Solution solution = solve(model, {.to = 3.0, .method = method});
    ASSERT_TRUE(solution.ok()) << method << ": " << solution.problems()[0].what;
    EXPECT_NEAR(solution.final()[0], si_1_and_2, 1e-7) << method;
  }
}

TEST(Honesty, an_argument_that_comes_near_its_edge_and_turns_back_is_followed) {
  const Model model = written(
      "Real x(start=-0.5, fixed=true), y(start=0, fixed=true);\nequation\n"
      "der(x) = 1;\nder(y) = sqrt(x^2 + 1e-6);\n");
  const auto primitive = [](double x) {
    const double root = std::sqrt(x * x + 1e-6);
    return 0.5 * (x * root + 1e-6 * std::log(x + root));
  };
  for (const std::string& method : all_methods) {
    const Solution solution = solve(model, {.to = 1.0, .method = method});
    ASSERT_TRUE(solution.ok()) << method << ": " << solution.problems()[0].what;
    EXPECT_NEAR(solution.final()[1], primitive(0.5) - primitive(-0.5), 1e-6) << method;
  }
}

// Products of two waves, and roots of them, are believed to be like their series: on the longest
// steps, from where both factors vanish, and where the root comes near its edge.
TEST(Honesty, waves_of_time_their_products_and_roots_are_followed) {
  const double pi = std::acos(-1.0);
  const std::vector<std::pair<const char*, double>> slopes_and_ends = {
      {"sin(time)*sin(1.5*time)", 0.5 * (std::sin(10.0) / 0.5 - std::sin(50.0) / 2.5)},
      {"sin(time)^2", 10 - std::sin(40.0) / 4},
      {"time*exp(-time)", 1 - 21 * std::exp(-20.0)},
      {"sqrt(1.25 + cos(time))^2", 25 + std::sin(20.0)},
  };
  for (const auto& [slope, end] : slopes_and_ends)
    for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const Solution solution = solve(
          written(std::string("Real x(start=0, fixed=true);\nequation\nder(x) = ") + slope + ";\n"),
          {.to = 20, .tolerance = tol});
      ASSERT_TRUE(solution.ok()) << slope;
      // Errors of some ten steps.
      EXPECT_NEAR(solution.final()[0], end, 20 * tol * (1 + std::abs(end))) << slope;
    }
  // 2 |sin(t/2)|, whose kinks are rounded off within 1e-6 of their times: 4 in each period.
  const Solution kinks = solve(
      written("Real x(start=0, fixed=true);\nequation\nder(x) = sqrt(2 + 1e-12 - 2*cos(time));\n"),
      {.from = pi, .to = 11 * pi, .tolerance = 1e-9});
  ASSERT_TRUE(kinks.ok());
  EXPECT_NEAR(kinks.final()[0], 40.0, 20 * 1e-9 * 41);
}

struct Pulse {
  const char* slope;  // of x from 0
  double to;
  double x;  // at the end
};

// At the start all coefficients of these are zero, or those of what selects a branch are, and at
// the end they are zero again.
TEST(Honesty, what_happens_between_the_ends_of_a_long_step_is_seen_if_it_is_a_function_of_time) {
  const double pi = std::acos(-1.0);
  const std::vector<Pulse> pulses = {
      {"0.5*(tanh(5*(time-5)) - tanh(5*(time-7)))", 10, 2},
      {"0.5*(erf(3*(time-5)) - erf(3*(time-8)))", 12, 3},
      {"exp(-((time-5)/0.01)^2)", 10, 0.01 * std::sqrt(pi)},
      {"sin(time)^30", pi, pi * 155117520.0 / std::pow(2.0, 30)},  // pi C(30, 15)/2^30
      {"if tanh(100*(time-5)) > 0 and tanh(100*(time-6)) < 0 then 1 else 0", 10, 1},
      {"max(sin(time), 0)", 20 * pi, 20},
      {"max(abs(sin(time)) - 0.5, 0)", 20 * pi, 20 * (2 * std::cos(pi / 6) - pi / 3)},
      {"min(max(sin(20*time), -0.5), 0.5)", pi, 0},
      {"max(1 - abs(time-5)/0.1, 0)", 10, 0.1},
  };
  for (const Pulse& pulse : pulses)
    for (const double tol : {1e-6, 1e-9, 1e-12}) {
      const Solution solution =
          solve(written(std::string("Real x(start=0, fixed=true);\nequation\nder(x) = ") +
                        pulse.slope + ";\n"),
                {.to = pulse.to, .tolerance = tol});
      ASSERT_TRUE(solution.ok()) << pulse.slope;
      // Errors of some ten steps.
      EXPECT_NEAR(solution.final()[0], pulse.x, 20 * tol * (1 + pulse.x)) << pulse.slope;
    }
}

// 2 in each of the three half waves that are over before 20, and 1 - cos 20 in the fourth.
TEST(Honesty, a_branch_is_followed_on_the_derivative_array) {
  const Model model =
      written("Real x(start=0, fixed=true);\nequation\nder(x) = max(sin(time), 0);\n");
  const Solution solution = solve(model, {.to = 20.0, .method = "array"});
  ASSERT_TRUE(solution.ok());
  EXPECT_NEAR(solution.final()[0], 6.0 + (1.0 - std::cos(20.0)), 1e-7);
}

TEST(Honesty, a_dose_in_the_middle_of_a_slow_decay_is_seen_forwards_and_backwards) {
  // c' = -0.1 c + 5 exp(-((t-50)/0.5)^2) from c(0) = 1
  const double decay = 0.1, width = 0.5, middle = 50.0, to = 100.0;
  const double dose = 5 * width * std::sqrt(std::acos(-1.0)) *
                      std::exp(-decay * (to - middle) + decay * decay * width * width / 4);
  const std::string body =
      "Real c(start=START, fixed=true);\nequation\nder(c) = -0.1*c + "
      "5*exp(-((time-50)/0.5)^2);\n";
  const auto with_start = [&](double start) {
    std::string text = body;
    text.replace(text.find("START"), 5, std::to_string(start));
    return written(text);
  };
  const Solution forwards = solve(with_start(1.0), {.to = to});
  EXPECT_NEAR(forwards.final()[0], std::exp(-decay * to) + dose, 1e-8);
  // Backwards errors grow by exp(10).
  const Solution backwards = solve(with_start(0.0), {.from = to, .to = 0.0, .tolerance = 1e-12});
  EXPECT_NEAR(backwards.final()[0] / (-dose * std::exp(decay * to)), 1.0, 1e-6);
}

TEST(Honesty, branches_that_meet_are_warned_of) {
  const Solution solution =
      solve(written("Real x(start=1);\nequation\nx^2 = (1-time)^2;\n"), {.to = 2.0});
  ASSERT_EQ(solution.warnings().size(), 1U);
  EXPECT_EQ(solution.warnings()[0].id, "W-SNG-001");
  EXPECT_THAT(solution.warnings()[0].what, HasSubstr("singular point at t = 1"));
}

TEST(Honesty, a_run_that_has_hardly_any_times_in_it_is_refused) {
  const Model model = written("Real x(start=1, fixed=true);\nequation\nder(x) = -1e9*x;\n");
  try {
    solve(model, {.from = 1e9, .to = 1000000000.000001});
    FAIL() << "solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].id, "E-OPT-001");
    EXPECT_THAT(error.problems()[0].why, HasSubstr("only 8 times"));
  }
  EXPECT_TRUE(solve(model, {.from = 1.0, .to = 1.0}).ok());
}

TEST(Honesty, a_pole_of_the_solution_is_a_blow_up_by_every_method) {
  const Model model = written("Real x(start=1, fixed=true);\nequation\nder(x) = x^2;\n");
  for (const std::string& method : all_methods) {
    const Solution solution = solve(model, {.to = 2.0, .method = method});
    EXPECT_EQ(solution.status(), Status::blow_up) << method;
    EXPECT_NEAR(solution.t(), 1.0, 1e-6) << method;
    EXPECT_TRUE(std::isfinite(solution.final()[0])) << method;
  }
}

// x = -log(1 - t): its slope is beyond all bounds while x is still 30.
TEST(Honesty, a_slope_that_grows_without_a_vanishing_factor_is_a_blow_up) {
  const Model model = written("Real x(start=0, fixed=true);\nequation\nder(x) = exp(x);\n");
  for (const std::string& method : all_methods) {
    const Solution solution = solve(model, {.to = 2.0, .method = method});
    EXPECT_EQ(solution.status(), Status::blow_up) << method;
    EXPECT_NEAR(solution.t(), 1.0, 1e-6) << method;
  }
  const Model fold = written("Real x(start=1, fixed=true);\nequation\n2*x*der(x) = -1;\n");
  EXPECT_EQ(solve(fold, {.to = 2.0}).status(), Status::singular_point);
}

TEST(Honesty, a_value_beyond_the_range_of_doubles_is_named) {
  const Solution solution =
      solve(written("Real x(start=1, fixed=true), y;\nequation\nder(x) = x;\ny = exp(x);\n"),
            {.to = 20.0});
  ASSERT_EQ(solution.status(), Status::left_domain);
  EXPECT_THAT(solution.problems()[0].what, HasSubstr("`exp(x)`"));
  EXPECT_THAT(solution.problems()[0].where, HasSubstr("trial.mo:5:"));
  EXPECT_NEAR(solution.t(), std::log(709.782712893384), 1e-6);
  EXPECT_TRUE(std::isfinite(solution.final()[1]));
}

TEST(Honesty, an_undefined_start_names_the_operation_and_its_line) {
  for (const char* body : {"Real x(start=0, fixed=true), y;\nequation\nder(x) = 1;\ny = log(x);\n",
                           "Real x, y;\nequation\nder(x) = -x;\ny = log(-1 - x^2);\n"}) {
    const Solution solution = solve(written(body), {.to = 1.0});
    ASSERT_EQ(solution.status(), Status::left_domain);
    EXPECT_EQ(solution.problems()[0].id, "S-INI-001");
    EXPECT_THAT(solution.problems()[0].where, HasSubstr("trial.mo:5:"));
    EXPECT_THAT(solution.problems()[0].why, HasSubstr("log("));
  }
}

TEST(Honesty, parameters_that_are_no_finite_numbers_are_refused) {
  for (const double value : {std::nan(""), HUGE_VAL}) {
    try {
      solve(
          written("parameter Real p = 1;\nReal x(start=1, fixed=true);\nequation\nder(x) = p*x;\n",
                  {{"p", value}}));
      FAIL() << "solved with p = " << value;
    } catch (const Error& error) {
      EXPECT_EQ(error.problems()[0].id, "E-MOD-003");
    }
  }
}

TEST(Honesty, a_mode_without_a_solution_says_what_it_lacks) {
  const Model model = written(
      "Real x(start=1, fixed=true), y;\nequation\nder(x) = -1;\n"
      "(if x > 0.5 then 1 else 0)*y = x;\n");
  for (const std::string& method : methods_with_modes) {
    const Solution solution = solve(model, {.to = 1.0, .method = method});
    ASSERT_EQ(solution.status(), Status::no_mode) << method;
    EXPECT_NEAR(solution.t(), 0.5, 1e-9);
    EXPECT_THAT(solution.problems()[0].why, HasSubstr("one of them has no solution"));
    for (const double value : solution.final()) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Honesty, a_guard_that_has_not_crossed_is_where_its_value_says) {
  // The apex of each flight is an event of abs; near the end flights are lower than 30 tolerances.
  const Model model = written(
      "Real h(start={1,0}, fixed={true,true}); Real z;\nequation\nder(h,2) = -9.81;\n"
      "z = abs(der(h));\nb: when h < 0 then reinit(der(h), -0.8*der(h)); end when;\n");
  for (const std::string& method : methods_with_modes) {
    const Solution solution = solve(model, {.to = 8.0, .method = method});
    ASSERT_EQ(solution.status(), Status::zeno) << method;
    EXPECT_NEAR(solution.zeno()->t, std::sqrt(2 / 9.81) * (1 + 2 * 0.8 / 0.2), 1e-3) << method;
    EXPECT_GT(solution.final()[0], -1e-6) << method;
  }
}

TEST(Honesty, a_tolerance_below_rounding_is_warned_of_and_a_sensible_one_is_not) {
  const Model model = written(
      "Real x(start=1, fixed=true), y(start=0, fixed=true);\nequation\nder(x) = -y;\nder(y) = "
      "x;\n");
  const Solution strict = solve(model, {.to = 10.0, .tolerance = 2e-15});
  ASSERT_TRUE(strict.ok());
  ASSERT_EQ(strict.warnings().size(), 1U);
  EXPECT_EQ(strict.warnings()[0].id, "W-TOL-001");
  EXPECT_THAT(strict.warnings()[0].todo, HasSubstr("expect 14 digits"));
  EXPECT_TRUE(solve(model, {.to = 10.0, .tolerance = 1e-13}).warnings().empty());
}

std::vector<std::string> warnings_of(const Model& model, const SolveOptions& options) {
  std::vector<std::string> ids;
  const Solution solution = solve(model, options);
  for (const Problem& warning : solution.warnings()) ids.push_back(warning.id);
  return ids;
}

TEST(Honesty, a_method_that_drifts_off_the_constraints_says_so_and_others_do_not) {
  const Model model = written(
      "Real x(start=6, fixed=true), y(start=8), u, v, lambda;\nequation\nder(x) = u;\nder(y) = v;\n"
      "der(u) = -x*lambda;\nder(v) = 9.8 - y*lambda;\nx^2 + y^2 = 100;\ninitial equation\nu = "
      "0;\n");
  EXPECT_THAT(warnings_of(model, {.to = 200.0, .tolerance = 1e-4, .method = "completion"}),
              testing::ElementsAre("W-DRF-001"));
  for (const std::string method : {"taylor", "dd-erk", "dd-ida", "array"})
    EXPECT_THAT(warnings_of(model, {.to = 200.0, .tolerance = 1e-4, .method = method}),
                testing::IsEmpty())
        << method;
}

TEST(Honesty, an_array_that_amplifies_rounding_beyond_the_tolerance_says_so) {
  const Model model = written(
      "Real x(start=1), y, z;\nequation\nder(x) = y;\nder(y) = z + y;\nx + 1e-7*z = cos(time);\n");
  EXPECT_THAT(warnings_of(model, {.to = 0.01, .tolerance = 1e-10, .method = "array"}),
              testing::ElementsAre("W-CND-001"));
  EXPECT_THAT(warnings_of(model, {.to = 0.01, .tolerance = 1e-7, .method = "array"}),
              testing::IsEmpty());
}

// (1 - t) x' + x = 1 - t has the solutions (1 - t)(C - log|1 - t|): none goes on through t = 1.
TEST(Honesty, an_end_in_a_logarithm_is_a_singular_point_whatever_the_method) {
  for (const std::string& method : all_methods) {
    const Solution solution = solve(
        written("Real x(start=0.5, fixed=true);\nequation\n(1 - time)*der(x) + x = 1 - time;\n"),
        {.to = 2.0, .method = method});
    ASSERT_EQ(solution.status(), Status::singular_point) << method;
    EXPECT_EQ(solution.problems().front().id, "S-INT-001") << method;
    EXPECT_NEAR(solution.t(), 1.0, 1e-8) << method;
  }
}

}  // namespace
}  // namespace daedal

// Events that are easy to miss or to get wrong: close together, without a change of sign, at the
// same instant, at either end of a run. Instants are known in closed form or from dense sampling.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <ostream>

#include "daedal/solve.hpp"

namespace daedal::test {
namespace {

using std::numbers::pi;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

Solution run(const std::string& declarations, const std::string& equations, SolveOptions options) {
  return solve(
      parse_model("model M " + declarations + " equation " + equations + " end M;", "model"),
      options);
}

std::vector<double> times_of(const Solution& solution, const std::string& name) {
  std::vector<double> times;
  for (const Event& event : solution.events())
    if (event.name == name) times.push_back(event.t);
  return times;
}

std::vector<testing::Matcher<double>> near(const std::vector<double>& values, double error) {
  std::vector<testing::Matcher<double>> matchers;
  for (const double value : values) matchers.push_back(DoubleNear(value, error));
  return matchers;
}

// ---------------------------------------------------------------------------------------------------------------------
// Close together

TEST(TwoRootsInOneStep, are_both_found) {
  for (const double gap : {1e-4, 1e-6}) {
    const Solution solution =
        run(fmt::format(
                "parameter Real gap = {}; Real x(start = 0, fixed = true), y; discrete Real count;",
                gap),
            "der(x) = 1; y = (x - 1)*(x - 1 - gap);"
            "inside: when y < 0 then count = pre(count) + 1; end when;"
            "outside: when y >= 0 then count = pre(count) + 1; end when;",
            {.to = 2.0, .tolerance = 0.1 * gap * gap});  // less than the depth between them
    ASSERT_EQ(solution.status(), Status::ok);
    // The slope of y there is the gap: rounding of y, divided by it.
    const double error = 1e-15 / gap;
    EXPECT_THAT(times_of(solution, "inside"), ElementsAre(DoubleNear(1, error))) << gap;
    EXPECT_THAT(times_of(solution, "outside"), ElementsAre(DoubleNear(1 + gap, error))) << gap;
  }
}

// y is -2.5e-13 in between: within the tolerance it is zero, and turns back.
TEST(TwoRootsInOneStep, touch_if_the_tolerance_cannot_tell_them_apart) {
  const Solution solution = run("Real x(start = 0, fixed = true), y;",
                                "der(x) = 1; y = (x - 1)*(x - 1 - 1e-6);"
                                "inside: when y < 0 then end when;",
                                {.to = 2.0, .tolerance = 1e-9});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "inside"), IsEmpty());
  ASSERT_EQ(solution.events().size(), 1U);
  EXPECT_EQ(solution.events()[0].kind, EventKind::touch);
  EXPECT_NEAR(solution.events()[0].t, 1 + 5e-7, 1e-9);
}

TEST(TwoRootsInOneStep, switch_a_mode_on_and_off) {
  const Solution solution = run("Real x(start = 0, fixed = true), y, s(start = 0, fixed = true);",
                                "der(x) = 1; y = (x - 1)*(x - 1.0001);"
                                "der(s) = if y < 0 then 1 else 0;",
                                {.to = 2.0, .tolerance = 1e-9});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_EQ(solution.events().size(), 2U);
  EXPECT_NEAR(solution.final()[2], 1e-4, 1e-11);
}

// ---------------------------------------------------------------------------------------------------------------------
// Without a change of sign

// sin reaches 1 and turns back: x >= 1 becomes true for an instant. A root of even order is known
// to the square root of the error of x only, and may be two roots so far apart.
TEST(GrazingRoot, is_an_event_of_a_condition_that_holds_at_the_instant) {
  const Solution solution = run("Real x(start = 0, fixed = true);",
                                "der(x) = cos(time); reaches: when x >= 1 then end when;",
                                {.to = 10.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "reaches"),
              testing::ElementsAreArray(near({pi / 2, 5 * pi / 2}, 1e-5)));
}

TEST(GrazingRoot, acts_once) {
  const Solution solution =
      run("Real x(start = 0, fixed = true); discrete Real count;",
          "der(x) = cos(time); reaches: when x >= 1 then count = pre(count) + 1; end when;",
          {.to = 3.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_EQ(times_of(solution, "reaches").size(), 1U);
}

TEST(GrazingRoot, is_no_event_of_a_condition_that_does_not_hold_at_the_instant) {
  const Solution solution = run("Real x(start = 0, fixed = true);",
                                "der(x) = cos(time); exceeds: when x > 1 then end when;",
                                {.to = 10.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "exceeds"), IsEmpty());
}

TEST(GrazingRoot, changes_no_mode) {
  const Solution solution = run("Real x(start = 0, fixed = true), y(start = 0, fixed = true);",
                                "der(x) = cos(time); der(y) = if x >= 1 then 1 else 2;",
                                {.to = 10.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_NEAR(solution.final()[1], 20.0, 1e-11);
}

// ---------------------------------------------------------------------------------------------------------------------
// At the same instant

TEST(TwoGuardsAtOneInstant, both_act_on_the_values_before) {
  const Solution solution = run("Real x(start = 0, fixed = true), y(start = 0, fixed = true);",
                                "der(x) = 1; der(y) = 2;"
                                "one: when x >= 1.5 then reinit(x, y); end when;"
                                "two: when y >= 3 then reinit(y, x); end when;",
                                {.to = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "one"), ElementsAre(1.5));
  EXPECT_THAT(times_of(solution, "two"), ElementsAre(1.5));
  EXPECT_NEAR(solution.final()[0], 3.5, 1e-14);
  EXPECT_NEAR(solution.final()[1], 2.5, 1e-14);
}

TEST(TwoGuardsAtOneInstant, both_switch_their_modes) {
  const Solution solution =
      run("Real x(start = 0, fixed = true), y(start = 0, fixed = true), z;",
          "der(x) = if y >= 3 then 0 else 1; der(y) = if x >= 1.5 then 0 else 2;"
          "z = x + y;",
          {.to = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_NEAR(solution.final()[0], 1.5, 1e-14);
  EXPECT_NEAR(solution.final()[1], 3.0, 1e-14);
}

// ---------------------------------------------------------------------------------------------------------------------
// At the ends

TEST(EventAtTheEnd, is_told_once_and_the_run_ends_there) {
  for (const char* condition : {"x >= 2", "time >= 2"}) {
    const Solution solution =
        run("Real x(start = 0, fixed = true); discrete Real d;",
            fmt::format("der(x) = 1; hit: when {} then d = 1; end when;", condition),
            {.to = 2.0, .tolerance = 1e-12});
    EXPECT_EQ(solution.status(), Status::ok);
    EXPECT_EQ(solution.t(), 2.0);
    EXPECT_THAT(times_of(solution, "hit"), ElementsAre(2.0)) << condition;
  }
}

// sin t comes to sin 1 at t = 1. What was left of the way was too short for a step, and no mode was
// found there.
TEST(EventAtTheEnd, within_rounding_of_it_does_not_matter) {
  for (const char* method : {"auto", "dd-erk", "dd-ida", "bdf", "array"})
    for (const double distance : {0.0, 2e-16, 1e-15, 1e-14, 1e-13, 1e-12, -1e-15, -1e-13}) {
      const Solution solution =
          run("Real x(start = 0, fixed = true); Real y(start = 0, fixed = true);",
              "der(x) = cos(time); der(y) = if x > 0.84147098480789650665 then 2 else 1;",
              {.to = 1.0 + distance, .tolerance = 1e-8, .method = method});
      EXPECT_EQ(solution.status(), Status::ok) << method << " " << distance;
      EXPECT_EQ(solution.t(), 1.0 + distance) << method;
      EXPECT_NEAR(solution.final()[1], 1.0, 1e-6) << method << " " << distance;
    }
}

// Values at the end are the limit from the left.
TEST(EventAtTheEnd, does_not_change_the_final_values) {
  const Solution solution = run("Real x(start = 0, fixed = true);",
                                "der(x) = 1; hit: when x >= 2 then reinit(x, 0); end when;",
                                {.to = 2.0, .tolerance = 1e-12});
  EXPECT_EQ(solution.status(), Status::ok);
  EXPECT_NEAR(solution.final()[0], 2.0, 1e-14);
}

TEST(EventAtTheStart, happens_if_the_condition_holds_there_and_from_there_on) {
  const Solution solution =
      run("Real x(start = 0, fixed = true);",
          "der(x) = 1; there: when x >= 0 then end when;"
          "rises: when x > 0 then end when;"
          "falls: when x <= 0 then end when; later: when x > 1 then end when;",
          {.to = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "there"), ElementsAre(0.0));
  EXPECT_THAT(times_of(solution, "rises"), IsEmpty());
  EXPECT_THAT(times_of(solution, "falls"), IsEmpty());
  EXPECT_THAT(times_of(solution, "later"), ElementsAre(DoubleNear(1.0, 1e-14)));
}

TEST(EventAtTheStart, acts) {
  const Solution solution = run("Real x(start = 0, fixed = true);",
                                "der(x) = 1; there: when x >= 0 then reinit(x, 5); end when;",
                                {.to = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_NEAR(solution.final()[0], 7.0, 1e-14);
}

TEST(EventAtTheStart, does_not_happen_if_the_condition_held_already) {
  const Solution solution = run("Real x(start = 1, fixed = true);",
                                "der(x) = 1; rises: when x > 0 then reinit(x, 5); end when;",
                                {.to = 2.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(solution.events(), IsEmpty());
}

// ---------------------------------------------------------------------------------------------------------------------
// Backwards

TEST(RunBackwards, meets_the_events_in_reverse_order) {
  const Solution solution =
      run("Real x(start = 0, fixed = true);",
          "der(x) = 1; low: when x < -1 then end when; lower: when x < -2 then end when;",
          {.from = 3.0, .to = 0.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_THAT(times_of(solution, "low"), ElementsAre(DoubleNear(2, 1e-14)));
  EXPECT_THAT(times_of(solution, "lower"), ElementsAre(DoubleNear(1, 1e-14)));
}

// ---------------------------------------------------------------------------------------------------------------------
// No missed events

// All changes of sign on a grid far finer than the function varies, each located by bisection.
std::vector<double> sign_changes(const std::function<double(double)>& f, double to) {
  std::vector<double> roots;
  const double h = 1e-4;
  for (double a = 0.0; a < to; a += h) {
    double left = a, right = std::min(a + h, to);
    if ((f(left) > 0) == (f(right) > 0)) continue;
    while (std::nextafter(left, right) < right) {
      const double middle = left + (right - left) / 2;
      ((f(middle) > 0) == (f(left) > 0) ? left : right) = middle;
    }
    roots.push_back(right);
  }
  return roots;
}

double sum_of_sines(double t) {
  return std::sin(t) + 0.9 * std::sin(2.3 * t + 0.5) + 0.8 * std::sin(7.1 * t) +
         0.3 * std::sin(19 * t + 1);
}

struct Crossings {
  const char* name;
  const char* declarations;
  const char* equations;
};

void PrintTo(const Crossings& crossings, std::ostream* stream) { *stream << crossings.name; }

class SumOfSines : public testing::TestWithParam<Crossings> {};

// As a function of time, and as what a differential equation integrates.
INSTANTIATE_TEST_SUITE_P(
    , SumOfSines,
    testing::Values(Crossings{"algebraic", "Real x;",
                              "x = sin(time) + 0.9*sin(2.3*time + 0.5) + 0.8*sin(7.1*time)"
                              " + 0.3*sin(19*time + 1);"},
                    Crossings{"integrated",
                              "Real x(start = 0.9*sin(0.5) + 0.3*sin(1), fixed = true);",
                              "der(x) = cos(time) + 2.07*cos(2.3*time + 0.5)"
                              " + 5.68*cos(7.1*time) + 5.7*cos(19*time + 1);"}),
    [](const auto& test) { return test.param.name; });

TEST_P(SumOfSines, crosses_zero_wherever_dense_sampling_says) {
  const std::vector<double> exact = sign_changes(sum_of_sines, 50.0);
  ASSERT_EQ(exact.size(), 88U);
  for (const double tol : {1e-6, 1e-9, 1e-12}) {
    const Solution solution =
        run(GetParam().declarations,
            GetParam().equations + std::string("up: when x > 0 then end when;"
                                               "down: when x <= 0 then end when;"),
            {.to = 50.0, .tolerance = tol});
    ASSERT_EQ(solution.status(), Status::ok);
    std::vector<double> found;
    for (const Event& event : solution.events()) found.push_back(event.t);
    EXPECT_THAT(found, testing::ElementsAreArray(near(exact, 1000 * tol))) << tol;
  }
}

TEST_P(SumOfSines, changes_modes_wherever_dense_sampling_says) {
  const std::vector<double> exact = sign_changes(sum_of_sines, 50.0);
  double positive = 0.0, begin = 0.0;
  bool is_positive = true;
  for (const double t : exact) {
    if (is_positive) positive += t - begin;
    is_positive = !is_positive;
    begin = t;
  }
  if (is_positive) positive += 50.0 - begin;
  const Solution solution =
      run(GetParam().declarations + std::string("Real s(start = 0, fixed = true);"),
          GetParam().equations + std::string("der(s) = if x > 0 then 1 else 0;"),
          {.to = 50.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_EQ(solution.events().size(), exact.size());
  EXPECT_NEAR(solution.final()[1], positive, 1e-9);
}

// Nothing accumulates but the rounding of the sum itself.
TEST(Timers, of_discrete_variables_go_off_to_the_last_bit) {
  const Solution solution =
      run("discrete Real next(start = 0.1); Real x(start = 0, fixed = true);",
          "der(x) = 1; tick: when time >= next then next = pre(next) + 0.1; end when;",
          {.to = 99.95, .tolerance = 1e-9});
  ASSERT_EQ(solution.status(), Status::ok);
  std::vector<double> ticks;
  for (double next = 0.1; next <= 99.95; next += 0.1) ticks.push_back(next);
  EXPECT_EQ(times_of(solution, "tick"), ticks);
}

// ---------------------------------------------------------------------------------------------------------------------
// The sizes of guards

// Each guard is zero where x = y = t is 1/2: z(1) = 1/2 + 2/2.
TEST(FactorOfAGuard, changes_no_event) {
  for (const char* method : {"auto", "dd-erk", "bdf"})
    for (const char* guard : {"p*(x - 0.5)", "p*(x*y - 0.25)", "p*(sin(x) - sin(0.5))",
                              "p*x^3 - p*0.125", "p*der(x)*(y - 0.5)", "-0.25/p + x*y/p"})
      for (const double factor : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
        const Solution solution =
            run(fmt::format("parameter Real p = {}; Real x(start = 0, fixed = true); Real y(start "
                            "= 0, fixed = true); Real z(start = 0, fixed = true);",
                            factor),
                fmt::format("der(x) = 1; der(y) = 1; der(z) = if {} > 0 then 2 else 1;", guard),
                {.to = 1.0, .tolerance = 1e-8, .method = method});
        EXPECT_EQ(solution.status(), Status::ok) << method << " " << guard << " " << factor;
        EXPECT_NEAR(solution.final()[2], 1.5, 1e-6) << method << " " << guard << " " << factor;
      }
}

// ---------------------------------------------------------------------------------------------------------------------
// Where a mode's equations end at its own guard

// x = (1 - t/2)^2, which is empty at t = 2 and stays so.
TEST(TankThatRunsEmpty, stays_empty_by_every_method_at_every_tolerance) {
  for (const char* condition : {"x >= 0", "x > 0"})
    for (const char* method : {"auto", "dd-erk", "dd-ida", "bdf", "array"})
      for (const double tolerance : {1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-8, 1e-10}) {
        const Solution solution =
            run("Real x(start = 1, fixed = true);",
                fmt::format("der(x) = if {} then -sqrt(x) else 0;", condition),
                {.to = 4.0, .tolerance = tolerance, .method = method});
        EXPECT_EQ(solution.status(), Status::ok) << condition << " " << method << " " << tolerance;
        EXPECT_NEAR(solution.final()[0], 0.0, 2 * tolerance) << method << " " << tolerance;
        EXPECT_NEAR(solution("x", 1.0), 0.25, 100 * tolerance) << method << " " << tolerance;
      }
}

}  // namespace
}  // namespace daedal::test

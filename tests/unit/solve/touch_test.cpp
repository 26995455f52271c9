// What counts as an event where a guard comes to zero without crossing it, or hardly: one rule for
// all methods and tolerances (docs/theory/event-location.md, Touching). Every guard is a known
// function of time, so that events can be counted by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

struct Counted {
  std::string method;
  double tolerance;
  long count;
};

// How often a clause happens whose condition is made of x(t).
std::vector<Counted> counts(double to, const std::function<Expression(Expression t)>& x_of,
                            const std::function<Condition(Expression x)>& condition) {
  std::vector<Counted> all;
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-9}) {
      Model m("Count");
      const Expression x = m.variable("x");
      const Expression n = m.discrete("n", 0.0);
      m.equation(x == x_of(m.time()));
      m.when(condition(x), {assign(n, n + 1.0)});
      const Solution s = solve(m, {.to = to, .tolerance = tolerance, .method = method});
      const long count =
          s.ok() ? std::count_if(s.events().begin(), s.events().end(),
                                 [](const Event& e) { return e.kind == EventKind::when; })
                 : -1;
      all.push_back({method, tolerance, count});
    }
  return all;
}

void expect_count(long truth, const std::vector<Counted>& all) {
  for (const Counted& counted : all)
    EXPECT_EQ(counted.count, truth) << counted.method << " at " << counted.tolerance;
}

// pi/2, 5 pi/2, 9 pi/2.
TEST(Touch, a_peak_that_reaches_its_threshold_is_told_once) {
  expect_count(3, counts(
                      20.0, [](const Expression& t) { return sin(t); },
                      [](const Expression& x) { return x >= 1.0; }));
}

// pi, 3 pi, 5 pi.
TEST(Touch, a_trough_that_reaches_its_threshold_is_told_once) {
  expect_count(3, counts(
                      20.0, [](const Expression& t) { return cos(t); },
                      [](const Expression& x) { return x <= -1.0; }));
}

// x begins to slide at t = 0.75, when (t - 0.7501)^2 is 1e-8 of its terms above zero, on its way to
// touch it: it stays on its side, where y grows by 1 and not by 5.
TEST(Touch, a_guard_near_zero_stays_on_its_side_while_another_begins_to_slide) {
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Model m("Near");
      const Expression x = m.variable("x", {.start = {0.75}, .fixed = {true}});
      const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
      const Expression u = m.variable("u");
      m.equation(u == m.time() - 0.7501);
      m.equation(der(x) == if_else(x > 0.0, -1.0, 1.0));
      m.equation(der(y) == if_else(u * u >= 0.0, 1.0, 5.0));
      const Solution s = solve(m, {.to = 2.0, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(s.ok()) << method << " at " << tolerance;
      EXPECT_NEAR(s("y", 2.0), 2.0, 100 * tolerance) << method << " at " << tolerance;
    }
}

TEST(Touch, double_and_fourfold_roots_are_told_once) {
  const auto x = [](const Expression& t) { return t - 1.3; };
  expect_count(1, counts(4.0, x, [](const Expression& v) { return v * v <= 0.0; }));
  expect_count(1, counts(4.0, x, [](const Expression& v) { return pow(v, 4.0) <= 0.0; }));
}

// H8: sin t becomes positive at 2 pi, 4 pi and 6 pi, whether the condition names it or its sign. At
// 0 it is not yet, so nothing happens there; it is no longer negative there.
TEST(Touch, a_guard_that_is_zero_at_the_start_crosses_there_if_its_condition_holds_there) {
  const auto x = [](const Expression& t) { return sin(t); };
  expect_count(3, counts(20.0, x, [](const Expression& v) { return v > 0.0; }));
  expect_count(3, counts(20.0, x, [](const Expression& v) { return sign(v) > 0.5; }));
  expect_count(4, counts(20.0, x, [](const Expression& v) { return v >= 0.0; }));
  expect_count(4, counts(20.0, x, [](const Expression& v) { return sign(v) > -0.5; }));
}

// (t - 1)^2 - eps comes within a tolerance of zero or does not.
TEST(Touch, a_grazing_parabola_is_told_once_if_it_comes_within_the_tolerance) {
  for (const double eps : {-1e-16, 0.0, 1e-16, 1e-12, 1e-6, 1e-2})
    expect_count(1, counts(
                        4.0, [&](const Expression& t) { return (t - 1.0) * (t - 1.0) - eps; },
                        [](const Expression& x) { return x <= 0.0; }));
  expect_count(0, counts(
                      4.0, [&](const Expression& t) { return (t - 1.0) * (t - 1.0) + 1e-2; },
                      [](const Expression& x) { return x <= 0.0; }));
}

// tanh(50 sin t) > 0.9999999 from asin(atanh(0.9999999)/50) to pi less that, in every period. Where
// tanh is 1 to the last bit its series says nothing of what comes.
TEST(Touch, a_guard_that_is_flat_to_the_last_bit_is_watched_by_its_values) {
  Model m("Saturated");
  const Expression x = m.variable("x");
  const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
  m.equation(x == sin(m.time()));
  m.equation(der(y) == if_else(tanh(50.0 * x) > 0.9999999, 2.0, 1.0));
  const double on = std::asin(std::atanh(0.9999999) / 50.0), to = 20.0;
  const double pi = std::numbers::pi;
  const double truth = to + 3 * (pi - 2 * on) + (to - 6 * pi - on);
  for (const double tolerance : {1e-9, 1e-12}) {
    const Solution s = solve(m, {.to = to, .tolerance = tolerance});
    ASSERT_TRUE(s.ok()) << s.problems()[0].what;
    EXPECT_NEAR(s("y", to), truth, 1e-5) << tolerance;
  }
}

// A pulse as narrow as 1e-6 is seen by every method at every tolerance.
TEST(Touch, a_narrow_pulse_between_two_thresholds_counts) {
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-8}) {
      Model m("Narrow");
      const Expression x = m.variable("x", {.start = {0.0}, .fixed = {true}});
      const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
      m.equation(der(x) == Expression(1.0));
      m.equation(der(y) == if_else(x > 5.0 && x < 5.0 + 1e-6, 1e6, 0.0));
      const Solution s = solve(m, {.to = 10.0, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(s.ok()) << method << ": " << s.problems()[0].what;
      EXPECT_NEAR(s("y", 10.0), 1.0, 1e-3) << method << ' ' << tolerance;
    }
}

}  // namespace
}  // namespace daedal

// A solution that stays where a guard is zero: a tank that has run empty, written both ways
// (docs/theory/hybrid.md, H4).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

Solution empties(const std::function<Expression(Expression x)>& rate, const std::string& method,
                 double tolerance, double to = 5.0) {
  Model m("Tank");
  const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
  m.equation(der(x) == rate(x));
  return solve(m, {.to = to, .tolerance = tolerance, .method = method});
}

// x' = -sqrt(x): (1 - t/2)^2 until 2, then 0, whether zero belongs to the one side or the other.
TEST(ZeroSide, an_empty_tank_stays_empty_however_its_condition_is_written) {
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-9})
      for (const bool is_strict : {true, false}) {
        const auto rate = [&](const Expression& x) {
          return if_else(is_strict ? x > 0.0 : x >= 0.0, -sqrt(x), 0.0);
        };
        const Solution s = empties(rate, method, tolerance);
        ASSERT_TRUE(s.ok()) << method << ' ' << is_strict << ": " << s.problems()[0].what;
        EXPECT_NEAR(s("x", 1.0), 0.25, 100 * tolerance) << method;
        EXPECT_NEAR(s("x", 5.0), 0.0, 10 * tolerance) << method;
      }
}

// x' = -1 leads to zero and the other side does not lead on: x = 1 - t until 1, then 0.
TEST(ZeroSide, a_side_that_is_at_rest_is_stayed_on) {
  for (const std::string& method : all_methods)
    for (const bool is_strict : {true, false}) {
      const auto rate = [&](const Expression& x) {
        return if_else(is_strict ? x > 0.0 : x >= 0.0, -1.0, 0.0);
      };
      const Solution s = empties(rate, method, 1e-8);
      ASSERT_TRUE(s.ok()) << method << ' ' << is_strict << ": " << s.problems()[0].what;
      EXPECT_NEAR(s("x", 0.5), 0.5, 1e-6) << method;
      EXPECT_NEAR(s("x", 5.0), 0.0, 1e-7) << method;
    }
}

// From t = 4 on something flows in: the side of zero, which is x >= 0, does not stay. A run may
// follow it or say that it cannot; what it must not do is stay at zero with status ok.
TEST(ZeroSide, staying_at_zero_ends_where_the_sides_differ) {
  for (const std::string& method : all_methods) {
    Model m("Refilled");
    const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
    const Expression u = m.variable("u", {.start = {-1.0}, .fixed = {true}});
    m.equation(der(u) == Expression(0.25));  // (t - 4)/4
    m.equation(der(x) == if_else(x >= 0.0, max(u, 0.0) - sqrt(x), 0.0));
    const Solution s = solve(m, {.to = 6.0, .tolerance = 1e-8, .method = method});
    EXPECT_TRUE(!s.ok() || s("x", 6.0) > 1e-3) << method;
  }
}

}  // namespace
}  // namespace daedal

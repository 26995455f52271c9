// Branches of abs, min and max in models without if and when: every method follows them to its
// tolerance, and they are no events. Truth: integrals of straight lines and waves, by hand.
#include <gtest/gtest.h>

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

// z' = f(t), z(0) = 0.
void expect_integral(double to, double truth,
                     const std::function<Expression(const Expression& t)>& f) {
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Model m("Branches");
      const Expression y = m.variable("y"), z = m.variable("z", {.start = {0.0}, .fixed = {true}});
      m.equation(y == f(m.time()));
      m.equation(der(z) == y);
      const Solution s = solve(m, {.to = to, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(s.ok()) << method << ": " << (s.problems().empty() ? "" : s.problems()[0].what);
      EXPECT_NEAR(s("z", to), truth, 100 * tolerance) << method << " at " << tolerance;
      EXPECT_TRUE(s.events().empty()) << method;
      EXPECT_TRUE(s.modes().empty()) << method;
    }
}

// With x = 2 t - 3: triangles of heights 1.5, 0.5, 0.5, in x twice 1.125 + 0.125 + 0.125 + 0.125.
TEST(Branches, abs_within_abs_within_abs) {
  expect_integral(3.0, 1.5,
                  [](const Expression& t) { return abs(abs(abs(2.0 * t - 3.0) - 1.0) - 0.5); });
}

// Over a period the limited wave has no mean; from 0 to 2 pi/6, and limited from there to 5 pi/6.
TEST(Branches, a_wave_between_limits) {
  const double pi = std::numbers::pi, rise = 1.0 - std::sqrt(0.75), top = 0.5 * (4 * pi / 6);
  expect_integral(4 * pi + 5 * pi / 6, rise + top, [](const Expression& t) {
    return max(Expression(-0.5), min(Expression(0.5), sin(t)));
  });
}

}  // namespace
}  // namespace daedal

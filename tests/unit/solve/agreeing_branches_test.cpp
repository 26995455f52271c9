// Where the branches of abs, min and max agree to within rounding, it makes no difference which one
// a run is on: rounding must not end its steps (docs/theory/taylor-method.md, switches).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

// a and b are one solution, written in two ways, so that a - b is rounding.
TEST(AgreeingBranches, abs_of_rounding_noise_ends_no_steps) {
  for (const std::string& method : all_methods)
    for (const double tolerance : {1e-4, 1e-9}) {
      Model m("Noise");
      const Expression a = m.variable("a", {.start = {0.0}, .fixed = {true}});
      const Expression b = m.variable("b", {.start = {0.0}, .fixed = {true}});
      const Expression y = m.variable("y"), s = sin(m.time());
      m.equation(der(a) == 0.3 * s * s);
      m.equation(der(b) == 0.1 * s * s * 3.0);
      m.equation(y == abs(a - b));
      const Solution found = solve(m, {.to = 10.0, .tolerance = tolerance, .method = method});
      ASSERT_TRUE(found.ok()) << method << ": " << found.problems()[0].what;
      EXPECT_NEAR(found("y", 10.0), 0.0, 1e-14) << method;
      EXPECT_NEAR(found("a", 10.0), 0.15 * (10.0 - 0.5 * std::sin(20.0)), 1e-2) << method;
    }
}

// The noise ends where b goes its own way: from there on abs follows the difference.
TEST(AgreeingBranches, abs_follows_its_argument_once_it_leaves_the_noise) {
  for (const std::string& method : all_methods) {
    Model m("Parting");
    const Expression a = m.variable("a", {.start = {0.0}, .fixed = {true}});
    const Expression b = m.variable("b", {.start = {0.0}, .fixed = {true}});
    const Expression c = m.variable("c", {.start = {-1.0}, .fixed = {true}});
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    m.equation(der(a) == 0.3 * cos(m.time()));
    m.equation(der(b) == 0.1 * cos(m.time()) * 3.0);
    m.equation(der(c) == Expression(1.0));
    m.equation(der(y) == abs(a - b - max(c, 0.0)));
    const Solution found = solve(m, {.to = 3.0, .tolerance = 1e-8, .method = method});
    ASSERT_TRUE(found.ok()) << method << ": " << found.problems()[0].what;
    EXPECT_NEAR(found("y", 3.0), 2.0, 1e-6) << method;  // of (t - 1) from 1 to 3
  }
}

// x*x + z*z = 1 but for rounding, by an invariant that nothing holds: the argument of max drifts
// through the noise in both directions.
TEST(AgreeingBranches, max_of_a_constant_of_motion_and_its_value_is_that_value) {
  for (const std::string& method : all_methods) {
    Model m("Circle");
    const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
    const Expression z = m.variable("z", {.start = {0.0}, .fixed = {true}});
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    m.equation(der(x) == -z);
    m.equation(der(z) == x);
    m.equation(der(y) == max(x * x + z * z, 1.0) + min(x * x + z * z, 1.0));
    const Solution found = solve(m, {.to = 20.0, .tolerance = 1e-8, .method = method});
    ASSERT_TRUE(found.ok()) << method << ": " << found.problems()[0].what;
    EXPECT_NEAR(found("y", 20.0), 40.0, 1e-4) << method;
  }
}

}  // namespace
}  // namespace daedal

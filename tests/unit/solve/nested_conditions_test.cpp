// Conditions within conditions: the side of the inner one decides that of the outer one
// (docs/theory/hybrid.md, H1). Every right-hand side is a function of a known x, so that the truth
// is an integral that can be done by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

// y' = f(x), x' = 1, y(0) = 0, by all methods.
void expect_integral(double x0, double to, double truth,
                     const std::function<Expression(Expression x)>& f) {
  for (const std::string& method : all_methods) {
    Model m("Nested");
    const Expression x = m.variable("x", {.start = {x0}, .fixed = {true}});
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    m.equation(der(x) == Expression(1.0));
    m.equation(der(y) == f(x));
    const Solution s = solve(m, {.to = to, .tolerance = 1e-6, .method = method});
    ASSERT_TRUE(s.ok()) << method << ": " << (s.problems().empty() ? "" : s.problems()[0].what);
    EXPECT_NEAR(s("y", to), truth, 1e-4) << method;
  }
}

// 0.5 until t = 1, then min(2, 5) = 2.
TEST(NestedConditions, min_of_an_if_follows_the_branch_taken) {
  expect_integral(0.0, 3.0, 0.5 + 2 * 2.0, [](const Expression& x) {
    return min(Expression(2.0), if_else(x > 1.0, 5.0, 0.5));
  });
}

// 1 until t = 1, then max(0, -1) = 0.
TEST(NestedConditions, max_of_an_if_follows_the_branch_taken) {
  expect_integral(0.0, 3.0, 1.0, [](const Expression& x) {
    return max(Expression(0.0), if_else(x > 1.0, -1.0, 1.0));
  });
}

// 1.2 all along but for one instant.
TEST(NestedConditions, abs_of_a_sign_is_one) {
  expect_integral(-1.0, 2.0, 2.4, [](const Expression& x) { return 0.2 + abs(sign(x)); });
}

// sin(x) > 0.5 on [0, 3] from pi/6 to 5 pi/6: three levels of conditions on x.
TEST(NestedConditions, three_levels_are_decided_from_the_inside) {
  const double pi = std::numbers::pi;
  const double inside = 4 * pi / 6, first = pi / 6;
  const auto f = [](const Expression& x) {
    const Expression inner = if_else(sin(x) > 0.5, 1.0, -1.0);
    const Expression middle =
        max(Expression(-0.25), sign(inner - 0.5) * if_else(x > 2.0, 3.0, 1.0));
    return min(Expression(2.0), 2.0 * abs(middle - 0.5));
  };
  // outside: sign = -1, so max(-0.25, -1 or -3) = -0.25, and 2*0.75 = 1.5; inside: middle is 1 or
  // 3, so min(2, 1) = 1 until x = 2, then min(2, 5) = 2.
  const double inside_before_2 = 2.0 - first, inside_after_2 = inside - inside_before_2;
  const double truth = 1.5 * (3.0 - inside) + inside_before_2 + 2.0 * inside_after_2;
  expect_integral(0.0, 3.0, truth, f);
}

// max(0, if sin(time) > 0 then 3 else -1) to 9: 3 on [0, pi] and [2 pi, 9].
TEST(NestedConditions, of_time_alone) {
  for (const std::string& method : all_methods) {
    Model m("Waves");
    const Expression y = m.variable("y", {.start = {0.0}, .fixed = {true}});
    m.equation(der(y) == max(Expression(0.0), if_else(sin(m.time()) > 0.0, 3.0, -1.0)));
    const Solution s = solve(m, {.to = 9.0, .tolerance = 1e-6, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    EXPECT_NEAR(s("y", 9.0), 3.0 * (9.0 - std::numbers::pi), 1e-4) << method;
  }
}

// h' = min(0.2, if h > 1 then 0 else 0.5) - 0.05 h rises to 1 and slides there.
TEST(NestedConditions, a_tank_slides_at_its_brim) {
  for (const std::string& method : all_methods) {
    Model m("Tank");
    const Expression h = m.variable("h", {.start = {0.0}, .fixed = {true}});
    m.equation(der(h) == min(Expression(0.2), if_else(h > 1.0, 0.0, 0.5)) - 0.05 * h);
    const Solution s = solve(m, {.to = 30.0, .tolerance = 1e-6, .method = method});
    ASSERT_TRUE(s.ok()) << method << ": " << (s.problems().empty() ? "" : s.problems()[0].what);
    EXPECT_NEAR(s("h", 30.0), 1.0, 1e-5) << method;
  }
}

// sin t is positive on (0, pi), (2 pi, 3 pi), (4 pi, 5 pi) and after 6 pi, all before 20.
TEST(NestedConditions, a_clause_on_a_sign_happens_once_a_crossing) {
  for (const std::string& method : all_methods) {
    Model m("Count");
    const Expression x = m.variable("x", {.start = {0.0}});
    const Expression n = m.discrete("n", 0.0);
    m.equation(x == sin(m.time() - 0.5));
    m.when(sign(x) > 0.5, {assign(n, n + 1.0)});
    const Solution s = solve(m, {.to = 20.0, .tolerance = 1e-6, .method = method});
    ASSERT_TRUE(s.ok()) << method;
    EXPECT_EQ(std::count_if(s.events().begin(), s.events().end(),
                            [](const Event& e) { return e.kind == EventKind::when; }),
              4)
        << method;
  }
}

}  // namespace
}  // namespace daedal

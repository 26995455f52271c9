// Many conditions in one model: what each does is known in closed form, and is the same whatever
// the others do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

// Room k has T' = p_k (10 + 20 on - T) and switches at 19 and 21: half a period takes
// log(11/9)/p_k.
double rate_of(int room) { return 0.8 + 0.4 * std::fmod(0.618 * room, 1.0); }

std::string thermostats(int n) {
  std::string text = fmt::format(
      "model Thermostats\n  Real T[{0}](each start = 19, each fixed = true);\n"
      "  discrete Real on[{0}](each start = 1);\nequation\n",
      n);
  for (int k = 1; k <= n; ++k)
    text += fmt::format(
        "  der(T[{0}]) = {1}*(10 + 20*on[{0}] - T[{0}]);\n"
        "  when T[{0}] > 21 then on[{0}] = 0;\n"
        "  elsewhen T[{0}] < 19 then on[{0}] = 1;\n  end when;\n",
        k, rate_of(k));
  return text + "end Thermostats;\n";
}

// 60 rooms in one model have one mode, and every switch of every room is where it would be alone.
TEST(ManyConditions, switch_when_each_alone_would) {
  constexpr int n = 60;
  constexpr double end = 1.0;
  const Solution s = solve(parse_model(thermostats(n), "thermostats.mo"), {.to = end});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.modes().size(), 1u);
  std::vector<double> expected;
  for (int k = 1; k <= n; ++k)
    for (double t = std::log(11.0 / 9.0) / rate_of(k); t < end;
         t += std::log(11.0 / 9.0) / rate_of(k))
      expected.push_back(t);
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(s.events().size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(s.events()[k].t, expected[k], 1e-8);
  EXPECT_LE(s.statistics().steps, static_cast<long>(expected.size()) + 20);
}

// x = sin t passes level l at asin l, and again from below a period later; each clause counts for
// itself.
TEST(ManyConditions, of_clauses_on_one_unknown_each_counts_its_own_crossings) {
  constexpr int n = 150;
  std::string text = fmt::format(
      "model Levels\n  Real x(start = {{0, 1}}, fixed = {{true, true}});\n"
      "  discrete Real c[{0}](each start = 0);\n  Real y[{0}];\nequation\n"
      "  der(x, 2) + x = 0;\n  for k in 1:{0} loop y[k] = c[k]; end for;\n",
      n);
  const auto level = [](int k) { return -0.949 + 1.9 * k / n; };
  for (int k = 1; k <= n; ++k)
    text +=
        fmt::format("  when x > {1:.17g} then c[{0}] = pre(c[{0}]) + 1; end when;\n", k, level(k));
  const Solution s = solve(parse_model(text + "end Levels;\n", "levels.mo"), {.to = 10.0});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.modes().size(), 1u);
  std::vector<double> expected;
  for (int k = 1; k <= n; ++k)
    for (double t = std::asin(level(k)); t < 10.0; t += 2 * M_PI)
      if (t > 0.0) expected.push_back(t);
  std::sort(expected.begin(), expected.end());
  std::vector<double> found;
  for (const Event& event : s.events())
    if (event.t > 0.0) found.push_back(event.t);
  for (int k = 1; k <= n; ++k)
    EXPECT_EQ(s(fmt::format("y[{}]", k), s.t()), level(k) < 0.0 ? 1.0 : 2.0) << level(k);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-8);
}

// The first alternative that becomes true is taken, and only that, when several do at one instant.
TEST(ManyConditions, of_alternatives_at_one_instant_the_first_is_taken) {
  const Solution s = solve(parse_model(R"(
model Alternatives
  Real x(start = 0, fixed = true);
  discrete Real a(start = 0), b(start = 0), c(start = 0);
  Real y, z, u;
equation
  y = a;
  z = b;
  u = c;
  der(x) = 1;
  when x > 2 then a = 1;
  elsewhen x > 1 then a = 2;
  elsewhen 2*x > 2 then b = 1;
  end when;
  when x > 1 then c = 1;
  end when;
end Alternatives;
)",
                                       "alternatives.mo"),
                           {.to = 1.5});
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.events().size(), 2u);
  EXPECT_NEAR(s.events()[0].t, 1.0, 1e-14);
  EXPECT_NEAR(s.events()[1].t, 1.0, 1e-14);
  EXPECT_EQ(s("y", s.t()), 2.0);
  EXPECT_EQ(s("z", s.t()), 0.0);
  EXPECT_EQ(s("u", s.t()), 1.0);
}

}  // namespace
}  // namespace daedal

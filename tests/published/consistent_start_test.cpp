// The starts of the problem collection: what initialize() finds from the guesses in the models.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/initialize.hpp"
#include "published/problem_data.hpp"

namespace daedal::test {
namespace {

std::vector<Variant> variants_with_a_start() {
  std::vector<Variant> some;
  for (const Variant& variant : all_variants())
    if (variant.facts.contains("start") && variant.facts.at("structure").at("status") == "ok")
      some.push_back(variant);
  return some;
}

std::string derivative_name(const std::string& name, std::size_t order) {
  if (order == 0) return name;
  return order == 1 ? "der(" + name + ")" : "der(" + name + ", " + std::to_string(order) + ")";
}

class ConsistentStart : public testing::TestWithParam<Variant> {};

// 1e-13 of max(|value|, 1): rounding of the data times the condition of the problem, which is 100
// or less in all of them.
TEST_P(ConsistentStart, is_the_published_one) {
  const ConsistentPoint p = initialize(GetParam().cpp());
  ASSERT_TRUE(p.ok()) << (p.problems.empty() ? "" : p.problems[0].text());
  const Json& expected = GetParam().facts.at("start").at("values");
  for (std::size_t j = 0; j < p.variables.size(); ++j)
    for (std::size_t m = 0; m < p.values[j].size(); ++m) {
      const std::string name = derivative_name(p.variables[j], m);
      if (!expected.contains(name)) continue;
      const double exact = number(expected.at(name));
      EXPECT_NEAR(p.values[j][m], exact, 1e-13 * std::max(1.0, std::abs(exact))) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, ConsistentStart, testing::ValuesIn(variants_with_a_start()),
                         [](const auto& one) { return one.param.name(); });

// Horizontal and at rest, each pendulum is as long as the multiplier before it says, and
// 2 lam l = x'' ... = -(d2/dt2 of the half square of its length) / l: all follows from the first.
TEST(ConsistentStartOfCoupledPendula, rows_of_12_and_23_are_as_long_as_their_multipliers_say) {
  for (const auto& [num_pendula, coupling] : {std::pair{12, 0.1}, std::pair{23, 0.01}}) {
    const ConsistentPoint p = initialize(problems::coupled_pendula(num_pendula, coupling));
    ASSERT_TRUE(p.ok());
    const auto value = [&](const std::string& name, int k, std::size_t order) {
      const std::string full = name + "[" + std::to_string(k) + "]";
      const auto found = std::find(p.variables.begin(), p.variables.end(), full);
      return p.values[static_cast<std::size_t>(found - p.variables.begin())][order];
    };
    for (int k = 1; k <= num_pendula; ++k) {
      const double length = k == 1 ? 1 : 1 + coupling * value("lam", k - 1, 0);
      EXPECT_NEAR(value("x", k, 0), length, 1e-13);
      EXPECT_NEAR(value("x", k, 1), 0, 1e-13);
      EXPECT_NEAR(value("y", k, 2), -1, 1e-13);
      EXPECT_NEAR(value("x", k, 2), -2 * value("lam", k, 0) * length, 1e-13);
    }
    EXPECT_EQ(value("y", num_pendula, 0), 0);
  }
}

}  // namespace
}  // namespace daedal::test

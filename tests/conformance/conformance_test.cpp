// Every integrator on every problem that it claims: the digits of claims.hpp.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "conformance/achieved.hpp"
#include "conformance/cells.hpp"

namespace daedal::test {
namespace {

class Conformance : public testing::TestWithParam<Cell> {};

INSTANTIATE_TEST_SUITE_P(Small, Conformance, testing::ValuesIn(cells(Size::small)),
                         [](const auto& test) { return test.param.name(); });
INSTANTIATE_TEST_SUITE_P(Large, Conformance, testing::ValuesIn(cells(Size::large)),
                         [](const auto& test) { return test.param.name(); });

TEST_P(Conformance, the_digits_claimed_are_reached) {
  const Cell& cell = GetParam();
  const Achieved achieved = achieve(cell.row, cell.method);
  if (cell.claim == open) GTEST_SKIP() << "nothing is claimed";
  ASSERT_TRUE(achieved.exists) << "claimed, but refused: " << achieved.trouble;
  ASSERT_EQ(achieved.trouble, "");
  EXPECT_GE(achieved.digits, cell.claim) << "at a tolerance of " << cell.method.tolerance;
}

TEST(Claims, are_of_problems_that_have_a_reference) {
  for (const Row& row : rows())
    EXPECT_FALSE(variant(row.problem).facts.at("references").empty()) << row.problem;
}

}  // namespace
}  // namespace daedal::test

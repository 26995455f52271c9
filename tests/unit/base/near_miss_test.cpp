#include "base/near_miss.hpp"

#include <gtest/gtest.h>

namespace daedal::base {
namespace {

const std::vector<std::string> names = {"lambda", "length", "x", "y", "theta"};

TEST(NearMiss, finds_a_missing_a_swapped_and_a_wrong_letter) {
  EXPECT_EQ(did_you_mean("lamda", names), "did you mean 'lambda'?");
  EXPECT_EQ(did_you_mean("legnth", names), "did you mean 'length'?");
  EXPECT_EQ(did_you_mean("thota", names), "did you mean 'theta'?");
}

TEST(NearMiss, case_counts_half) {
  EXPECT_EQ(near_misses("LAMBDA", {"lambda"}), std::vector<std::string>{});  // six halves: too far
  EXPECT_EQ(near_misses("Lambda", names).front(), "lambda");
  EXPECT_EQ(near_misses("X", names).front(), "x");
}

TEST(NearMiss, says_nothing_when_nothing_is_near) {
  EXPECT_EQ(did_you_mean("pressure", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
}

TEST(NearMiss, lists_the_nearest_first_and_at_most_three) {
  const std::vector<std::string> found = near_misses("xa1", {"xa23", "xa2", "xb1", "xa", "xa1b"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "xa2");
}

}  // namespace
}  // namespace daedal::base

#include "integrate/sign_change.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace daedal::integrate {
namespace {

// The coefficients of prod (s - root).
std::vector<double> with_roots(const std::vector<double>& roots) {
  std::vector<double> p = {1.0};
  for (const double root : roots) {
    p.push_back(0.0);
    for (std::size_t k = p.size(); k-- > 0;) p[k] = (k > 0 ? p[k - 1] : 0.0) - root * p[k];
  }
  return p;
}

TEST(FirstSignChange, is_the_smallest_root_in_the_interval) {
  const auto p = with_roots({0.3, 0.31, 0.7});
  ASSERT_TRUE(first_sign_change(p, false, 1.0));
  EXPECT_NEAR(*first_sign_change(p, false, 1.0), 0.3, 1e-13);
  EXPECT_FALSE(first_sign_change(p, false, 0.29));
}

TEST(FirstSignChange, looks_backwards) {
  const auto p = with_roots({-0.25, 0.1});
  ASSERT_TRUE(first_sign_change(p, false, -1.0));
  EXPECT_NEAR(*first_sign_change(p, false, -1.0), -0.25, 1e-14);
}

TEST(FirstSignChange, is_not_a_double_root) {
  EXPECT_FALSE(first_sign_change(with_roots({0.4, 0.4}), true, 1.0));
}

TEST(FirstSignChange, finds_two_roots_that_are_close) {
  const auto p = with_roots({0.4, 0.40001});
  ASSERT_TRUE(first_sign_change(p, true, 1.0));
  EXPECT_NEAR(*first_sign_change(p, true, 1.0), 0.4, 1e-10);
}

TEST(FirstSignChange, is_none_where_all_is_zero) {
  EXPECT_FALSE(first_sign_change(std::vector{0.0, 0.0, 0.0}, true, 1.0));
}

TEST(FirstSignChange, may_be_at_once) {
  const auto found = first_sign_change(std::vector{0.0, -1.0}, true, 1.0);
  ASSERT_TRUE(found);
  EXPECT_LT(*found, 1e-300);
}

}  // namespace
}  // namespace daedal::integrate

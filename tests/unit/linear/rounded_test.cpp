#include "linear/rounded.hpp"

#include <gtest/gtest.h>

#include <random>

namespace daedal::linear {
namespace {

__extension__ typedef __float128 Quad;  // 113 bits against the 64 of long double

TEST(Rounded, tells_a_cancelled_sum_from_a_small_number) {
  const Rounded third = Rounded(1.0) / Rounded(3.0);
  EXPECT_TRUE((third + third + third - Rounded(1.0)).is_zero());
  EXPECT_TRUE((Rounded(0.1) + Rounded(0.2) - Rounded(0.1) - Rounded(0.2)).is_zero());
  EXPECT_FALSE(Rounded(1e-300).is_zero());
  EXPECT_FALSE((Rounded(1.0) + Rounded(1e-16) - Rounded(1.0)).is_zero());
}

// The bound holds against a computation in quadruple precision, and is not absurdly large.
TEST(Rounded, bounds_the_error_of_random_sums_products_and_quotients) {
  std::mt19937 random(5);
  std::uniform_real_distribution<> number(-2, 2);
  long double largest_bound = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const double first = number(random);
    Rounded a = first;
    Quad exact = first;
    for (int k = 0; k < 30; ++k) {
      const double b = number(random);
      switch (std::uniform_int_distribution<>(0, 3)(random)) {
        case 0: a += b, exact += b; break;
        case 1: a -= b, exact -= b; break;
        case 2: a *= b, exact *= b; break;
        default: a = a / Rounded(b + 3), exact /= static_cast<Quad>(b + 3);
      }
    }
    const auto error = static_cast<long double>(a.value - exact);
    ASSERT_LE(std::abs(error), a.error);
    largest_bound = std::max(largest_bound, a.error);
  }
  EXPECT_LT(largest_bound, 1e-12L);
}

TEST(Rounded, carries_errors_through_functions_by_their_slope) {
  const Rounded u(2.0L, 1e-10L);
  const Rounded z = apply_rounded([](long double at) { return std::exp(at); }, u);
  // To second order in 1e-10, and one unit in the last place of z.
  EXPECT_NEAR(static_cast<double>(z.error), std::exp(2.0) * 1e-10, 2e-18);
}

}  // namespace
}  // namespace daedal::linear

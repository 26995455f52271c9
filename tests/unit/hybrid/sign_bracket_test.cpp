#include "hybrid/sign_bracket.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace daedal::hybrid {
namespace {

// Checks that the result is the far one of two neighbours, and counts evaluations.
int evaluations(const std::function<double(double)>& f, double on, double off) {
  int count = 0;
  const double found = far_end_of_sign_change(
      [&](double x) {
        ++count;
        return f(x);
      },
      on, off);
  EXPECT_LE(f(found), 0.0);
  EXPECT_GT(f(std::nextafter(found, on)), 0.0);
  return count;
}

TEST(SignBracket, closes_in_on_neighbours_with_few_evaluations) {
  EXPECT_LE(evaluations([](double x) { return 1.0 - 3.0 * x; }, 0.0, 1.0), 12);
  EXPECT_LE(evaluations([](double x) { return std::cos(x); }, 0.0, 3.0), 16);
  EXPECT_LE(evaluations([](double x) { return 0.2 - std::exp(x); }, -10.0, 0.0), 16);
}

TEST(SignBracket, goes_either_way) {
  EXPECT_LE(evaluations([](double x) { return x * x * x - 0.01; }, 1.0, 0.0), 25);
  EXPECT_LE(evaluations([](double x) { return 1.0 + 3.0 * x; }, 0.0, -1.0), 12);
}

TEST(SignBracket, does_not_depend_on_a_nice_function) {
  // flat, a jump, a high power: not slower than bisection, twice
  EXPECT_LE(evaluations([](double x) { return x < 0.3 ? 1.0 : -1.0; }, 0.0, 1.0), 110);
  EXPECT_LE(evaluations([](double x) { return x < 0.3 ? 1.0 : -1e-9; }, 0.0, 1.0), 110);
  EXPECT_LE(evaluations([](double x) { return std::pow(0.3 - x, 15); }, 0.0, 1.0), 160);
}

TEST(SignBracket, takes_a_zero_for_the_other_side) {
  EXPECT_EQ(far_end_of_sign_change([](double x) { return 0.5 - x; }, 0.0, 1.0), 0.5);
  EXPECT_EQ(far_end_of_sign_change([](double x) { return 1.0 - x; }, 0.0, 1.0), 1.0);
}

}  // namespace
}  // namespace daedal::hybrid

// Ranges contain the values of operations on points of their arguments.
#include "expr/range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "expr/evaluate.hpp"

namespace daedal::expr {
namespace {

bool has(Range range, double x) { return range.low <= x && x <= range.high; }

double point_of(Range range, double part) { return range.low + part * (range.high - range.low); }

// Random intervals, wide and narrow, on both sides of zero.
template <typename Check>
void for_random_ranges(Check check) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-6.0, 6.0), exponent(-6.0, 1.0);
  for (int round = 0; round < 2000; ++round) {
    const double low = number(random);
    check(Range{low, low + std::pow(10.0, exponent(random))});
  }
}

TEST(Ranges, of_functions_contain_their_values) {
  for (const Op op : {Op::sin, Op::cos, Op::abs, Op::log, Op::exp, Op::atan, Op::tanh, Op::sinh,
                      Op::asinh, Op::erf, Op::sign, Op::tan, Op::cosh})
    for_random_ranges([&](Range a) {
      const Range found = widened(apply_unary(op, a));
      for (int k = 0; k <= 10; ++k) {
        const double value = apply_unary(op, point_of(a, 0.1 * k));
        if (!std::isnan(value)) {
          EXPECT_TRUE(has(found, value)) << name_of(op) << " on " << a.low << " to " << a.high;
        }
      }
    });
}

TEST(Ranges, of_powers_squares_and_reciprocals_contain_their_values) {
  for (const double exponent : {2.0, 3.0, 4.0, 0.5, -1.0, -2.0, -1.5, 2.5})
    for_random_ranges([&](Range a) {
      const Range found = widened(power(a, exponent));
      for (int k = 0; k <= 10; ++k) {
        const double value = apply_power(point_of(a, 0.1 * k), exponent);
        if (!std::isnan(value)) {
          EXPECT_TRUE(has(found, value)) << "^" << exponent;
        }
      }
    });
  for_random_ranges([](Range a) {
    for (int k = 0; k <= 10; ++k) {
      const double x = point_of(a, 0.1 * k);
      EXPECT_TRUE(has(widened(square(a)), x * x));
      EXPECT_TRUE(has(widened(times(a, inverse({2.0, 3.0}))), x / 2.5));
    }
  });
}

TEST(Ranges, are_as_narrow_as_the_values_where_that_is_known) {
  const Range sine = apply_unary(Op::sin, Range{0.1, 0.2});
  EXPECT_EQ(sine.low, std::sin(0.1));
  EXPECT_EQ(sine.high, std::sin(0.2));
  EXPECT_EQ(square({-1.0, 2.0}).low, 0.0);
  EXPECT_EQ(square({-1.0, 2.0}).high, 4.0);
  EXPECT_EQ(apply_unary(Op::sin, Range{1.5, 1.7}).high, 1.0);  // pi/2 lies between
}

TEST(Ranges, outside_of_a_domain_are_anything) {
  EXPECT_TRUE(std::isinf(inverse({-1.0, 1.0}).high));
  EXPECT_TRUE(std::isinf(power({-1.0, 1.0}, 0.5).low));
  EXPECT_TRUE(std::isinf(apply_unary(Op::log, Range{0.0, 1.0}).low));
}

}  // namespace
}  // namespace daedal::expr

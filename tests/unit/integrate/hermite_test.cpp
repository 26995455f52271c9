#include "integrate/hermite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "solution/step.hpp"

namespace daedal::integrate {
namespace {

// Scaled derivatives x^(l)/l!, l < count, of exp(a s) at s.
std::vector<double> exponential(double a, double s, int count) {
  std::vector<double> scaled;
  double factor = std::exp(a * s);
  for (int l = 0; l < count; ++l) {
    scaled.push_back(factor);
    factor *= a / (l + 1);
  }
  return scaled;
}

TEST(Hermite, matches_derivatives_at_both_ends) {
  for (int count = 1; count <= 9; ++count) {
    const auto begin = exponential(0.7, 0, count);
    const auto end = exponential(count <= 4 ? -1.3 : 0.7, 1, count);  // of any function, or of one
    std::vector<double> p(2 * static_cast<std::size_t>(count));
    Hermite().interpolate(begin, end, p);
    for (int l = 0; l < count; ++l) {
      EXPECT_NEAR(solution::scaled_derivative(p, l, 0.0), begin[l], 1e-12) << count << " " << l;
      const double rounding = 1e-13 * std::pow(8, l);  // grows with derivatives
      EXPECT_NEAR(solution::scaled_derivative(p, l, 1.0), end[l], rounding) << count << " " << l;
    }
  }
}

// Error of exp(s), m + 1 derivatives at each end: s^(m+1) (1-s)^(m+1)/(2m+2)! times a value of exp.
TEST(Hermite, has_the_error_of_the_textbook) {
  for (int count = 1; count <= 5; ++count) {
    std::vector<double> p(2 * static_cast<std::size_t>(count));
    Hermite().interpolate(exponential(1, 0, count), exponential(1, 1, count), p);
    const double error = solution::scaled_derivative(p, 0, 0.5) - std::exp(0.5);
    const double bound = std::pow(0.25, count) / std::tgamma(2 * count + 1);
    EXPECT_LE(std::abs(error), bound * std::exp(1.0) + 1e-15) << count;
    EXPECT_GE(std::abs(error), bound - 1e-15) << count;
  }
}

}  // namespace
}  // namespace daedal::integrate

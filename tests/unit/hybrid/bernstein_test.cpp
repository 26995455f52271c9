#include "hybrid/bernstein.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "unit/hybrid/polynomials.hpp"

namespace daedal::hybrid {
namespace {

using Coefficients = std::vector<double>;
constexpr double u = 0.5 * std::numeric_limits<double>::epsilon();

// by de Casteljau, in long double
long double bernstein_value(const Coefficients& b, long double x) {
  std::vector<long double> c(b.begin(), b.end());
  for (std::size_t n = c.size() - 1; n > 0; --n)
    for (std::size_t i = 0; i < n; ++i) c[i] += x * (c[i + 1] - c[i]);
  return c[0];
}

Coefficients random_coefficients(int degree, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Coefficients q(static_cast<std::size_t>(degree) + 1);
  for (double& c : q) c = normal(random);
  return q;
}

TEST(Bernstein, coefficients_of_a_parabola_are_known) {
  Coefficients q = {0.25, -1.0, 1.0};
  to_bernstein(q);
  EXPECT_EQ(q, (Coefficients{0.25, -0.25, 0.25}));
}

TEST(Bernstein, form_has_the_values_of_the_polynomial) {
  std::mt19937 random(1);
  for (const int degree : {1, 2, 5, 20, 50, 100}) {
    const auto q = random_coefficients(degree, random);
    auto b = q;
    to_bernstein(b);
    for (const double x : {0.0, 0.1, 0.5, 0.77, 1.0})
      EXPECT_NEAR(static_cast<double>(bernstein_value(b, x)),
                  static_cast<double>(test::value(q, x)),
                  4.0 * (degree + 1) * u * static_cast<double>(test::size(q, x)))
          << degree << " at " << x;
  }
}

TEST(Bernstein, halves_have_the_values_of_the_whole) {
  std::mt19937 random(2);
  for (const int degree : {1, 2, 5, 20, 50, 100}) {
    const auto q = random_coefficients(degree, random);
    auto right = q, left = q;
    to_bernstein(right);
    halve(left, right);
    for (const double x : {0.0, 0.3, 0.5, 1.0}) {
      const double bound = 5.0 * (degree + 1) * u;
      EXPECT_NEAR(static_cast<double>(bernstein_value(left, x)),
                  static_cast<double>(test::value(q, 0.5 * x)),
                  bound * static_cast<double>(test::size(q, 0.5 * x)));
      EXPECT_NEAR(static_cast<double>(bernstein_value(right, x)),
                  static_cast<double>(test::value(q, 0.5 + 0.5 * x)),
                  bound * static_cast<double>(test::size(q, 0.5 + 0.5 * x)));
    }
    EXPECT_EQ(left.back(), right.front());
  }
}

TEST(Bernstein, form_of_a_constant_is_constant) {
  Coefficients q = {3.0};
  to_bernstein(q);
  EXPECT_EQ(q, Coefficients{3.0});
}

}  // namespace
}  // namespace daedal::hybrid

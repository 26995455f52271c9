#include "hybrid/event_location.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "unit/hybrid/polynomials.hpp"
#include "unit/integrate/allocations.hpp"

namespace daedal::hybrid {
namespace {

using test::expanded_at;
using test::value;
using test::with_roots;
using Coefficients = std::vector<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double negligible = 1e-15;

std::optional<Root> first_root(const Coefficients& p, int side, double end,
                               double zero = negligible) {
  RootFinder finder;
  return finder.first_root(p, side, end, zero);
}

// What the test names say; s to `tolerance`.
void expect_crossing(const std::optional<Root>& found, double s, double tolerance) {
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->s, s, tolerance);
  EXPECT_FALSE(found->touches);
}
void expect_touching(const std::optional<Root>& found, double s, double tolerance) {
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->s, s, tolerance);
  EXPECT_TRUE(found->touches);
}

TEST(SideAfter, is_the_sign_of_the_first_term_that_is_not_negligible) {
  EXPECT_EQ(side_after(Coefficients{2.0, -3.0}, 1.0, negligible), 1);
  EXPECT_EQ(side_after(Coefficients{-1e-16, 1e-16, 3.0}, 1.0, negligible), 1);
  EXPECT_EQ(side_after(Coefficients{1e-16, -4.0, 9.0}, 1.0, negligible), -1);
  EXPECT_EQ(side_after(Coefficients{0.0, 1e-8, -1.0}, 1e-8, negligible), 0);
}

TEST(SideAfter, follows_the_direction) {
  EXPECT_EQ(side_after(Coefficients{0.0, 1.0}, -1.0, negligible), -1);
  EXPECT_EQ(side_after(Coefficients{0.0, 0.0, 1.0}, -1.0, negligible), 1);
}

TEST(SideAfter, is_zero_if_all_is_negligible) {
  EXPECT_EQ(side_after(Coefficients{0.0, 0.0}, 1.0, 0.0), 0);
  EXPECT_EQ(side_after(Coefficients{1e-16, -1e-16}, 1.0, negligible), 0);
}

// (s - d)^3 with d = 4e-7: value and slope are below 1e-12, and so is the way down of -3 d s^2,
// which s^3 turns.
TEST(SideAfter, of_a_triple_root_just_ahead_is_that_behind_it) {
  const double d = 4e-7;
  const Coefficients p = {-d * d * d, 3 * d * d, -3 * d, 1.0};
  EXPECT_EQ(side_after(p, 1.0, 1e-12), 1);
  EXPECT_FALSE(first_root(p, 1, 1.0, 1e-12).has_value());
  EXPECT_EQ(first_root(p, -1, 1.0, 1e-12)->s, 0.0);
  // The way down of -1e-2 s^2 is seen.
  EXPECT_EQ(side_after(Coefficients{0.0, 0.0, -1e-2, 1.0}, 1.0, 1e-12), -1);
  // What comes after it on its side is found: about s^3 - 2 s^4.
  Coefficients q = p;
  q.push_back(-2.0);
  expect_crossing(first_root(q, 1, 1.0, 1e-12), 0.5, 1e-5);
}

TEST(FirstRoot, of_a_line_is_exact) {
  expect_crossing(first_root({1.0, -4.0}, 1, 1.0), 0.25, 0.0);
  expect_crossing(first_root({-1.0, 4.0}, -1, 1.0), 0.25, 0.0);
  EXPECT_FALSE(first_root({1.0, -0.5}, 1, 1.0));
}

TEST(FirstRoot, is_the_first_of_two_that_are_close) {
  // The coefficients are rounded: the root moves by eps/p' = eps/(1e-5 * 0.6).
  const auto p = with_roots({0.3L, 0.30001L, 0.9L});
  expect_crossing(first_root(p, -1, 1.0), 0.3, 2 * eps / 6e-6);
  const auto found = first_root(p, -1, 1.0);
  EXPECT_GE(value(p, found->s), -1e-16L);
  EXPECT_LT(value(p, std::nextafter(found->s, 0.0)), 1e-16L);
}

TEST(FirstRoot, is_the_first_of_two_that_are_close_and_exact) {
  const double gap = std::ldexp(1.0, -20);
  expect_crossing(first_root(with_roots({0.5L, 0.5L + gap}), 1, 1.0), 0.5, eps / gap);
}

TEST(FirstRoot, touches_in_a_double_root) {
  expect_touching(first_root(with_roots({0.5L, 0.5L}), 1, 1.0), 0.5, eps);
  expect_touching(first_root(with_roots({0.3L, 0.3L}), 1, 1.0), 0.3, 4 * eps);
  expect_touching(first_root({0.25 + 1e-18, -1.0, 1.0}, 1, 1.0), 0.5, eps);
  expect_touching(first_root({-0.25, 1.0, -1.0}, -1, 1.0), 0.5, eps);
}

TEST(FirstRoot, touches_within_negligible_only) {
  const Coefficients p = {0.25 + 1e-9, -1.0, 1.0}, q = {0.09 + 1e-9, -0.6, 1.0};
  EXPECT_FALSE(first_root(p, 1, 1.0, 0.9e-9));
  EXPECT_FALSE(first_root(q, 1, 1.0, 0.9e-9));
  expect_touching(first_root(p, 1, 1.0, 1.1e-9), 0.5, eps);
  expect_touching(first_root(q, 1, 1.0, 1.1e-9), 0.3, 4 * eps);
}

TEST(FirstRoot, is_none_where_a_valley_stays_above) {
  EXPECT_FALSE(first_root({0.25 + 1e-6, -1.0, 1.0}, 1, 1.0));
  EXPECT_FALSE(first_root({0.25 + 1e-12, -1.0, 1.0}, 1, 1.0));
}

TEST(FirstRoot, is_a_crossing_if_the_valley_goes_below) {
  const double depth = 1e-12;
  const auto found = first_root({0.25 - depth, -1.0, 1.0}, 1, 1.0);
  // s = 1/2 - sqrt(depth) to eps/(2 sqrt(depth))
  expect_crossing(found, 0.5 - 1e-6, eps / 1e-6);
}

TEST(FirstRoot, touches_before_it_crosses) {
  const auto p = with_roots({0.25L, 0.25L, 0.75L});
  expect_touching(first_root(p, -1, 1.0), 0.25, 8 * eps);
  const auto q = with_roots({0.5L, 0.75L, 0.75L});
  expect_crossing(first_root(q, -1, 1.0), 0.5, 16 * eps);  // p' = 1/16
}

TEST(FirstRoot, touches_in_a_root_of_multiplicity_four) {
  // |p| < 1e-16 within 1e-4
  expect_touching(first_root(with_roots({0.4L, 0.4L, 0.4L, 0.4L}), 1, 1.0), 0.4, 2e-4);
}

TEST(FirstRoot, crosses_in_a_triple_root) {
  expect_crossing(first_root(with_roots({0.4L, 0.4L, 0.4L}), -1, 1.0), 0.4, 2e-5);
  expect_crossing(first_root(with_roots({0.5L, 0.5L, 0.5L, 0.5L, 0.5L}), -1, 1.0), 0.5, 2e-3);
}

TEST(FirstRoot, counts_at_the_end) {
  expect_crossing(first_root({1.0, -1.0}, 1, 1.0), 1.0, 0.0);
  expect_crossing(first_root({0.7, -1.0}, 1, 0.7), 0.7, 0.0);
  for (const double end : {0.1, 0.3, 0.7, 0.9}) {
    const auto p = with_roots({end, 1.5L, -2.0L, 3.0L});
    const int side = side_after(p, end, negligible);
    expect_crossing(first_root(p, side, end), end, 16 * eps);  // rounding of p is 50 eps, p' = 4
  }
  EXPECT_FALSE(first_root({1.0, -1.0}, 1, 1.0 - 1e-14, 0.0));
}

TEST(FirstRoot, touches_at_the_end_as_well) {
  const auto found = first_root(with_roots({0.5L, 0.5L}), 1, 0.5);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->s, 0.5, 1e-8);
}

TEST(FirstRoot, is_not_the_zero_it_begins_with) {
  // a ball thrown up at 3 with gravity 10
  expect_crossing(first_root({0.0, 3.0, -5.0}, 1, 1.0), 0.6, eps);
  expect_crossing(first_root({0.0, 3.0e-9, -5.0}, 1, 1.0), 0.6e-9, 1e-24);
  EXPECT_FALSE(first_root({0.0, 3.0, -2.0}, 1, 1.0));
  expect_crossing(first_root({0.0, 0.0, 0.0, 1.0, -2.0}, 1, 1.0), 0.5, 0.0);
}

TEST(FirstRoot, is_not_made_of_noise_where_it_begins_at_zero) {
  expect_crossing(first_root({-1e-17, 3.0, -5.0}, 1, 1.0), 0.6, eps);
  expect_crossing(first_root({1e-16, -3e-16, 2.0, -5.0}, 1, 1.0), 0.4, eps);
  EXPECT_FALSE(first_root({-5e-16, -5e-16, 2.0, 1.0}, 1, 1.0));
}

TEST(FirstRoot, is_zero_where_the_side_is_left_at_once) {
  expect_crossing(first_root({-1.0, 2.0}, 1, 1.0), 0.0, 0.0);
  expect_crossing(first_root({1e-17, -2.0}, 1, 1.0), 0.0, 0.0);
}

TEST(FirstRoot, is_none_of_zero) {
  EXPECT_FALSE(first_root({0.0, 0.0, 0.0}, 1, 1.0, 0.0));
  EXPECT_FALSE(first_root({1e-16, -1e-16, 1e-17}, 1, 1.0));
  EXPECT_FALSE(first_root({}, 1, 1.0));
}

TEST(FirstRoot, is_none_of_what_is_not_finite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(first_root({nan, 1.0, -1.0}, 1, 1.0));
  EXPECT_FALSE(first_root({1.0, -4.0, nan}, 1, 1.0));
  EXPECT_FALSE(first_root({1.0, -4.0, std::numeric_limits<double>::infinity()}, 1, 1.0));
}

TEST(FirstRoot, goes_backwards) {
  const auto p = with_roots({-0.25L, -0.5L, 0.1L});
  expect_crossing(first_root(p, side_after(p, -1.0, negligible), -1.0), -0.25, eps);
  expect_crossing(first_root({0.0, 3.0, 5.0}, -1, -1.0), -0.6, eps);
  expect_touching(first_root(with_roots({-0.3L, -0.3L}), 1, -1.0), -0.3, 4 * eps);
  expect_crossing(first_root({1.0, 1.0}, 1, -1.0), -1.0, 0.0);
  EXPECT_FALSE(first_root({1.0, -1.0}, 1, -2.0));
}

TEST(FirstRoot, mirrored_is_the_mirror_image) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Coefficients p(12), q;
    for (double& c : p) c = normal(random);
    q = p;
    for (std::size_t k = 1; k < q.size(); k += 2) q[k] = -q[k];
    const int side = p[0] > 0.0 ? 1 : -1;
    const auto forward = first_root(p, side, 0.9), backward = first_root(q, side, -0.9);
    ASSERT_EQ(forward.has_value(), backward.has_value());
    if (forward) {
      EXPECT_EQ(forward->s, -backward->s);
    }
  }
}

TEST(FirstRoot, is_excluded_by_the_size_of_the_terms) {
  RootFinder finder;
  EXPECT_FALSE(finder.first_root(Coefficients{1.0, -0.5, 0.3, -0.1}, 1, 1.0, negligible));
  EXPECT_EQ(finder.num_splits(), 0);
}

// T_20(2s - 1): roots s = (1 + cos((2k - 1) pi/40))/2
Coefficients chebyshev(int n) {
  Coefficients before = {1.0}, now = {-1.0, 2.0};
  for (int k = 1; k < n; ++k) {
    Coefficients next(now.size() + 1);
    for (std::size_t i = 0; i < now.size(); ++i)
      next[i] -= 2.0 * now[i], next[i + 1] += 4.0 * now[i];
    for (std::size_t i = 0; i < before.size(); ++i) next[i] -= before[i];
    before = now;
    now = next;
  }
  return now;
}

TEST(FirstRoot, of_chebyshev_polynomials_is_that_of_the_closed_form) {
  for (const int n : {5, 10, 20}) {
    const auto p = chebyshev(n);  // integers: exact
    const double root = 0.5 * (1.0 - std::cos(0.5 * std::numbers::pi / n));
    expect_crossing(first_root(p, n % 2 == 0 ? 1 : -1, 1.0), root, 20 * eps * root + eps / (n * n));
  }
}

TEST(FirstRoot, one_after_another_gives_all_roots_of_a_chebyshev_polynomial) {
  const int n = 20;
  const auto p = chebyshev(n);
  RootFinder finder;
  double at = 0.0;
  int side = 1;
  for (int k = 1; k <= n; ++k, side = -side) {
    // The expansion has coefficients up to 1e13: half of the digits of p are lost.
    const auto here = expanded_at(p, at);
    const auto found = finder.first_root(here, side, 1.0 - at, 1e-5);
    ASSERT_TRUE(found) << k;
    EXPECT_FALSE(found->touches);
    at += found->s;
    EXPECT_NEAR(at, 0.5 * (1.0 - std::cos((2 * k - 1) * std::numbers::pi / (2 * n))), 1e-7) << k;
  }
  EXPECT_FALSE(finder.first_root(expanded_at(p, at), side, 1.0 - at, 1e-5));
}

TEST(FirstRoot, of_wilkinsons_polynomial_is_the_first) {
  for (const int n : {6, 12}) {
    std::vector<long double> roots;
    for (int k = 1; k <= n; ++k) roots.push_back(static_cast<long double>(k) / n);
    const auto p = with_roots(roots);
    const auto found = first_root(p, 1, 1.0, 0.0);
    expect_crossing(found, 1.0 / n, 1e-13);
  }
}

// The sign that p has on a grid, as far as it can be told from zero in double precision.
void expect_no_change_before(const Coefficients& p, int side, double last, const char* what) {
  const int num_points = 500;
  const long double c = 300.0L * static_cast<long double>(p.size()) * 0.5L * eps;
  for (int k = 1; k < num_points; ++k) {
    const long double s = static_cast<long double>(last) * k / num_points;
    ASSERT_GT(side * value(p, s), -c * test::size(p, s))
        << what << " at " << static_cast<double>(s);
  }
}

TEST(FirstRoot, of_random_polynomials_misses_no_change_of_sign) {
  std::mt19937 random(20);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  RootFinder finder;
  int num_found = 0, most_splits = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int degree = 5 + trial % 36;
    Coefficients p(static_cast<std::size_t>(degree) + 1);
    const double decay = uniform(random) * 2.0;  // flat, falling, growing
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = normal(random) * std::pow(decay, k);
    const double end = (trial % 2 == 0 ? 1.0 : -1.0) * (0.5 + 0.5 * uniform(random));
    const int side = p[0] > 0.0 ? 1 : -1;
    const auto found = finder.first_root(p, side, end, 0.0);
    most_splits = std::max(most_splits, finder.num_splits());
    expect_no_change_before(p, side, found ? found->s : end, found ? "root" : "none");
    if (!found) continue;
    ++num_found;
    const auto noise = 2e-16L * static_cast<long double>(degree) * test::size(p, found->s);
    if (!found->touches) {
      EXPECT_LE(side * value(p, found->s), noise);
      EXPECT_GE(side * value(p, std::nextafter(found->s, 0.0)), -noise);
    }
  }
  EXPECT_GT(num_found, 1000);
  EXPECT_LT(most_splits, 30);
}

// Many roots, complex ones near the real axis, clusters: what makes halving deep.
TEST(FirstRoot, of_polynomials_with_random_roots_takes_few_halvings) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  RootFinder finder;
  int most_splits = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Coefficients p = {1.0};
    const int num_pairs = 1 + trial % 12;
    for (int pair = 0; pair < num_pairs; ++pair) {
      const double re = 0.2 + 0.8 * uniform(random);
      const double im = trial % 3 == 0 ? 0.0 : std::pow(10.0, -10.0 * uniform(random));
      Coefficients next(p.size() + 2);
      for (std::size_t k = 0; k < p.size(); ++k) {
        next[k] += (re * re + im * im) * p[k];
        next[k + 1] -= 2.0 * re * p[k];
        next[k + 2] += p[k];
      }
      p = next;
    }
    const auto found = finder.first_root(p, 1, 1.0, 0.0);
    most_splits = std::max(most_splits, finder.num_splits());
    expect_no_change_before(p, 1, found ? found->s : 1.0, found ? "root" : "none");
  }
  EXPECT_LT(most_splits, 200);
}

TEST(FirstRoot, of_a_high_degree_is_found) {
  // cos(30 s) to degree 100
  Coefficients p(101);
  double term = 1.0;
  for (int k = 0; k <= 100; k += 2) {
    p[static_cast<std::size_t>(k)] = term;
    term *= -900.0 / ((k + 1) * (k + 2));
  }
  RootFinder finder;
  const auto found = finder.first_root(p, 1, 1.0, 0.0);
  expect_crossing(found, std::numbers::pi / 60.0, 4 * eps);
  EXPECT_LT(finder.num_splits(), 100);
}

TEST(FirstRoot, allocates_nothing_after_the_first_search) {
  RootFinder finder;
  const auto p = chebyshev(20), q = with_roots({0.3L, 0.3L, 0.5L}), excluded = with_roots({2.0L});
  ASSERT_TRUE(finder.first_root(p, 1, 1.0, negligible));
  const long before = test::num_allocations();
  EXPECT_TRUE(finder.first_root(p, 1, 1.0, negligible));
  EXPECT_TRUE(finder.first_root(q, -1, 1.0, negligible));
  EXPECT_FALSE(finder.first_root(excluded, -1, 1.0, negligible));
  EXPECT_EQ(test::num_allocations(), before);
}

TEST(FirstRoot, reads_coefficients_that_are_apart_in_memory) {
  const Coefficients rows = {1.0, 7.0, -4.0, 7.0, 0.0, 7.0};
  RootFinder finder;
  expect_crossing(finder.first_root({rows.data(), 3, 2}, 1, 1.0, negligible), 0.25, 0.0);
}

// Waves far below what is negligible elsewhere, beside a beginning far above.
TEST(FirstRoot, crosses_within_what_is_negligible) {
  const auto p = with_roots({0.5L, 0.51L, 0.7L});  // 3e-5 at most behind 0.5
  expect_touching(first_root({0.25 + 1e-4, -1.0, 1.0}, 1, 1.0, 1e-3), 0.5, eps);
  expect_crossing(first_root(p, -1, 0.69, 1e-3), 0.5, 200 * eps);
}

// Valleys whose bottoms differ from what is negligible by about the rounding of coefficients.
TEST(FirstRoot, touches_in_flat_valleys_like_in_others) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 2000; ++trial) {
    const double at = 0.05 + 0.9 * uniform(random);
    const double zero = std::pow(10.0, -14.0 + 5.0 * uniform(random));
    const double height = (trial % 2 == 0 ? 0.5 : 2.0) * zero;
    // (s - at)^2 (s + 1) + height; sum |p_k s^k| < 8: rounding is below 1e-14
    auto p = with_roots({at, at, -1.0L});
    p[0] += height;
    const auto found = first_root(p, 1, 1.0, zero);
    ASSERT_EQ(found.has_value(), trial % 2 == 0) << trial << ' ' << at << ' ' << zero;
    if (found) {
      EXPECT_TRUE(found->touches);
      EXPECT_NEAR(found->s, at, 20 * eps);
    }
  }
}

TEST(FirstRoot, scales_with_the_step) {
  const auto p = with_roots({0.3L, 0.4L});
  for (const double h : {1e-12, 1e-3, 1e6}) {
    Coefficients q = p;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] /= std::pow(h, k);
    expect_crossing(first_root(q, 1, h), 0.3 * h, 20 * eps * h);
  }
}

}  // namespace
}  // namespace daedal::hybrid

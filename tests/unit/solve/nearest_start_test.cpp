// The start is the nearest consistent point, also where Newton's method jumps past it
// (docs/theory/consistent-points.md, C10). The witness is a scan.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "daedal/initialize.hpp"

namespace daedal {
namespace {

struct Waves {
  double slope = 0.0, offset = 0.0;
  double amplitude[3] = {}, frequency[3] = {}, phase[3] = {};

  template <typename Number>
  Number at(const Number& x) const {
    using std::sin;
    const auto wave = [&](int k) { return amplitude[k] * sin(frequency[k] * x + phase[k]); };
    return slope * x - offset + wave(0) + wave(1) + wave(2);
  }
};

Waves random_waves(std::mt19937& random) {
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  Waves f;
  f.slope = 0.3 + 0.2 * part(random);
  f.offset = part(random);
  for (int k = 0; k < 3; ++k) {
    f.amplitude[k] = 0.7 * part(random);
    f.frequency[k] = 2.0 + 1.5 * part(random);
    f.phase[k] = 3.0 * part(random);
  }
  return f;
}

// By signs on a grid, then bisection.
double nearest_root(const Waves& f, double guess) {
  constexpr double mesh = 1e-3;
  for (double distance = 0.0; distance < 100.0; distance += mesh)
    for (const double side : {1.0, -1.0}) {
      double a = guess + side * distance, b = a + side * mesh;
      if ((f.at(a) > 0.0) == (f.at(b) > 0.0)) continue;
      for (int k = 0; k < 60; ++k)
        ((f.at((a + b) / 2) > 0.0) == (f.at(a) > 0.0) ? a : b) = (a + b) / 2;
      return a;
    }
  return std::nan("");
}

TEST(NearestStart, the_nearest_of_many_roots_is_found) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> guesses(-15.0, 15.0);
  for (int trial = 0; trial < 200; ++trial) {
    const Waves f = random_waves(random);
    const double guess = guesses(random), expected = nearest_root(f, guess);
    Model m("Waves");
    const Expression x = m.variable("x", {.start = {guess}});
    m.equation(f.at(x) == Expression(0.0));
    const ConsistentPoint point = initialize(m);
    ASSERT_TRUE(point.ok()) << trial;
    EXPECT_NEAR(point.values[0][0], expected, 1e-9) << "trial " << trial << " from " << guess;
  }
}

// Seen from 10.9 Newton's method goes to 0.33, past the root at 3.81.
TEST(NearestStart, a_root_that_newton_jumps_over_is_found) {
  Model m("Sine");
  const Expression x = m.variable("x", {.start = {10.9}});
  m.equation(sin(3.0 * x) + 0.5 * x == Expression(1.0));
  const ConsistentPoint point = initialize(m);
  ASSERT_TRUE(point.ok());
  EXPECT_NEAR(point.values[0][0], 3.811194824, 1e-8);  // the largest root, by a scan
}

}  // namespace
}  // namespace daedal

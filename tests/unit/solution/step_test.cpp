#include "solution/step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solution/trajectory.hpp"

namespace daedal::solution {
namespace {

// p(s) = 1 + 2 s + 3 s^2 + 4 s^3, exact in doubles.
const std::vector<double> cubic = {1.0, 2.0, 3.0, 4.0};

TEST(ScaledDerivative, is_the_derivative_over_the_factorial) {
  EXPECT_EQ(scaled_derivative(cubic, 0, 2.0), 1 + 4 + 12 + 32);
  EXPECT_EQ(scaled_derivative(cubic, 1, 2.0), 2 + 12 + 48);
  EXPECT_EQ(scaled_derivative(cubic, 2, 2.0), 3 + 24);
  EXPECT_EQ(scaled_derivative(cubic, 3, 2.0), 4);
  EXPECT_EQ(scaled_derivative(cubic, 4, 2.0), 0);
}

TEST(ScaledTail, is_what_follows_the_first_term) {
  for (int n = 0; n < 4; ++n)
    EXPECT_EQ(scaled_derivative(cubic, n, 2.0), cubic[n] + 2.0 * scaled_tail(cubic, n, 2.0));
}

TEST(LargestMotion, bounds_how_far_a_polynomial_moves_on_both_sides) {
  const std::vector<double> wavy = {1.0, -2.0, 3.0, -4.0};
  // A sum of sizes is reached where all terms have one sign.
  EXPECT_EQ(largest_motion(wavy, 0, 2.0), 4 + 12 + 32);
  EXPECT_EQ(largest_motion(wavy, 1, 2.0), 12 + 48);
  EXPECT_EQ(largest_motion(wavy, 3, 2.0), 0.0);
  for (int n = 0; n < 4; ++n)
    for (const double s : {-2.0, -0.5, 0.25, 1.0, 2.0})
      EXPECT_LE(std::abs(scaled_derivative(wavy, n, s) - wavy[n]), largest_motion(wavy, n, 2.0));
  EXPECT_EQ(scaled_derivative(wavy, 0, -2.0) - wavy[0], largest_motion(wavy, 0, 2.0));
}

// Two steps of length 2 in units of 0.5, of t^2 - 1.
Trajectory parabola(double direction) {
  StepLayout layout;
  layout = {.column = {0}, .degrees = {2}, .num_rows = 3};
  Trajectory trajectory;
  trajectory.begin_leg(layout, {});
  for (int k = 0; k < 2; ++k) {
    const double t = 2.0 * k * direction;
    // in the first of two lanes
    const std::vector<double> coefficients = {t * t - 1, -1, 2 * t * 0.5, -1, 0.25, -1};
    trajectory.append({.begin = t,
                       .end = t + 2 * direction,
                       .scale = 0.5,
                       .coefficients = coefficients.data(),
                       .lanes = 2});
  }
  return trajectory;
}

TEST(Trajectory, gives_values_and_derivatives_at_any_time_forwards_and_backwards) {
  for (const double direction : {1.0, -1.0}) {
    const Trajectory trajectory = parabola(direction);
    for (const double distance : {0.0, 0.5, 2.0, 3.25, 4.0}) {
      const double t = direction * distance;
      ASSERT_TRUE(trajectory.contains(t));
      EXPECT_DOUBLE_EQ(trajectory.at(t).value(0, t, 0), t * t - 1);
      EXPECT_DOUBLE_EQ(trajectory.at(t).value(0, t, 1), 2 * t);
      EXPECT_DOUBLE_EQ(trajectory.at(t).value(0, t, 2), 2.0);
    }
    EXPECT_FALSE(trajectory.contains(direction * 4.5));
    EXPECT_FALSE(trajectory.contains(-direction * 0.5));
  }
}

TEST(Trajectory, takes_the_later_of_two_steps_that_meet) {
  EXPECT_EQ(parabola(1.0).at(2.0).step.begin, 2.0);
  EXPECT_EQ(parabola(-1.0).at(-2.0).step.begin, -2.0);
}

}  // namespace
}  // namespace daedal::solution

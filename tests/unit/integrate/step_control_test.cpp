#include "integrate/taylor/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

// Operations per unit of time at order p, up to a factor.
double work(const taylor::OperationCount& cost, double tolerance, int p) {
  const double stages = p - 1;
  return (cost.start + stages * cost.stage + stages * stages / 2 * cost.convolution) *
         std::pow(tolerance, -1.0 / p);
}

// Convolutions alone: (p-1)^2 tol^(-1/p) is least near p = -ln(tol)/2 [JorbaZou2005]; sums alone:
// (p-1) tol^(-1/p) near p = -ln(tol).
TEST(ChooseOrder, follows_the_operations_that_an_order_costs) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12, 1e-15}) {
    const double digits = -std::log(tolerance);
    EXPECT_NEAR(choose_order({.start = 0, .stage = 0, .convolution = 1}, tolerance), digits / 2, 2);
    EXPECT_NEAR(choose_order({.start = 0, .stage = 1, .convolution = 0}, tolerance), digits, 2);
  }
}

TEST(ChooseOrder, is_no_worse_than_its_neighbours) {
  const taylor::OperationCount cost = {.start = 500, .stage = 40, .convolution = 9};
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    const int p = choose_order(cost, tolerance);
    EXPECT_LE(work(cost, tolerance, p), work(cost, tolerance, p - 1));
    EXPECT_LE(work(cost, tolerance, p), work(cost, tolerance, p + 1));
  }
}

struct OneUnknown {
  SeriesShape shape;
  std::vector<double> coefficients;
  double scale;
  ErrorScales scales;

  OneUnknown(std::vector<double> given, double step_scale, double tolerance)
      : shape({1}, {static_cast<int>(given.size()) - 1}, {0}),
        coefficients(std::move(given)),
        scale(step_scale),
        scales(tolerance, shape) {
    constexpr double one = 1.0;
    scales.set_nominals(std::vector{1.0});
    scales.begin(1.0);
    scales.set_sizes(0, coefficients.data(), &one);
    coefficients.resize(coefficients.size() + taylor::kernel_overrun);
  }
  double longest() const {
    double length = 0.0;
    StepLimits(shape, scales).find(coefficients.data(), {&scale, 1}, {&length, 1});
    return length;
  }
  double radius() const {
    return StepLimits(shape, scales)
        .radius_of_convergence({.scale = scale, .coefficients = coefficients.data()});
  }
};

// 1/(1 - t/R): coefficients R^-k, scale 2. Coefficient 20 tells the radius 2^(1/20) R; the first
// term left out may take a quarter of the tolerance.
TEST(LongestStep, is_where_the_first_term_left_out_of_a_geometric_series_reaches_the_weight) {
  constexpr int degree = 20;
  for (const double scale : {1.0, 0x1p-6}) {
    std::vector<double> x(degree + 1);
    for (int k = 0; k <= degree; ++k) x[k] = std::pow(scale / 3.0, k);  // R = 3
    const OneUnknown series(x, scale, 1e-10);
    EXPECT_NEAR(series.longest(),
                3.0 * std::pow(2.0, 1.0 / degree) * std::pow(0.25e-10, 1.0 / (degree + 1)), 1e-12);
    EXPECT_NEAR(series.radius(), 3.0, 1e-12);
  }
}

TEST(LongestStep, is_not_fooled_by_every_second_coefficient_being_zero) {
  std::vector<double> x(18);
  for (int k = 0; k < 18; k += 2) x[k] = 1.0;  // 1/(1 - t^2); the last one is zero
  const OneUnknown series(x, 1.0, 1e-10);
  EXPECT_LT(series.longest(), 1.0);
  x.push_back(1.0);
  EXPECT_LT(OneUnknown(x, 1.0, 1e-10).longest(), 1.0);
}

TEST(LongestStep, is_unlimited_for_polynomials_of_low_degree) {
  std::vector<double> x(20, 0.0);
  x[0] = 1.0;
  x[3] = 2.0;
  EXPECT_TRUE(std::isinf(OneUnknown(x, 1.0, 1e-10).longest()));
}

}  // namespace
}  // namespace daedal::integrate

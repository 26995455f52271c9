#include "reduce/array/array_solver.hpp"

#include <gtest/gtest.h>

#include "unit/reduce/form_of.hpp"
#include "unit/reduce/pendulum_series.hpp"

namespace daedal::reduce {
namespace {

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

// sum_m z_m u^m about u = s, u = s + v ratio: coefficient i is ratio^i sum_m binomial(m, i) s^(m-i)
// z_m.
TEST(Shifted, is_the_binomial_formula) {
  const int n = 2, degree = 7, count = 10;
  Vector z(n * count);
  for (int k = 0; k < z.size(); ++k) z[k] = std::cos(1.7 * k) / (1 + 0.1 * k);
  for (const double s : {-0.6, 0.0, 0.3, 1.0}) {
    const double ratio = 0.4;
    const Vector found = shifted(z, n, degree, s, ratio);
    ASSERT_EQ(found.size(), z.size());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < count; ++i) {
        double wanted = 0.0;
        for (int m = i; m <= degree; ++m)
          wanted += binomial(m, i) * std::pow(s, m - i) * z[m * n + j];
        EXPECT_NEAR(found[i * n + j], i <= degree ? wanted * std::pow(ratio, i) : 0.0, 1e-13)
            << s << " " << i;
      }
  }
}

struct PendulumSolver {
  explicit PendulumSolver(int order) : solver(form, parameters, nominals, 3, 2, true, order) {}

  // Exact but for disturbances of this size in what the array must find.
  ArraySolver::Prediction prediction(double scale, double disturbance) const {
    const auto series = test::pendulum_series(solver.num_coefficients() - 1);
    ArraySolver::Prediction p{0.0, scale, Vector(5 * solver.num_coefficients())};
    for (int m = 0; m < solver.num_coefficients(); ++m)
      for (int j = 0; j < 5; ++j) {
        const bool is_found = m > 0 || j == 4;
        p.z[m * 5 + j] = series[j][m] * std::pow(scale, m) +
                         (is_found ? disturbance * std::sin(1.0 + 5 * m + j) : 0.0);
      }
    return p;
  }

  const Model model = test::unit_pendulum();
  FirstOrderForm form = form_of(model);
  const std::vector<double> parameters = {}, nominals = std::vector<double>(5, 1.0);
  ArraySolver solver;
};

TEST(ArraySolver, finds_the_series_of_the_pendulum) {
  const int order = 12;
  PendulumSolver pendulum(order);
  const double scale = 0.5;
  const auto found = pendulum.solver.solve(pendulum.prediction(scale, 1e-3), 1e-13);
  ASSERT_TRUE(found.is_converged);
  const auto series = test::pendulum_series(order);
  for (int m = 0; m <= order; ++m)
    for (int j = 0; j < 5; ++j)
      EXPECT_NEAR(found.z[m * 5 + j], series[j][m] * std::pow(scale, m), 1e-12) << j << " " << m;
  EXPECT_LE(found.residual, 1e-12);
}

// x0 is all that is known of a start in general: derivatives are zero here, off by up to 9.8.
TEST(ArraySolver, finds_the_series_of_the_pendulum_from_its_values_alone) {
  const int order = 12;
  PendulumSolver pendulum(order);
  const double scale = 0.5;
  ArraySolver::Prediction prediction = pendulum.prediction(scale, 0.0);
  prediction.z.tail(prediction.z.size() - 5).setZero();
  const auto found = pendulum.solver.find(prediction, 1e-13);
  ASSERT_TRUE(found.is_converged);
  const auto series = test::pendulum_series(order);
  for (int m = 0; m <= order; ++m)
    for (int j = 0; j < 5; ++j)
      EXPECT_NEAR(found.z[m * 5 + j], series[j][m] * std::pow(scale, m), 1e-11) << j << " " << m;
}

// The constraint holds at no other point near x0 = 1.01, which the search may not leave.
TEST(ArraySolver, finds_nothing_where_x0_would_have_to_move) {
  PendulumSolver pendulum(6);
  ArraySolver::Prediction prediction = pendulum.prediction(0.5, 0.0);
  prediction.z.head(2) *= 1.01;
  EXPECT_FALSE(pendulum.solver.find(prediction, 1e-12).is_converged);
}

TEST(ArraySolver, leaves_what_is_consistent_alone) {
  PendulumSolver pendulum(6);
  const auto prediction = pendulum.prediction(0.5, 0.0);
  const auto found = pendulum.solver.solve(prediction, 1e-12);
  ASSERT_TRUE(found.is_converged);
  EXPECT_LE((found.z - prediction.z).head(5 * 7).cwiseAbs().maxCoeff(), 1e-13);
}

// On the radius through alpha, since x and y are both differentiated: the nearest point of the
// circle.
TEST(ArraySolver, goes_to_the_nearest_point_of_the_constraint) {
  PendulumSolver pendulum(2);
  auto prediction = pendulum.prediction(0.5, 0.0);
  prediction.z[0] *= 1.01;
  prediction.z[1] *= 1.01;
  const auto found = pendulum.solver.solve(prediction, 1e-13);
  ASSERT_TRUE(found.is_converged);
  EXPECT_NEAR(found.z[0], std::numbers::sqrt2 / 2, 1e-12);
  EXPECT_NEAR(found.z[1], std::numbers::sqrt2 / 2, 1e-12);
}

TEST(ArraySolver, says_that_a_function_is_not_defined) {
  Model model("Root");
  const auto x = model.variable("x");
  model.equation(der(x) == sqrt(x));
  FirstOrderForm form = form_of(model);
  const std::vector<double> parameters, nominals = {1.0};
  ArraySolver solver(form, parameters, nominals, 0, 1, true, 2);
  ArraySolver::Prediction prediction{0.0, 1.0, Vector::Zero(solver.num_coefficients())};
  prediction.z[0] = -1.0;
  const auto found = solver.solve(prediction, 1e-12);
  EXPECT_FALSE(found.is_finite);
  EXPECT_FALSE(found.is_converged);
}

}  // namespace
}  // namespace daedal::reduce

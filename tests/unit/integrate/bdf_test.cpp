#include "integrate/bdf/bdf.hpp"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

#include "daedal/model.hpp"
#include "integrate/bdf/bdf_formula.hpp"
#include "model/model_data.hpp"
#include "structure/signature.hpp"
#include "unit/integrate/allocations.hpp"

namespace daedal::integrate {
namespace {

using testing::ElementsAre;

constexpr double inf = std::numeric_limits<double>::infinity();
using Derivatives = std::vector<std::vector<double>>;

// ---------------------------------------------------------------------------------------------------------------------
// Formulas

const std::vector<double> no_parameters;

// y_{k+1} - y_k = h f, y_{k+1} - 4/3 y_k + 1/3 y_{k-1} = 2/3 h f, and
// y_{k+1} - 18/11 y_k + 9/11 y_{k-1} - 2/11 y_{k-2} = 6/11 h f.
TEST(BdfFormula, for_equal_steps_is_the_printed_one) {
  const double h = 0.25;
  const std::vector<double> past = {1.0, 1.0 - h, 1.0 - 2 * h};
  const auto printed = [&](int order, double beta) {
    std::vector<double> coefficients;
    const BdfFormula formula = bdf_formula(1.0 + h, past, order);
    for (int i = 0; i <= order; ++i) coefficients.push_back(beta * h * formula.alpha[i]);
    return coefficients;
  };
  const auto near = [](double value) { return testing::DoubleNear(value, 1e-15); };
  EXPECT_THAT(printed(1, 1.0), ElementsAre(near(1), near(-1)));
  EXPECT_THAT(printed(2, 2.0 / 3), ElementsAre(near(1), near(-4.0 / 3), near(1.0 / 3)));
  EXPECT_THAT(printed(3, 6.0 / 11),
              ElementsAre(near(1), near(-18.0 / 11), near(9.0 / 11), near(-2.0 / 11)));
}

TEST(BdfFormula, of_order_k_is_exact_for_polynomials_of_degree_k_on_any_points) {
  const std::vector<double> past = {1.0, 0.7, 0.6, 0.1, -0.3};
  const double t = 1.2;
  for (int order = 1; order <= highest_bdf_order; ++order) {
    const auto power = [&](double s) { return std::pow(s, order); };
    const BdfFormula formula = bdf_formula(t, past, order);
    double slope = formula.alpha[0] * power(t);
    for (int i = 0; i < order; ++i) slope += formula.alpha[i + 1] * power(past[i]);
    EXPECT_NEAR(slope, order * std::pow(t, order - 1), 1e-12) << order;
  }
}

TEST(BdfFormula, extrapolates_polynomials_through_all_points_exactly) {
  const std::vector<double> past = {1.0, 0.7, 0.6, 0.1};
  const auto cubic = [](double s) { return s * s * s - 2 * s + 1; };
  const ExtrapolationWeights weights = extrapolation_weights(1.2, past);
  double value = 0.0;
  for (std::size_t i = 0; i < past.size(); ++i) value += weights[i] * cubic(past[i]);
  EXPECT_NEAR(value, cubic(1.2), 1e-14);
}

TEST(BdfFormula, has_the_error_constants_of_equal_steps) {
  const std::vector<double> past = {0.0, -1.0, -2.0, -3.0, -4.0, -5.0};
  const double harmonic[] = {1.0, 3.0 / 2, 11.0 / 6, 25.0 / 12, 137.0 / 60};
  for (int order = 1; order <= highest_bdf_order; ++order)
    EXPECT_NEAR(bdf_error_constant(1.0, past, order), 1 / ((order + 1) * harmonic[order - 1]),
                1e-15);
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs

MethodOptions with_tolerance(double tolerance, double max_step = inf) {
  return {.tolerance = tolerance, .max_step = max_step, .nominals = {}};
}

struct Prepared {
  explicit Prepared(Model given) : model(std::move(given)), graph(*model.data().graph) {
    for (const model::Equation& equation : model.data().equations)
      residuals.push_back(equation.residual);
    structure = structure::analyze_structure(structure::signature_of(graph, residuals));
  }
  std::unique_ptr<Bdf> method(BdfOptions options) const {
    options.method.nominals.assign(residuals.size(), 1.0);
    return std::make_unique<Bdf>(UserEquations{graph, residuals, structure}, no_parameters,
                                 std::move(options));
  }

  Model model;
  const expr::Graph& graph;
  std::vector<expr::NodeId> residuals;
  structure::Structure structure;
};

long run_to(Bdf& method, double end) {
  long steps = 0;
  for (; method.t() != end && steps < 1000000; ++steps)
    if (!method.advance()) return -1;
  return steps;
}

// x' = rate (x - cos t) - sin t, of which x = cos t is a solution whatever the rate.
Prepared decay_to_cosine(double rate) {
  Model model("Decay");
  const auto x = model.variable("x"), t = model.time();
  model.equation(der(x) == rate * (x - cos(t)) - sin(t));
  return Prepared(std::move(model));
}

// The series of cos t.
bool continue_cosine(double t, Coefficients& coefficients) {
  double factorial = 1.0;
  for (int k = 0; k < 24; ++k) {
    if (k > 0) factorial *= k;
    if (k >= static_cast<int>(coefficients[0].size()))
      coefficients[0].push_back(std::cos(t + k * std::numbers::pi / 2) / factorial);
  }
  return true;
}

// The largest of the run.
double error_of_fixed_steps(int order, double step) {
  const Prepared prepared = decay_to_cosine(-1.0);
  const auto method =
      prepared.method({.order = order, .fixed_step = step, .continue_series = continue_cosine});
  EXPECT_TRUE(method->begin(0.0, 4.0, {{1.0, 0.0}}));
  double largest = 0.0;
  while (method->t() != 4.0 && method->advance())
    largest = std::max(largest, std::abs(method->derivative(0, 0) - std::cos(method->t())));
  EXPECT_EQ(method->t(), 4.0);
  return largest;
}

TEST(Bdf, with_fixed_steps_converges_with_its_order) {
  for (int order = 1; order <= highest_bdf_order; ++order) {
    const double ratio =
        error_of_fixed_steps(order, 1.0 / 32) / error_of_fixed_steps(order, 1.0 / 64);
    EXPECT_NEAR(std::log2(ratio), order, 0.15) << order;
  }
}

// Transients of 1e-6 s: explicit methods need 2e6 steps for a second.
TEST(Bdf, takes_large_steps_on_a_stiff_problem) {
  const Prepared prepared = decay_to_cosine(-1e6);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const auto method = prepared.method({.method = with_tolerance(tolerance)});
    ASSERT_TRUE(method->begin(0.0, 10.0, {{2.0, -1e6}}));  // 1 away from cos
    const long steps = run_to(*method, 10.0);
    EXPECT_GT(steps, 0);
    EXPECT_LT(steps, 2000);
    EXPECT_NEAR(method->derivative(0, 0), std::cos(10.0), tolerance);
    EXPECT_LT(method->counters().jacobians, steps / 2);
  }
}

TEST(Bdf, goes_back_in_time) {
  const Prepared prepared = decay_to_cosine(-1.0);
  const auto method =
      prepared.method({.method = with_tolerance(1e-8), .continue_series = continue_cosine});
  ASSERT_TRUE(method->begin(1.0, -1.0, {{std::cos(1.0), -std::sin(1.0)}}));
  EXPECT_GT(run_to(*method, -1.0), 0);
  EXPECT_EQ(method->t(), -1.0);
  EXPECT_NEAR(method->derivative(0, 0), std::cos(-1.0), 1e-7);
  EXPECT_NEAR(method->derivative(0, 1), -std::sin(-1.0), 1e-6);
}

TEST(Bdf, starts_without_series) {
  const Prepared prepared = decay_to_cosine(-1.0);
  const auto method = prepared.method({.method = with_tolerance(1e-8)});
  ASSERT_TRUE(method->begin(0.0, 5.0, {{1.0, 0.0}}));
  EXPECT_GT(run_to(*method, 5.0), 0);
  EXPECT_NEAR(method->derivative(0, 0), std::cos(5.0), 1e-7);
}

TEST(Bdf, takes_no_step_longer_than_allowed) {
  const Prepared prepared = decay_to_cosine(-1.0);
  const auto method = prepared.method({.method = with_tolerance(1e-3, 0.0625)});
  ASSERT_TRUE(method->begin(0.0, 2.0, {{1.0, 0.0}}));
  while (method->t() != 2.0) {
    ASSERT_TRUE(method->advance());
    EXPECT_LE(method->last_trial(), 0.0625 * (1 + 1e-12));
  }
}

// x' = x^2, x = 1/(1 - t).
TEST(Bdf, stops_before_a_pole) {
  Model model("Pole");
  const auto x = model.variable("x");
  model.equation(der(x) == sqr(x));
  const Prepared prepared(std::move(model));
  const auto method = prepared.method({.method = with_tolerance(1e-6)});
  ASSERT_TRUE(method->begin(0.0, 2.0, {{1.0, 1.0}}));
  EXPECT_EQ(run_to(*method, 2.0), -1);
  EXPECT_NEAR(method->t(), 1.0, 1e-4);
  EXPECT_NE(method->failure(), MethodFailure::none);
}

// y^2 + x = 0 with x' = 1: y is not real from t = 1 on.
TEST(Bdf, stops_where_an_equation_is_not_defined) {
  Model model("Root");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(der(x) == 1);
  model.equation(y == sqrt(1 - x));
  const Prepared prepared(std::move(model));
  const auto method = prepared.method({.method = with_tolerance(1e-6)});
  ASSERT_TRUE(method->begin(0.0, 2.0, {{0.0, 1.0}, {1.0}}));
  EXPECT_EQ(run_to(*method, 2.0), -1);
  EXPECT_NEAR(method->t(), 1.0, 1e-4);
  EXPECT_EQ(method->failure(), MethodFailure::not_finite);
  EXPECT_NEAR(method->derivative(0, 0), method->t(), 1e-12);  // of the last step that was possible
  EXPECT_NEAR(method->derivative(0, 1), 1.0, 1e-9);
}

// ---------------------------------------------------------------------------------------------------------------------
// The pendulum

constexpr double g = 9.80665;

// The unit of time in seconds; the multiplier has none.
Prepared pendulum(double unit = 1.0) {
  Model model("Pendulum");
  const auto x = model.variable("x"), y = model.variable("y"), lambda = model.variable("lambda");
  model.equation(der(x, 2) + unit * unit * lambda * x == 0);
  model.equation(der(y, 2) + unit * unit * (lambda * y + g) == 0);
  model.equation(sqr(x) + sqr(y) - 1 == 0);
  return Prepared(std::move(model));
}

// At rest, horizontal: x = 1, x'' = -lambda = 0, y'' = -g.
const Derivatives at_rest = {{1, 0, 0}, {0, 0, -g}, {0}};

// 2-norm condition of the matrix of a step of order 1 at (0.6, -0.8) with some velocity, scaled
// and not.
std::pair<double, double> conditions(double h) {
  const Prepared prepared = pendulum();
  reduce::IndexForm form =
      reduce::index_form(prepared.graph, prepared.residuals, prepared.structure, {});
  BdfSystem system(form, no_parameters);
  const std::vector<double> z = {0.6, -0.8, 12.0, 0.8, 0.6}, slope = {0.8, 0.6, 0, -7.2, -0.2};
  EXPECT_TRUE(system.linearise(0.0, z, slope));
  EXPECT_TRUE(system.factorise(1 / h, std::vector<double>(5, 1.0)));
  const std::vector<double> scaled = system.scaled_matrix();
  Eigen::MatrixXd matrix(5, 5), plain(5, 5);
  for (int i = 0; i < 5; ++i)
    for (int u = 0; u < 5; ++u) {
      matrix(i, u) = scaled[5 * i + u];
      plain(i, u) = matrix(i, u) / (system.row_scale(i) * system.column_scale(u));
    }
  const auto condition = [](const Eigen::MatrixXd& a) {
    const Eigen::VectorXd values = a.jacobiSvd().singularValues();
    return values(0) / values(4);
  };
  return {condition(matrix), condition(plain)};
}

// Without scaling the condition grows like h^-3 (measured: 1e3 at h = 0.1, 5e20 at 1e-7).
TEST(BdfSystem, of_the_pendulum_is_well_conditioned_however_short_the_step) {
  for (const double h : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8})
    EXPECT_LT(conditions(h).first, 4) << h;
  EXPECT_NEAR(std::log10(conditions(1e-4).second / conditions(1e-3).second), 3, 0.2);
}

TEST(Bdf, allocates_nothing_in_steps) {
  const Prepared prepared = pendulum();
  const auto method = prepared.method({.method = with_tolerance(1e-6)});
  ASSERT_TRUE(method->begin(0.0, 10.0, at_rest));
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(method->advance());
  const long before = test::num_allocations(), evaluated = method->counters().factorisations;
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(method->advance());
  method->constraint_residual();
  EXPECT_GT(method->counters().factorisations, evaluated);
  EXPECT_EQ(test::num_allocations(), before);
}

TEST(Bdf, does_not_depend_on_the_unit_of_time) {
  const auto end_of_swing = [](double unit) {
    const Prepared prepared = pendulum(unit);
    const auto method = prepared.method({.method = with_tolerance(1e-6)});
    EXPECT_TRUE(method->begin(0.0, 1.0 / unit, {{1, 0, 0}, {0, 0, -g * unit * unit}, {0}}));
    const long steps = run_to(*method, 1.0 / unit);
    EXPECT_GT(steps, 0);
    return std::pair(steps, method->derivative(1, 0));
  };
  const auto [steps, y] = end_of_swing(1.0);
  for (const double unit : {0x1p-10, 0x1p10}) {  // exact, so that rounding is the same
    EXPECT_EQ(end_of_swing(unit).first, steps);
    EXPECT_NEAR(end_of_swing(unit).second, y, 1e-12);
  }
}

// Only x, x', x'' of the start are known; the multiplier's first value comes from steps of order 2.
TEST(Bdf, starts_at_index_3_without_series) {
  const Prepared prepared = pendulum();
  const auto method = prepared.method({.method = with_tolerance(1e-6)});
  ASSERT_TRUE(method->begin(0.0, 1.0, at_rest));
  while (method->t() != 1.0) {
    ASSERT_TRUE(method->advance());
    const double energy =
        (std::pow(method->derivative(0, 1), 2) + std::pow(method->derivative(1, 1), 2)) / 2 +
        g * method->derivative(1, 0);
    EXPECT_NEAR(energy, 0.0, 1e-3);
    // lambda = |v|^2 - g y = -3 g y from rest
    EXPECT_NEAR(method->derivative(2, 0), -3 * g * method->derivative(1, 0), 0.02);
  }
}

}  // namespace
}  // namespace daedal::integrate

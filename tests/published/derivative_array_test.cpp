// Derivative arrays in print: Campbell and Hollenbeck 1996.
#include "reduce/array/derivative_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expr/simplify.hpp"
#include "model/check.hpp"
#include "model/model_data.hpp"
#include "problems/problems.hpp"
#include "taylor/rules.hpp"
#include "unit/reduce/direct_array.hpp"

namespace daedal::test {
namespace {

using reduce::ArrayPoint;
using reduce::DerivativeArray;
using reduce::Entries;
using Matrix = std::vector<std::vector<double>>;

expr::Simplified equations_of(const Model& model) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.data().equations)
    residuals.push_back(equation.residual);
  return expr::simplify(*model.data().graph, residuals);
}

// Example (6). Columns here ascend by order: x, x', x'', x'''; in print they are x', w, x. The
// printed G has x1'^2 in its second row where F has x1^2.
TEST(DerivativeArray, CampbellHollenbeck1996_example_6_entry_by_entry) {
  Model model("Example6");
  const auto x1 = model.variable("x1"), x2 = model.variable("x2");
  model.equation(der(x1) + x1 * x2 == 0);
  model.equation(sqr(x1) + x1 * x2 + 1 == 0);
  expr::Simplified equations = equations_of(model);
  DerivativeArray array(*equations.graph, equations.roots, {2, 2}, Entries::derivatives);
  ASSERT_EQ(array.num_rows(), 6);
  ASSERT_EQ(array.num_columns(), 8);

  const double a = 0.7, b = -1.3, da = 2.1, db = 0.4, dda = -0.9, ddb = 1.7, ddda = 3.3,
               dddb = -0.2;
  const std::vector<double> values = {a, b, da, db, dda, ddb, ddda, dddb};
  array.linearise({0.0, {}, values});
  const double G[] = {da + a * b,
                      a * a + a * b + 1,
                      dda + da * b + a * db,
                      2 * a * da + da * b + a * db,
                      ddda + dda * b + 2 * da * db + a * ddb,
                      2 * a * dda + 2 * da * da + dda * b + 2 * da * db + a * ddb};
  const double J[6][8] = {{b, a, 1, 0, 0, 0, 0, 0},
                          {2 * a + b, a, 0, 0, 0, 0, 0, 0},
                          {db, da, b, a, 1, 0, 0, 0},
                          {2 * da + db, da, 2 * a + b, a, 0, 0, 0, 0},
                          {ddb, dda, 2 * db, 2 * da, b, a, 1, 0},
                          {2 * dda + ddb, dda, 4 * da + 2 * db, 2 * da, 2 * a + b, a, 0, 0}};
  const Matrix found = dense(array.jacobian(), 8);
  for (int row = 0; row < 6; ++row) {
    EXPECT_NEAR(array.values()[row], G[row], 1e-14) << "row " << row;
    for (int column = 0; column < 8; ++column)
      EXPECT_NEAR(found[row][column], J[row][column], 1e-14) << row << "," << column;
  }
}

// A point near the start of the problem, with derivatives of the size of the unknowns.
struct Problem {
  explicit Problem(const Model& model, const std::vector<double>& start)
      : equations(equations_of(model)),
        parameters(model::check(model.data())),
        array(*equations.graph, equations.roots, std::vector<int>(equations.roots.size(), r),
              Entries::derivatives) {
    for (int column = 0; column < array.num_columns(); ++column) {
      const auto [j, m] = array.place_of_column(column);
      values.push_back(m == 0 ? start[j] : (0.1 + 0.1 * std::abs(start[j])) * scattered(column));
    }
  }
  ArrayPoint point() const { return {0.3, parameters, values}; }

  static constexpr int r = 5;
  expr::Simplified equations;
  std::vector<double> parameters;
  DerivativeArray array;
  std::vector<double> values;
};

Problem robot_arm() {
  return Problem(problems::robot_arm(), {-0.35, 0.6, 1.05, -1.3, 0.5, 0.35, 2.0, 1.5});
}
// Altitude, longitude, latitude, speed, flight path angle, azimuth, bank angle.
Problem shuttle() {
  return Problem(problems::shuttle(), {264039.0, 3.2, 0.55, 24317.0, -0.013, 1.09, -0.05});
}

double largest(const std::vector<double>& row) {
  double size = 0.0;
  for (const double value : row) size = std::max(size, std::abs(value));
  return size;
}

// Entries of a row of G^(5) differ in size by cancelling sums of thousands of terms: relative to
// the row.
constexpr double rounding = 1e-11;

class PrintedProblem : public testing::TestWithParam<Problem (*)()> {};

TEST_P(PrintedProblem, array_of_five_differentiations_has_the_values_of_differentiated_equations) {
  Problem problem = GetParam()();
  problem.array.linearise(problem.point());
  DirectArray direct(*problem.equations.graph, problem.equations.roots, problem.array);
  const std::vector<double> G = direct.values(problem.point());
  const Matrix J = direct.jacobian(problem.point());
  const Matrix found = dense(problem.array.jacobian(), problem.array.num_columns());
  for (int row = 0; row < problem.array.num_rows(); ++row) {
    const double size = largest(J[row]);
    ASSERT_TRUE(std::isfinite(size));
    double scale = 0.0;
    for (std::size_t column = 0; column < J[row].size(); ++column)
      scale = std::max(scale, std::abs(J[row][column] * problem.values[column]));
    EXPECT_NEAR(problem.array.values()[row], G[row], rounding * scale) << "row " << row;
    for (std::size_t column = 0; column < J[row].size(); ++column)
      EXPECT_NEAR(found[row][column], J[row][column], rounding * size) << row << "," << column;
  }
}

// Y_{i,j} of (19c): j!/i! d y^(i)/d x^(j).
double Y(const Problem& problem, const Matrix& J, int equation, int i, int unknown, int j) {
  const int n = static_cast<int>(problem.equations.roots.size());
  return J[i * n + equation][problem.array.column(unknown, j)] * taylor::factorial(j) /
         taylor::factorial(i);
}

// Y_{k+l-1,l} = (2 - l) Y_{k,1} + (l - 1) Y_{k+1,2} for k >= 1, l >= 2, on values that were not
// computed with it.
TEST_P(PrintedProblem, CampbellHollenbeck1996_lemma_5_1_holds_along_the_subdiagonals) {
  Problem problem = GetParam()();
  problem.array.linearise(problem.point());
  DirectArray direct(*problem.equations.graph, problem.equations.roots, problem.array);
  const Matrix J = direct.jacobian(problem.point()),
               found = dense(problem.array.jacobian(), problem.array.num_columns());
  const int n = static_cast<int>(problem.equations.roots.size());
  for (int k = 1; k < Problem::r; ++k)
    for (int l = 2; k + l - 1 <= Problem::r; ++l)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto by_lemma = [&](const Matrix& matrix) {
            return (2 - l) * Y(problem, matrix, i, k, j, 1) +
                   (l - 1) * Y(problem, matrix, i, k + 1, j, 2);
          };
          const double wanted = Y(problem, J, i, k + l - 1, j, l);
          const double size = largest(J[k * n + i]) + largest(J[(k + 1) * n + i]);
          EXPECT_NEAR(by_lemma(J), wanted, rounding * size)
              << i << "," << j << " " << k << "," << l;
          EXPECT_NEAR(by_lemma(found), wanted, rounding * size);
        }
}

INSTANTIATE_TEST_SUITE_P(CampbellHollenbeck1996, PrintedProblem,
                         testing::Values(&robot_arm, &shuttle), [](const auto& test) {
                           return test.index == 0 ? "robot_arm" : "shuttle";
                         });

}  // namespace
}  // namespace daedal::test

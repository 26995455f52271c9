#include "reduce/array/derivative_array.hpp"

#include <gtest/gtest.h>

#include "taylor/rules.hpp"
#include "unit/integrate/allocations.hpp"
#include "unit/reduce/direct_array.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::Op;
using test::dense;
using test::DirectArray;
using test::scattered;
using Matrix = std::vector<std::vector<double>>;

// f = (x'' sin(y) + p x - exp(t y'),  x y - p/x',  z' z^2 + d/dt(x y)): derivatives of order 2, of
// order 1, and of an expression.
struct Example {
  Graph graph;
  NodeId x = graph.add_unknown("x"), y = graph.add_unknown("y"), z = graph.add_unknown("z");
  NodeId p = graph.add_parameter("p");
  std::vector<NodeId> residuals;
  std::vector<double> parameters = {0.7};

  Example() {
    Graph& g = graph;
    const NodeId xy = g.multiply(x, y);
    residuals.push_back(
        g.subtract(g.add(g.multiply(g.diff(x, 2), g.unary(Op::sin, y)), g.multiply(p, x)),
                   g.unary(Op::exp, g.multiply(g.time(), g.diff(y, 1)))));
    residuals.push_back(g.subtract(xy, g.divide(p, g.diff(x, 1))));
    residuals.push_back(g.add(g.multiply(g.diff(z, 1), g.power(z, 2.0)), g.diff(xy, 1)));
  }

  DerivativeArray array(std::vector<int> times, Entries entries = Entries::derivatives) {
    return {graph, residuals, std::move(times), entries};
  }
};

std::vector<double> some_values(const DerivativeArray& array) {
  std::vector<double> values;
  for (int column = 0; column < array.num_columns(); ++column)
    values.push_back(1.2 + 0.5 * scattered(column));
  return values;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k)  // rounding of some dozens of operations
    EXPECT_NEAR(found[k], wanted[k], 1e-13 * (1 + std::abs(wanted[k]))) << k;
}

void expect_direct_values(Example& example, DerivativeArray& array) {
  const std::vector<double> values = some_values(array);
  const ArrayPoint point{0.4, example.parameters, values};
  array.linearise(point);
  DirectArray direct(example.graph, example.residuals, array);
  expect_near({array.values().begin(), array.values().end()}, direct.values(point));
  const Matrix found = dense(array.jacobian(), array.num_columns()),
               wanted = direct.jacobian(point);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t row = 0; row < found.size(); ++row) {
    SCOPED_TRACE("row " + std::to_string(row));
    expect_near(found[row], wanted[row]);
  }
}

TEST(DerivativeArray, of_equations_of_any_order_is_that_of_differentiated_expressions) {
  Example example;
  for (int r = 0; r <= 4; ++r) {
    SCOPED_TRACE(r);
    DerivativeArray array = example.array({r, r, r});
    EXPECT_EQ(array.num_rows(), 3 * (r + 1));
    EXPECT_EQ(array.highest_order(), r + 2);
    expect_direct_values(example, array);
  }
}

TEST(DerivativeArray, differentiates_each_equation_its_own_number_of_times) {
  Example example;
  DerivativeArray array = example.array({0, 3, 1});
  const std::vector<Place> rows = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {1, 2}, {1, 3}};
  EXPECT_EQ(std::vector<Place>(array.rows().begin(), array.rows().end()), rows);
  EXPECT_EQ(array.highest_order(), 5);
  expect_direct_values(example, array);
}

TEST(DerivativeArray, of_coefficients_is_that_of_derivatives_scaled) {
  Example example;
  DerivativeArray by_derivatives = example.array({2, 3, 4});
  DerivativeArray by_coefficients = example.array({2, 3, 4}, Entries::coefficients);
  const std::vector<double> derivatives = some_values(by_derivatives);
  std::vector<double> coefficients = derivatives;
  for (int column = 0; column < by_derivatives.num_columns(); ++column)
    coefficients[column] /= taylor::factorial(by_derivatives.place_of_column(column).order);
  by_derivatives.linearise({0.4, example.parameters, derivatives});
  by_coefficients.linearise({0.4, example.parameters, coefficients});
  const Matrix d = dense(by_derivatives.jacobian(), by_derivatives.num_columns()),
               c = dense(by_coefficients.jacobian(), by_coefficients.num_columns());
  for (int row = 0; row < by_derivatives.num_rows(); ++row) {
    const double k_factorial = taylor::factorial(by_derivatives.rows()[row].order);
    EXPECT_NEAR(by_coefficients.values()[row] * k_factorial, by_derivatives.values()[row],
                1e-13 * (1 + std::abs(by_derivatives.values()[row])));
    for (int column = 0; column < by_derivatives.num_columns(); ++column) {
      const double m_factorial = taylor::factorial(by_derivatives.place_of_column(column).order);
      EXPECT_NEAR(c[row][column] * k_factorial / m_factorial, d[row][column],
                  1e-13 * (1 + std::abs(d[row][column])));
    }
  }
}

TEST(DerivativeArray, evaluated_alone_is_the_same_as_with_its_jacobian) {
  Example example;
  DerivativeArray array = example.array({3, 3, 3});
  const std::vector<double> values = some_values(array);
  array.evaluate({0.4, example.parameters, values});
  const std::vector<double> alone(array.values().begin(), array.values().end());
  array.linearise({0.4, example.parameters, values});
  EXPECT_EQ(alone, std::vector<double>(array.values().begin(), array.values().end()));
  EXPECT_LT(array.num_operations(false), array.num_operations(true));
}

TEST(DerivativeArray, follows_parameters_that_change_between_evaluations) {
  Example example;
  DerivativeArray array = example.array({1, 1, 1});
  expect_direct_values(example, array);
  example.parameters[0] = -2.5;
  expect_direct_values(example, array);
}

TEST(DerivativeArray, names_operations_that_are_not_defined) {
  Example example;
  DerivativeArray array = example.array({1, 1, 1});
  EXPECT_TRUE(array.undefined_operations().empty());
  std::vector<double> values = some_values(array);
  values[array.column(0, 1)] = 0.0;  // p/x'
  array.evaluate({0.4, example.parameters, values});
  ASSERT_EQ(array.undefined_operations().size(), 1U);
  EXPECT_EQ(example.graph.op(array.undefined_operations()[0]), Op::quotient);
  values[array.column(0, 1)] = 1.0;
  array.evaluate({0.4, example.parameters, values});
  EXPECT_TRUE(array.undefined_operations().empty());
}

TEST(DerivativeArray, allocates_nothing_when_evaluated) {
  Example example;
  DerivativeArray array = example.array({4, 4, 4});
  const std::vector<double> values = some_values(array);
  const ArrayPoint point{0.4, example.parameters, values};
  const long before = test::num_allocations();
  array.linearise(point);
  array.evaluate(point);
  example.parameters[0] = 2.0;
  array.linearise(point);
  EXPECT_EQ(test::num_allocations(), before);
}

}  // namespace
}  // namespace daedal::reduce

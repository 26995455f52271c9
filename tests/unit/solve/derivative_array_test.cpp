// The public class: names, options, orders of columns, errors.
#include "daedal/derivative_array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/array_analysis.hpp"
#include "daedal/error.hpp"

namespace daedal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model pendulum() {
  Model model("Pendulum");
  auto g = model.parameter("g", 9.81);
  auto x = model.variable("x"), y = model.variable("y"), lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == 100);
  return model;
}

// Element (row, column) of a sparse matrix.
double at(const SparseMatrix& matrix, int row, int column) {
  for (int k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; ++k)
    if (matrix.columns[k] == column) return matrix.values[k];
  return 0.0;
}

TEST(DerivativeArray, names_rows_and_columns_as_the_user_does) {
  const DerivativeArray array(pendulum(), {.differentiations_by_equation = {0, 0, 2}});
  EXPECT_THAT(array.row_names(),
              ElementsAre("equation 1", "equation 2", "length", "d/dt length", "d^2/dt^2 length"));
  EXPECT_THAT(array.column_names(),
              ElementsAre("x", "y", "lambda", "der(x)", "der(y)", "der(lambda)", "der(x, 2)",
                          "der(y, 2)", "der(lambda, 2)", "der(x, 3)", "der(y, 3)", "der(lambda, 3)",
                          "der(x, 4)", "der(y, 4)", "der(lambda, 4)"));
  EXPECT_EQ(array.column("y", 2), 7);
  EXPECT_EQ(array.rows()[4].index, 2);
  EXPECT_EQ(array.rows()[4].order, 2);
}

TEST(DerivativeArray, gives_the_hidden_constraints_of_the_pendulum) {
  DerivativeArray array(pendulum(), {.differentiations_by_equation = {0, 0, 2}});
  std::vector<double> z(array.num_columns());
  z[array.column("x")] = 6;
  z[array.column("y")] = 8;
  z[array.column("x", 1)] = 4;
  z[array.column("y", 1)] = -3;
  z[array.column("y", 2)] = 2;
  array.linearise(0.0, z);
  EXPECT_THAT(array.values(), ElementsAre(0, 2 - 9.81, 0, 0, 2 * (16 + 9 + 8 * 2)));
  EXPECT_EQ(at(array.jacobian(), 4, array.column("x", 2)), 12);
  EXPECT_EQ(at(array.jacobian(), 4, array.column("x", 1)), 16);
  EXPECT_EQ(at(array.jacobian(), 4, array.column("x")), 0);
}

TEST(DerivativeArray, can_have_the_columns_of_derivatives_first) {
  DerivativeArray ascending(pendulum(), {.differentiations = 1});
  DerivativeArray seed(pendulum(),
                       {.differentiations = 1, .columns = ArrayColumns::derivatives_first});
  EXPECT_EQ(seed.column_names().front(), "der(x)");
  EXPECT_EQ(seed.column_names().back(), "lambda");
  std::vector<double> z(ascending.num_columns()), permuted(z.size());
  for (int c = 0; c < ascending.num_columns(); ++c) {
    const ArrayPlace place = ascending.columns()[c];
    z[c] = 1.0 + c;
    permuted[seed.column(place.index == 0   ? "x"
                         : place.index == 1 ? "y"
                                            : "lambda",
                         place.order)] = z[c];
  }
  ascending.linearise(0.0, z);
  seed.linearise(0.0, permuted);
  for (int row = 0; row < seed.num_rows(); ++row) {
    EXPECT_EQ(seed.values()[row], ascending.values()[row]);
    for (int c = 0; c < seed.num_columns(); ++c) {
      const ArrayPlace place = seed.columns()[c];
      EXPECT_EQ(at(seed.jacobian(), row, c),
                at(ascending.jacobian(), row, place.order * 3 + place.index));
    }
  }
}

TEST(DerivativeArray, takes_other_parameters) {
  DerivativeArray array(pendulum(), {.differentiations = 0});
  const std::vector<double> z(array.num_columns());
  array.set_parameters({{"g", 1.62}});
  array.evaluate(0.0, z);
  EXPECT_EQ(array.values()[1], -1.62);
}

TEST(DerivativeArray, of_coefficients_divides_by_factorials) {
  DerivativeArray array(pendulum(), {.differentiations_by_equation = {0, 0, 2},
                                     .entries = ArrayEntries::coefficients});
  std::vector<double> z(array.num_columns());
  z[array.column("y")] = 8;
  z[array.column("y", 2)] = 1;  // der(y, 2) = 2
  array.evaluate(0.0, z);
  EXPECT_EQ(array.values()[4], 2 * 8 * 2 / 2.0);
}

TEST(DerivativeArray, names_what_is_not_defined) {
  Model model("Root");
  auto x = model.variable("x");
  model.equation(der(x) == sqrt(x));
  DerivativeArray array(model, {.differentiations = 1});
  array.evaluate(0.0, std::vector<double>{-1.0, 0.0, 0.0});
  EXPECT_THAT(array.undefined_operations(), ElementsAre("sqrt(x)"));
}

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DerivativeArray, says_what_is_wrong_with_its_input) {
  EXPECT_THAT(error_of([] {
                const DerivativeArray array(pendulum(), {.differentiations_by_equation = {1, 2}});
              }),
              HasSubstr("E-ARR-001  2 numbers of differentiations for 3 equations"));
  EXPECT_THAT(error_of([] { const DerivativeArray array(pendulum(), {.differentiations = -1}); }),
              HasSubstr("E-ARR-001  equation 1 cannot be differentiated -1 times"));
  DerivativeArray array(pendulum(), {.differentiations = 1});
  EXPECT_THAT(error_of([&] {
                array.evaluate(0.0, std::vector<double>{10, 0, 0});
              }),
              HasSubstr("E-ARR-002  3 values where 12 are needed"));
  EXPECT_THAT(error_of([&] { array.column("lamda"); }), HasSubstr("do     did you mean 'lambda'?"));
  EXPECT_THAT(error_of([&] { array.column("x", 4); }),
              HasSubstr("E-ARR-003  there is no column 'der(x, 4)'"));
}

TEST(ArrayEvaluation, at_a_given_point_has_guesses_for_what_is_not_given) {
  Model model = pendulum();
  model.set_start("y", 8);
  const ArrayEvaluation at = evaluate_array(
      model, {.differentiations = 2}, {{"x", 6}, {"der(x)", 4}, {"der(y)", -3}, {"der(y,2)", 2}});
  ASSERT_TRUE(at.ok());
  EXPECT_TRUE(at.is_point_given);
  EXPECT_THAT(at.point, ElementsAre(6, 8, 0, 4, -3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(at.G[2], 0);                     // length
  EXPECT_EQ(at.G[5], 2 * (6 * 4 - 8 * 3));   // d/dt length
  EXPECT_EQ(at.G[8], 2 * (16 + 9 + 8 * 2));  // d^2/dt^2 length
  EXPECT_EQ(at.G[1], 2 - 9.81);              // der(y, 2) + y*lambda - g
  EXPECT_EQ(model.num_variables(), 3);
  EXPECT_EQ(evaluate_array(model, {}, {}).point[0], 0.0);  // the model is as it was
}

TEST(ArrayEvaluation, takes_derivatives_where_entries_are_coefficients) {
  const ArrayEvaluation at =
      evaluate_array(pendulum(), {.entries = ArrayEntries::coefficients}, {{"der(x, 2)", 3}});
  EXPECT_EQ(at.point[6], 1.5);
  EXPECT_EQ(at.G[0], 3);
}

TEST(ArrayEvaluation, has_the_equations_that_hold_at_the_given_point) {
  Model model("Tank");
  const auto h = model.variable("h", {.start = {1.0}});
  model.equation("outflow", der(h) == if_else(h > 0.5, -2 * h, -7 * h));
  for (const double value : {0.75, 0.25}) {
    const ArrayEvaluation at = evaluate_array(model, {.differentiations = 0}, {{"h", value}});
    EXPECT_EQ(at.G[0], value > 0.5 ? 2 * value : 7 * value);
  }
}

TEST(ArrayEvaluation, names_a_column_that_is_not_there_and_an_operation_that_is_not_defined) {
  const auto id_of = [](const ArrayPointValues& point) -> std::string {
    try {
      const ArrayEvaluation at = evaluate_array(pendulum(), {}, point);
      return at.problems.empty() ? "" : at.problems[0].id;
    } catch (const Error& error) {
      EXPECT_THAT(error.problems()[0].todo, HasSubstr("did you mean"));
      return error.problems()[0].id;
    }
  };
  EXPECT_EQ(id_of({{"lamda", 1}}), "E-ARR-003");
  EXPECT_EQ(id_of({{"der(lambda, 9)", 1}}), "E-ARR-003");
  EXPECT_EQ(id_of({{"x", 1}}), "");
  Model model("Growth");
  const auto x = model.variable("x", {.start = {1.0}});
  model.equation(der(x) == log(x));
  const ArrayEvaluation at = evaluate_array(model, {}, {{"x", -1}});
  EXPECT_EQ(at.status, Status::left_domain);
  ASSERT_EQ(at.problems.size(), 1U);
  EXPECT_EQ(at.problems[0].id, "S-ARR-003");
  EXPECT_THAT(at.problems[0].why, HasSubstr("log(x)"));
  EXPECT_TRUE(std::isnan(at.G[0]));
  EXPECT_EQ(at.J.values[0], 1);  // -1/x, defined there
}

}  // namespace
}  // namespace daedal

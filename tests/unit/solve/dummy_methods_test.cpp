// The methods dd-erk and dd-ida, through solve().
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

constexpr double g = 9.81;

// Goes round if omega is large enough.
Model pendulum(double omega) {
  Model model("Pendulum");
  const auto x = model.variable("x", {.start = {0, omega}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {-1, 0}}), lambda = model.variable("lambda");
  model.equation(der(x, 2) == -lambda * x);
  model.equation(der(y, 2) == -lambda * y - g);
  model.equation(sqr(x) + sqr(y) == 1);
  return model;
}

double largest_difference(const Solution& a, const Solution& b) {
  double largest = 0.0;
  for (std::size_t j = 0; j < a.final().size(); ++j)
    largest =
        std::max(largest, std::abs(a.final()[j] - b.final()[j]) / (1 + std::abs(b.final()[j])));
  return largest;
}

class DummyMethod : public testing::TestWithParam<const char*> {
 protected:
  Solution run(const Model& model, SolveOptions options) const {
    options.method = GetParam();
    return solve(model, options);
  }
};

TEST_P(DummyMethod, turns_with_four_switches_a_turn) {
  const Model model = pendulum(8.0);
  const Solution exact = solve(model, {.to = 5.0, .tolerance = 1e-13});
  const Solution found = run(model, {.to = 5.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  EXPECT_LE(largest_difference(found, exact), 1e-6);
  double turns = 0.0;  // of the exact solution
  for (double t = 0.001; t <= 5.0; t += 0.001)
    turns += (exact("x", t) * exact("y", t - 0.001) - exact("y", t) * exact("x", t - 0.001)) /
             (2 * M_PI);
  EXPECT_NEAR(static_cast<double>(found.statistics().switches), 4 * std::abs(turns), 1.0);
  std::set<std::vector<std::string>> met;
  double time = 0.0;
  for (const StateVector& vector : found.state_vectors()) {
    met.insert(vector.items);
    time += vector.time;
  }
  EXPECT_EQ(met, (std::set<std::vector<std::string>>{{"x", "der(x)"}, {"y", "der(y)"}}));
  EXPECT_NEAR(time, 5.0, 1e-9);
}

TEST_P(DummyMethod, keeps_constraints_at_every_step) {
  const Model model = pendulum(3.0);
  const Solution found = run(model, {.to = 10.0, .tolerance = 1e-6});
  ASSERT_TRUE(found.ok());
  for (const double t : found.step_times())
    EXPECT_NEAR(std::hypot(found("x", t), found("y", t)), 1.0, 1e-6) << t;
}

TEST_P(DummyMethod, goes_back_in_time) {
  const Model model = pendulum(3.0);
  const Solution exact = solve(model, {.to = -2.0, .tolerance = 1e-12});
  const Solution found = run(model, {.to = -2.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  EXPECT_LE(largest_difference(found, exact), 1e-6);
}

// Values between steps, of an unknown that is no state and varies faster than it: 0 = y - sin(20
// t).
TEST_P(DummyMethod, is_accurate_between_steps_also_where_nothing_is_integrated) {
  Model model("Forced");
  const auto x = model.variable("x", {.start = {1}, .fixed = {true}}), y = model.variable("y");
  model.equation(der(x) == -x);
  model.equation(y == sin(20 * model.time()));
  const Solution found = run(model, {.to = 3.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  for (double t = 0.0; t <= 3.0; t += 0.01) {
    EXPECT_NEAR(found("y", t), std::sin(20 * t), 1e-6) << t;
    EXPECT_NEAR(found("x", t), std::exp(-t), 1e-6) << t;
  }
}

TEST_P(DummyMethod, needs_no_degree_of_freedom) {
  Model model("Differentiation");
  const auto x = model.variable("x"), y = model.variable("y");
  model.equation(x == sin(model.time()));
  model.equation(y == der(x));
  const Solution found = run(model, {.to = 4.0, .tolerance = 1e-8, .at = {1.3, 2.9}});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found.final()[1], std::cos(4.0), 1e-8);
  for (const Sample& sample : found.at()) EXPECT_NEAR(sample.values[1], std::cos(sample.t), 1e-7);
  EXPECT_TRUE(found.state_vectors().at(0).items.empty());
}

// y' = t^k is a quadrature, of which the method of order 8 makes no error estimate by itself.
TEST_P(DummyMethod, is_accurate_on_quadratures) {
  Model model("Quadrature");
  const auto y = model.variable("y", {.start = {0}, .fixed = {true}});
  model.equation(der(y) == 1 / (1 + 25 * sqr(model.time())));
  const Solution found = run(model, {.from = -1.0, .to = 1.0, .tolerance = 1e-9});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found.final()[0], 2 * std::atan(5.0) / 5, 1e-8);
}

TEST_P(DummyMethod, ends_where_the_solution_does) {
  Model model("Pole");
  const auto x = model.variable("x", {.start = {1}, .fixed = {true}});
  model.equation(der(x) == sqr(x));
  const Solution found = run(model, {.to = 2.0, .tolerance = 1e-8});
  EXPECT_FALSE(found.ok());
  EXPECT_NEAR(found.t(), 1.0, 1e-3);
  ASSERT_EQ(found.problems().size(), 1u);
}

TEST_P(DummyMethod, stops_when_told_to) {
  const Model model = pendulum(3.0);
  EXPECT_EQ(run(model, {.to = 10.0, .max_steps = 5}).status(), Status::too_many_steps);
  SolveOptions options{.to = 10.0};
  options.on_step = [](const Progress& progress) { return progress.t < 1.0; };
  const Solution found = run(model, options);
  EXPECT_EQ(found.status(), Status::interrupted);
  EXPECT_GE(found.t(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Classical, DummyMethod, testing::Values("dd-erk", "dd-ida"),
                         [](const auto& parameter) {
                           return std::string(parameter.param) == "dd-erk" ? "erk" : "ida";
                         });

// What all methods that know the ends of their steps have in common.
class StepMethod : public DummyMethod {};

// w is a polynomial of degree 5: steps of order 5 are exact, and long.
TEST_P(StepMethod, has_polynomials_as_accurate_as_its_steps) {
  Model model("Powers");
  const auto x = model.variable("x", {.start = {0}, .fixed = {true}}), w = model.variable("w");
  model.equation(der(x) == 1);
  model.equation(w == pow(x, 5));
  const Solution found = run(model, {.to = 5.0, .tolerance = 1e-8, .at = {0.77, 1.333, 2.5, 4.1}});
  ASSERT_TRUE(found.ok());
  for (const Sample& sample : found.at())
    EXPECT_NEAR(sample.values[1], std::pow(sample.t, 5), 1e-5 * (1 + std::pow(sample.t, 5)));
}

// Both ends and the middle of a step of length 2 look alike.
TEST_P(StepMethod, is_not_fooled_by_symmetry) {
  Model model("Waves");
  const auto x = model.variable("x", {.start = {0}, .fixed = {true}}), y = model.variable("y");
  model.equation(der(x) == cos(2 * M_PI * model.time()));
  model.equation(y == sin(2 * M_PI * model.time()));
  const Solution found = run(model, {.to = 4.0, .tolerance = 1e-7, .at = {0.3, 1.3, 2.7}});
  ASSERT_TRUE(found.ok());
  for (const Sample& sample : found.at()) {
    EXPECT_NEAR(sample.values[0], std::sin(2 * M_PI * sample.t) / (2 * M_PI), 1e-4);
    EXPECT_NEAR(sample.values[1], std::sin(2 * M_PI * sample.t), 1e-4);
  }
}

TEST_P(StepMethod, follows_discrete_variables) {
  const Model model = parse_model(R"(
model Growth
  Real x(start = 1, fixed = true);
  discrete Real k(start = 1);
equation
  der(x) = -k*x;
  turn: when time >= 0.5 then
    k = -3;
  end when;
end Growth;
)");
  const Solution found = run(model, {.to = 1.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found.final()[0], std::exp(1.0), 1e-6);
}

TEST_P(StepMethod, has_derivatives_of_any_order_at_the_start) {
  Model model("Power");
  const auto x = model.variable("x", {.start = {0, 0, 0, 0, 0, 0, 0, 0, 0, 362880}});
  model.equation(der(x, 10) == 0);
  const Solution found = run(model, {.to = 2.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found.final()[0], 512.0, 1e-3);
}

// An event in the middle of a step: all derivatives that make up the state are known there.
TEST_P(StepMethod, goes_on_from_an_event_with_derivatives_of_high_order) {
  const Model model = parse_model(R"(
model Exponential
  Real x(start = {1, 1, 1, 1, 1, 1}, fixed = {true, true, true, true, true, true});
  discrete Real n(start = 0);
equation
  der(x, 6) = x;
  a: when x > 2 then
    n = pre(n) + 1;
  end when;
  b: when x > 3.3 then
    n = pre(n) + 1;
  end when;
end Exponential;
)");
  const Solution found = run(model, {.to = 2.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.events().size(), 2u);
  EXPECT_NEAR(found.events()[0].t, std::log(2.0), 1e-7);
  EXPECT_NEAR(found.final()[0], std::exp(2.0), 1e-6);
}

TEST_P(StepMethod, ends_at_an_event_at_the_end) {
  const Model model = parse_model(R"(
model End
  Real x(start = 0, fixed = true);
  Real w;
  discrete Real n(start = 0);
equation
  der(x) = 1;
  w = n + x;
  e: when x >= 2 then
    n = pre(n) + 1;
  end when;
end End;
)");
  const Solution found = run(model, {.to = 2.0});
  EXPECT_TRUE(found.ok());
  EXPECT_EQ(found.t(), 2.0);
}

// The derivatives drop out of twice the first equation less the second: a converted model is
// solved, and the equations as written are checked.
TEST_P(StepMethod, checks_the_equations_of_a_converted_model) {
  Model model("Converted");
  const auto x = model.variable("x", {.start = {1}}), y = model.variable("y", {.start = {0}});
  model.equation(der(x) + der(y) == -x);
  model.equation(2 * der(x) + 2 * der(y) + y == cos(model.time()) - 2 * x);  // so y = cos t
  const Solution found = run(model, {.to = 1.0, .tolerance = 1e-8});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.converted());
  EXPECT_NEAR(found.final()[1], std::cos(1.0), 1e-7);
  EXPECT_GT(found.statistics().original_residual, 0.0);
  EXPECT_LT(found.statistics().original_residual, 1e-5);
}

// At tolerances that a method cannot meet it says so.
TEST_P(StepMethod, refuses_tolerances_below_rounding) {
  EXPECT_EQ(run(pendulum(1.0), {.to = 1.0, .tolerance = 1e-15}).status(),
            Status::tolerance_below_rounding);
}

INSTANTIATE_TEST_SUITE_P(Classical, StepMethod, testing::Values("dd-erk", "dd-ida", "bdf"),
                         [](const auto& parameter) {
                           const std::string name = parameter.param;
                           return name == "bdf" ? name : name.substr(3);
                         });

TEST(DummyMethod, has_the_order_asked_for) {
  for (const int order : {2, 3, 4, 5, 6, 8}) {
    const Solution found =
        solve(pendulum(2.0), {.to = 1.0, .tolerance = 1e-5, .order = order, .method = "dd-erk"});
    EXPECT_TRUE(found.ok());
    EXPECT_EQ(found.order(), order);
  }
  EXPECT_THROW(solve(pendulum(2.0), {.order = 7, .method = "dd-erk"}), Error);
  EXPECT_THROW(solve(pendulum(2.0), {.order = 6, .method = "dd-ida"}), Error);
}

TEST(MethodOptions, of_bdf_are_refused_elsewhere) {
  const auto id_of = [](const SolveOptions& options) {
    try {
      solve(pendulum(2.0), options);
    } catch (const Error& error) {
      return error.problems().at(0).id;
    }
    return std::string();
  };
  EXPECT_EQ(id_of({.method = "taylor", .bdf = {.index = 2}}), "E-OPT-006");
  EXPECT_EQ(id_of({.method = "dd-erk", .bdf = {.fixed_step = 0.1}}), "E-OPT-006");
  EXPECT_EQ(id_of({.method = "bdf", .bdf = {.start_up = "none"}}), "E-OPT-006");
  EXPECT_EQ(id_of({.method = "bdf", .bdf = {.index = 4}}), "E-OPT-001");
}

}  // namespace
}  // namespace daedal

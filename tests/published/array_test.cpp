// Derivative arrays: numerical index, projectors, consistent points and runs in print
// [EstevezLamour2019], [CampbellHollenbeck1996], each against a closed form or a computation
// outside this library.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "daedal/analysis.hpp"
#include "daedal/array_analysis.hpp"
#include "published/digits.hpp"

namespace daedal::test {
namespace {

using testing::SizeIs;

std::size_t position(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("no variable is called " + name);
  return static_cast<std::size_t>(found - names.begin());
}

double value(const ArrayAnalysis& a, const std::string& name, std::size_t order = 0) {
  return a.values.at(position(a.variables, name)).at(order);
}
double value(const ConsistentPoint& p, const std::string& name, std::size_t order = 0) {
  return p.values.at(position(p.variables, name)).at(order);
}

void expect_matrix(const MatrixRows& found, const MatrixRows& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t j = 0; j < wanted[i].size(); ++j)
      EXPECT_NEAR(found[i][j], wanted[i][j], tolerance) << i << "," << j;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pendulum, section 8.1

// The model of problems/pendulum_first_order with other starts.
struct PendulumStart {
  double x = 0.5, y = 0.5;
  bool fix_x = false, fix_y = false, fix_vx = false;
};
Model pendulum_from(const PendulumStart& start) {
  Model model("DAEPendulum");
  const auto x = model.variable("x", {.start = {start.x}, .fixed = {start.fix_x}});
  const auto y = model.variable("y", {.start = {start.y}, .fixed = {start.fix_y}});
  const auto vx = model.variable("vx", {.start = {0}, .fixed = {start.fix_vx}});
  const auto vy = model.variable("vy", {.start = {0}});
  const auto lambda = model.variable("lambda", {.start = {0}});
  model.equation(der(x) == vx);
  model.equation(der(y) == vy);
  model.equation(der(vx) == 2 * lambda * x);
  model.equation(der(vy) == 2 * lambda * y - 1);
  model.equation(sqr(x) + sqr(y) == 1);
  return model;
}

const MatrixRows printed_Pi = {{0.5, -0.5, 0, 0, 0},
                               {-0.5, 0.5, 0, 0, 0},
                               {0, 0, 0.5, -0.5, 0},
                               {0, 0, -0.5, 0.5, 0},
                               {0, 0, 0, 0, 0}};

TEST(EstevezLamour2019, pendulum_has_index_3_two_freedoms_and_the_printed_Pi) {
  const ArrayAnalysis a = analyze_array(problems::pendulum_first_order());
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.index, 3);
  EXPECT_EQ(a.dof, 2);
  EXPECT_TRUE(a.full_row_rank);
  expect_matrix(a.Pi, printed_Pi, 1e-12);
  EXPECT_NEAR(value(a, "x"), std::numbers::sqrt2 / 2, 1e-14);
  EXPECT_NEAR(value(a, "y"), std::numbers::sqrt2 / 2, 1e-14);
}

TEST(EstevezLamour2019, pendulum_starts_where_Pi_x_is_Pi_alpha) {
  const ArrayAnalysis a = analyze_array(problems::pendulum_first_order());
  const double alpha[] = {0.5, 0.5, 0, 0, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 5; ++j) sum += a.Pi[i][j] * (a.values[j][0] - alpha[j]);
    EXPECT_NEAR(sum, 0.0, 1e-12) << i;
  }
}

TEST(EstevezLamour2019, pendulum_with_a_position_fixed_lacks_the_first_block_of_Pi_u) {
  const PendulumStart fixed[] = {{.fix_x = true}, {.fix_y = true}};
  for (const PendulumStart& start : fixed) {
    const ArrayAnalysis a = analyze_array(pendulum_from(start));
    ASSERT_TRUE(a.ok());
    EXPECT_NEAR(value(a, start.fix_x ? "x" : "y"), 0.5, 1e-15);
    EXPECT_NEAR(value(a, start.fix_x ? "y" : "x"), std::sqrt(3.0) / 2, 1e-14);
    EXPECT_EQ(a.rank_Pi_u, 1);
    // The tangent of the circle, by hand: the velocity's block is its projector.
    const double tx = -value(a, "y"), ty = value(a, "x");
    MatrixRows wanted(5, std::vector<double>(5, 0.0));
    wanted[2][2] = tx * tx;
    wanted[2][3] = wanted[3][2] = tx * ty;
    wanted[3][3] = ty * ty;
    expect_matrix(a.Pi_u, wanted, 1e-12);
  }
}

TEST(EstevezLamour2019, pendulum_with_a_velocity_fixed_lacks_the_second_block_of_Pi_u) {
  const ArrayAnalysis a = analyze_array(pendulum_from({.fix_vx = true}));
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.rank_Pi_u, 1);
  MatrixRows wanted = printed_Pi;
  for (const std::size_t i : {2, 3}) wanted[i].assign(5, 0.0);
  expect_matrix(a.Pi_u, wanted, 1e-12);
}

TEST(EstevezLamour2019, pendulum_with_both_positions_fixed_is_refused) {
  const Model model = pendulum_from({.x = 0.6, .y = 0.8, .fix_x = true, .fix_y = true});
  const ArrayAnalysis a = analyze_array(model);
  EXPECT_FALSE(a.ok());
  ASSERT_THAT(a.problems, SizeIs(1));
  EXPECT_EQ(a.problems[0].id, "S-ARR-002");
  EXPECT_THAT(a.inadmissible, SizeIs(1));
  const ConsistentPoint point = initialize(model, {.method = "array"});
  EXPECT_FALSE(point.ok());
  ASSERT_THAT(point.problems, SizeIs(1));
  EXPECT_EQ(point.problems[0].id, "S-ARR-002");
}

// "the condition number has its maximal value when the pendulum has its maximal horizontal speed,
// i.e., x1 = 0"
TEST(EstevezLamour2019, pendulum_has_its_largest_condition_number_where_x_is_0) {
  const Solution s = solve(problems::pendulum_first_order(), {.to = 12.0, .method = "array"});
  ASSERT_EQ(s.status(), Status::ok);
  ASSERT_GE(s.indicators().size(), 10u);
  const auto largest =
      std::max_element(s.indicators().begin(), s.indicators().end(),
                       [](const auto& a, const auto& b) { return a.condition < b.condition; });
  // Of all samples it is the one nearest to x = 0.
  double nearest = 1.0;
  for (const Indicator& i : s.indicators()) nearest = std::min(nearest, std::abs(s("x", i.t)));
  EXPECT_NEAR(std::abs(s("x", largest->t)), nearest, 1e-9);
  EXPECT_THAT(s.singularities(), SizeIs(0));
  // The model's tolerance is 1e-6; measured: 7.9 digits.
  EXPECT_GE(final_digits(problems::pendulum_first_order(), s,
                         variant("pendulum_first_order").facts.at("references").at(0)),
            6);
}

// ---------------------------------------------------------------------------------------------------------------------
// Car axis, section 8.2

Model car_axis_from_minus_5(bool fix_positions) {
  Model model("CarAxis");
  const std::vector<bool> fixed = {fix_positions, false};
  const auto xl = model.variable("xl", {.start = {0, -5}});
  const auto yl = model.variable("yl", {.start = {0.5, 0}, .fixed = fixed});
  const auto xr = model.variable("xr", {.start = {1, -5}});
  const auto yr = model.variable("yr", {.start = {0.5, 0}, .fixed = fixed});
  const auto lam1 = model.variable("lam1", {.start = {0}});
  const auto lam2 = model.variable("lam2", {.start = {0}});
  const double k = 10 * 0.01 * 0.01 / 2;
  const auto yb = 0.1 * sin(10 * model.time());
  const auto xb = sqrt(1 - sqr(yb));
  const auto left = 0.5 / sqrt(sqr(xl) + sqr(yl)) - 1;
  const auto right = 0.5 / sqrt(sqr(xr - xb) + sqr(yr - yb)) - 1;
  model.equation(k * der(xl, 2) == left * xl + lam1 * xb + 2 * lam2 * (xl - xr));
  model.equation(k * der(yl, 2) == left * yl + lam1 * yb + 2 * lam2 * (yl - yr) - k);
  model.equation(k * der(xr, 2) == right * (xr - xb) - 2 * lam2 * (xl - xr));
  model.equation(k * der(yr, 2) == right * (yr - yb) - 2 * lam2 * (yl - yr) - k);
  model.equation(xb * xl + yb * yl == 0);
  model.equation(sqr(xl - xr) + sqr(yl - yr) == 1);
  return model;
}

TEST(EstevezLamour2019, car_axis_has_index_3_and_4_freedoms) {
  const ArrayAnalysis a = analyze_array(problems::car_axis());
  EXPECT_EQ(a.index, 3);
  EXPECT_EQ(a.dof, 4);
}

// The minimum was computed outside this library: with xl = 0, xl' = -yl, xr = cos a, yr = yl - sin
// a the velocities that are nearest follow by hand, and what remains is
//   (yl - 1/2)^2 + (cos a - 1)^2 + (yl - sin a - 1/2)^2 + (5 - yl)^2 (1 + 1/(1 + 2 tan^2 a)),
// least over a grid of (a, yl), then by Newton's method with 30 digits (mpmath). Array and
// structure share their search, so that they agree says less.
TEST(EstevezLamour2019, car_axis_from_velocities_minus_5_moves_to_the_joint_minimum) {
  for (const std::string method : {"array", "structure"}) {
    const ConsistentPoint p = initialize(car_axis_from_minus_5(false), {.method = method});
    ASSERT_TRUE(p.ok()) << method;
    EXPECT_NEAR(p.distance * p.distance, 11.98339413235355938, 1e-9) << method;
    EXPECT_NEAR(value(p, "xl"), 0.0, 1e-9);
    EXPECT_NEAR(value(p, "yl"), 2.3425851717391458867, 1e-9) << method;
    EXPECT_NEAR(value(p, "xr"), 0.18105658979714775204, 1e-9) << method;
    EXPECT_NEAR(value(p, "yr"), 1.359112492255354953, 1e-9) << method;
    EXPECT_NEAR(value(p, "xl", 1), -2.3425851717391458867, 1e-9) << method;
    EXPECT_NEAR(value(p, "yl", 1), 0.24053782943169177281, 1e-9) << method;
    EXPECT_NEAR(value(p, "xr", 1), -4.9557171642663532736, 1e-9) << method;
    EXPECT_NEAR(value(p, "yr", 1), -0.24053782943169177281, 1e-9) << method;
  }
}

// xr cannot be fixed beside yl: the axle is horizontal, so xr = 1 is determined to first order.
TEST(EstevezLamour2019, car_axis_with_positions_fixed_gets_the_published_velocities) {
  for (const std::string method : {"array", "structure"}) {
    const ConsistentPoint p = initialize(car_axis_from_minus_5(true), {.method = method});
    ASSERT_TRUE(p.ok()) << method;
    EXPECT_NEAR(value(p, "xl", 1), -0.5, 1e-12) << method;
    EXPECT_NEAR(value(p, "yl", 1), 0.0, 1e-12) << method;
    EXPECT_NEAR(value(p, "xr", 1), -0.5, 1e-12) << method;
    EXPECT_NEAR(value(p, "yr", 1), 0.0, 1e-12) << method;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Robot arm, section 8.3

TEST(CampbellHollenbeck1996, robot_arm_has_numerical_index_5_and_the_exact_start) {
  const ArrayAnalysis a = analyze_array(problems::robot_arm());
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.index, 5);
  EXPECT_EQ(a.dof, 0);
  const Json& exact = variant("robot_arm").facts.at("start").at("values");
  for (const std::string& name : a.variables)
    EXPECT_NEAR(value(a, name), number(exact.at(name)), 1e-10) << name;
}

TEST(CampbellHollenbeck1996, robot_arm_with_the_printed_sign_has_index_3_and_2_freedoms) {
  Model model = problems::robot_arm();
  model.set_parameter("sign", 1);
  const ArrayAnalysis a = analyze_array(model);
  EXPECT_EQ(a.index, 3);
  EXPECT_EQ(a.dof, 2);
}

TEST(CampbellHollenbeck1996, robot_arm_by_array_at_t_1_43_has_angles_to_1e_10_and_torques_to_1e_7) {
  const Json& exact = variant("robot_arm").facts.at("references").at(1).at("values");
  const Solution s = solve(problems::robot_arm(), {.to = 1.43, .method = "array"});
  ASSERT_EQ(s.status(), Status::ok);
  EXPECT_EQ(s.method(), "array");
  for (const std::string name : {"x1", "x3", "x2", "u1", "u2"})
    EXPECT_NEAR(s.final()[position(s.variables(), name)], number(exact.at(name)),
                name == "x1" || name == "x3" ? 1e-10 : 1e-7)
        << name;
}

TEST(CampbellHollenbeck1996, robot_arm_by_array_reports_the_singular_point_and_agrees_behind_it) {
  const Solution array = solve(problems::robot_arm(), {.to = 2.0, .method = "array"});
  ASSERT_EQ(array.status(), Status::ok);
  ASSERT_THAT(array.singularities(), SizeIs(1));
  double root = 1.5446;  // of e^t - t = pi
  for (int k = 0; k < 5; ++k)
    root -= (std::exp(root) - root - std::numbers::pi) / (std::exp(root) - 1);
  EXPECT_NEAR(array.singularities()[0].t, root, 1e-6);
  EXPECT_NEAR(array.final()[0], 1 - std::exp(2.0), 1e-9);
  EXPECT_NEAR(array.final()[2], std::exp(2.0) - 2, 1e-9);
  const Solution converted = solve(problems::robot_arm(), {.to = 2.0});
  ASSERT_EQ(converted.status(), Status::ok);
  EXPECT_TRUE(converted.converted());
  for (std::size_t j = 0; j < array.final().size(); ++j)
    EXPECT_NEAR(array.final()[j], converted.final()[j], 1e-9 * std::abs(converted.final()[j]))
        << array.variables()[j];
}

// ---------------------------------------------------------------------------------------------------------------------
// Linear systems

// Appendix A.3, example 3: coefficients [0, 1], [2, 0], [0, -2].
TEST(EstevezLamour2019, example_3_of_the_appendix_has_the_series_of_sin_2t_and_cos_2t) {
  const ArrayAnalysis a =
      analyze_array(problems::rotation(), {.t = std::numbers::pi, .derivatives = 2});
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.index, 1);
  EXPECT_EQ(a.dof, 0);
  const double wanted[2][3] = {{0, 2, 0}, {1, 0, -4}};
  for (std::size_t j = 0; j < 2; ++j) {
    ASSERT_GE(a.values[j].size(), 3u);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(a.values[j][m], wanted[j][m], 1e-14);
  }
}

TEST(CampbellHollenbeck1996, example_2_has_index_2_and_the_solution_3) {
  const Model model = problems::campbell_example();
  const ArrayAnalysis a = analyze_array(model);
  EXPECT_EQ(a.index, 2);
  EXPECT_EQ(a.dof, 1);
  for (const std::string method : {"array", "taylor"}) {
    const Solution s = solve(model, {.to = 2.0, .tolerance = 1e-11, .method = method});
    ASSERT_EQ(s.status(), Status::ok) << method;
    for (const double t : {0.0, 0.3, 1.0, 1.7, 2.0}) {
      const double c = s("x3", 0.0) + 1, e = std::exp(t), alpha = 2 + std::sin(t), x3 = c * e - 1;
      EXPECT_NEAR(s("x1", t), 1 + std::cos(t) * x3 + c * alpha * e, 1e-9) << method << " " << t;
      EXPECT_NEAR(s("x2", t), t + alpha * x3, 1e-9) << method << " " << t;
      EXPECT_NEAR(s("x3", t), x3, 1e-9) << method << " " << t;
    }
  }
}

struct KnownIndex {
  std::string problem;
  int index, dof;
};
void PrintTo(const KnownIndex& known, std::ostream* stream) { *stream << known.problem; }
class NumericalIndex : public testing::TestWithParam<KnownIndex> {};

TEST_P(NumericalIndex, is_the_differentiation_index) {
  const ArrayAnalysis a = analyze_array(variant(GetParam().problem).cpp());
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.index, GetParam().index);
  EXPECT_EQ(a.dof, GetParam().dof);
  EXPECT_LE(a.gap, 1e-4);
}

// Indices and freedoms of problems/README.md; of nos. 3 and 5 and the amplifier those of
// conversion_test.
INSTANTIATE_TEST_SUITE_P(Problems, NumericalIndex,
                         testing::Values(KnownIndex{"linear_1", 3, 0}, KnownIndex{"linear_2", 6, 0},
                                         KnownIndex{"linear_3", 4, 2}, KnownIndex{"linear_4", 1, 2},
                                         KnownIndex{"linear_5", 2, 0},
                                         KnownIndex{"transistor_amplifier", 1, 5},
                                         KnownIndex{"shuttle", 3, 4},
                                         KnownIndex{"reactor_separator", 3, 4},
                                         KnownIndex{"tray_column", 2, 18}),
                         [](const auto& test) { return test.param.problem; });

TEST(Reissig2000, no_4_has_index_1_beside_the_structural_3) {
  const Analysis a = analyze(problems::linear_4());
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.numerical_index, 1);
}

TEST(MazziaMagherini2008, transistor_amplifier_by_array_agrees_at_t_0_2_to_8_digits) {
  const Model model = problems::transistor_amplifier();
  const Json& reference = variant("transistor_amplifier").facts.at("references").at(0);
  const Solution s = solve(model, {.to = 0.2, .tolerance = 1e-9, .method = "array"});
  ASSERT_EQ(s.status(), Status::ok);
  EXPECT_GE(final_digits(model, s, reference), 8);
}

// ---------------------------------------------------------------------------------------------------------------------
// Three forms of one DAE, section 4.2: written out, solved for something, with der(t*x1).

enum class Form { linear, standard, proper };
// t x1' + x1 + x2 = 3 t^2 + sin t,  x3' - x2 = 2 t - sin t,  x1 = x3
Model in_form(Form form) {
  Model model("Forms");
  const auto t = model.time();
  const auto x1 = model.variable("x1", {.start = {1}}), x2 = model.variable("x2", {.start = {0}}),
             x3 = model.variable("x3", {.start = {1}});
  const auto q1 = 3 * sqr(t) + sin(t), q2 = 2 * t - sin(t);
  if (form == Form::linear)
    model.equation(t * der(x1) + 1 * x1 + 1 * x2 == q1);
  else if (form == Form::standard)
    model.equation(x2 == q1 - x1 - t * der(x1));
  else
    model.equation(der(t * x1) + x2 == q1);
  if (form == Form::standard)
    model.equation(0 == der(x3) - x2 - q2);
  else
    model.equation(1 * der(x3) - 1 * x2 == q2);
  model.equation(x1 - x3 == 0);
  model.set_experiment({.start_time = 1, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

// The residuals of one of them by hand; then the others beside it.
TEST(EstevezLamour2019, linear_standard_and_proper_forms_are_one_dae) {
  const ArrayAnalysis linear = analyze_array(in_form(Form::linear));
  ASSERT_TRUE(linear.ok());
  EXPECT_EQ(linear.index, 2);  // x1' = x3' gives x2
  EXPECT_EQ(linear.dof, 1);    // (1 + t) x1' + x1 = ...
  const double x1 = value(linear, "x1"), dx1 = value(linear, "x1", 1), x2 = value(linear, "x2");
  EXPECT_NEAR(dx1 + x1 + x2, 3 + std::sin(1.0), 1e-13);
  EXPECT_NEAR(dx1 - x2, 2 - std::sin(1.0), 1e-13);
  EXPECT_NEAR(value(linear, "x3"), x1, 1e-14);
  for (const Form form : {Form::standard, Form::proper}) {
    const ArrayAnalysis other = analyze_array(in_form(form));
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other.index, linear.index);
    EXPECT_EQ(other.dof, linear.dof);
    expect_matrix(other.values, linear.values, 1e-12);
    expect_matrix(other.Pi, linear.Pi, 1e-12);
  }
}

TEST(EstevezLamour2019, the_properly_stated_form_has_the_array_of_the_form_written_out) {
  const ArrayEvaluation written = evaluate_array(in_form(Form::linear), {.differentiations = 3}),
                        proper = evaluate_array(in_form(Form::proper), {.differentiations = 3});
  ASSERT_TRUE(written.ok() && proper.ok());
  ASSERT_EQ(written.columns, proper.columns);
  ASSERT_EQ(written.G.size(), proper.G.size());
  const auto dense = [](const ArrayEvaluation& e) {
    MatrixRows rows(e.G.size(), std::vector<double>(e.columns.size(), 0.0));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (int k = e.J.row_starts[i]; k < e.J.row_starts[i + 1]; ++k)
        rows[i][static_cast<std::size_t>(e.J.columns[k])] = e.J.values[k];
    return rows;
  };
  expect_matrix(dense(proper), dense(written), 1e-13);
  for (std::size_t i = 0; i < written.G.size(); ++i) EXPECT_NEAR(proper.G[i], written.G[i], 1e-9);
}

// ---------------------------------------------------------------------------------------------------------------------

// 598 unknowns. The column fixes as many values as it has freedoms, so the start is unique: no
// distance is minimised here, and gas, composition, flows and equilibrium follow from M, x, T, P by
// hand.
TEST(EstevezLamour2019, dae_of_dimension_598_gets_its_index_and_start) {
  const Model model = problems::tray_column(60);
  const ArrayAnalysis a = analyze_array(model);
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a.index, 2);
  EXPECT_EQ(a.dof, 4 * 60 - 2);
  const double M = 3.8, T = 302, R = 0.08314;
  const double K = 0.8 * std::exp(2500 * (1 / 300.0 - 1 / T));
  const auto pressure = [](int tray) { return tray == 1 ? 1.0 : 1 + 0.08 * (tray - 1); };
  for (int i = 1; i <= 60; ++i) {
    const auto of = [&](const std::string& name) {
      return value(a, name + "[" + std::to_string(i) + "]");
    };
    const double liquid = i < 60 ? M : 5.0, P = pressure(i);
    EXPECT_NEAR(of("K"), K, 1e-9);
    EXPECT_NEAR(of("y"), K * (0.001 + 0.05 * i / 60) / P, 1e-9) << i;
    EXPECT_NEAR(of("G"), P * (5 - 0.05 * liquid) / (R * T), 1e-9) << i;
    if (i < 60) {
      EXPECT_NEAR(of("L"), 0.125 * M * M, 1e-9) << i;
    }
    if (i > 1) {
      EXPECT_NEAR(of("V"), 5 * (P * P - std::pow(pressure(i - 1), 2)), 1e-9) << i;
    }
  }
  const ConsistentPoint structural = initialize(model, {.method = "structure"});
  ASSERT_TRUE(structural.ok());
  for (const std::string& name : structural.variables)
    EXPECT_NEAR(value(a, name), value(structural, name), 1e-7) << name;
}

// The third equation is the sum of the others: docs/errors/S-ARR-001.md.
TEST(ArrayAnalysis, of_a_model_that_nothing_determines_is_a_finding) {
  Model model("Twice");
  const auto x = model.variable("x", {.start = {1}}), y = model.variable("y", {.start = {0}}),
             z = model.variable("z");
  model.equation(der(x) == y + z);
  model.equation(der(y) == -x);
  model.equation(der(x) + der(y) == y + z - x);
  const ArrayAnalysis a = analyze_array(model);
  EXPECT_FALSE(a.ok());
  EXPECT_EQ(a.index, -1);
  ASSERT_THAT(a.problems, SizeIs(1));
  EXPECT_EQ(a.problems[0].id, "S-ARR-001");
}

}  // namespace
}  // namespace daedal::test

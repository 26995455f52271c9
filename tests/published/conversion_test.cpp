// Models on which structural analysis fails: what they are converted to, and their solutions.
#include <gmock/gmock.h>

#include <numbers>

#include "daedal/analysis.hpp"
#include "daedal/ensemble.hpp"
#include "daedal/initialize.hpp"
#include "problems/problems.hpp"
#include "published/digits.hpp"

namespace daedal::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Solution run_to_reference(const std::string& name, double tolerance, int k, const Json*& reference,
                          Model& model) {
  reference = &variant(name).facts.at("references").at(k);
  model = variant(name).cpp();
  return solve(model, {.to = number(reference->at("t")), .tolerance = tolerance});
}

double digits_of_run(const std::string& name, double tolerance, int k = 0) {
  const Json* reference = nullptr;
  Model model("");
  const Solution solution = run_to_reference(name, tolerance, k, reference, model);
  EXPECT_EQ(solution.status(), Status::ok);
  EXPECT_TRUE(solution.converted());
  // Rounding, amplified by the differentiations that the converted model needs.
  EXPECT_LE(solution.statistics().original_residual, 1e-11);
  return final_digits(model, solution, *reference);
}

TEST(MazziaMagherini2008, transistor_amplifier_is_converted_by_three_row_sums_to_index_1) {
  const Analysis a = analyze(problems::transistor_amplifier());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  ASSERT_TRUE(a.conversion && a.conversion->succeeded);
  const Conversion& conversion = *a.conversion;
  ASSERT_THAT(conversion.steps, SizeIs(3));
  EXPECT_THAT(conversion.steps[0].members, ElementsAre("equation 1", "equation 2"));
  EXPECT_THAT(conversion.steps[1].members, ElementsAre("equation 4", "equation 5"));
  EXPECT_THAT(conversion.steps[2].members, ElementsAre("equation 7", "equation 8"));
  for (const ConversionStep& step : conversion.steps) {
    EXPECT_EQ(step.kind, "linear combination");
    EXPECT_THAT(step.factors, ElementsAre("1", "1"));
  }
  EXPECT_THAT(conversion.fixed_parameters, IsEmpty());
  EXPECT_THAT(conversion.c, ElementsAre(1, 0, 0, 1, 0, 0, 1, 0));
  EXPECT_THAT(conversion.d, testing::Each(1));
  EXPECT_EQ(conversion.structural_index, 1);
  EXPECT_EQ(conversion.dof, 5);
}

TEST(MazziaMagherini2008, transistor_amplifier_agrees_at_t_0_2_to_9_digits) {
  EXPECT_GE(digits_of_run("transistor_amplifier", 1e-11), 9);
}

// One conversion serves all members, since no parameter is a number in it.
TEST(MazziaMagherini2008, transistor_amplifiers_of_an_ensemble_are_single_runs) {
  const Model model = problems::transistor_amplifier();
  const std::vector<ParameterValues> members = {{{"Ub", 6.0}}, {{"Ub", 6.5}}};
  const std::vector<Solution> solutions =
      solve_ensemble(model, members, {.to = 0.01, .tolerance = 1e-9});
  ASSERT_THAT(solutions, SizeIs(2));
  for (std::size_t k = 0; k < members.size(); ++k) {
    Model single = problems::transistor_amplifier();
    single.set_parameter("Ub", members[k].at("Ub"));
    const Solution expected = solve(single, {.to = 0.01, .tolerance = 1e-9});
    EXPECT_TRUE(solutions[k].converted());
    EXPECT_EQ(solutions[k].final(), expected.final());
  }
}

TEST(LinearHighIndex, no_3_is_converted_to_the_hidden_constraint_x2_is_sin_t) {
  const Analysis a = analyze(problems::linear_3());
  ASSERT_TRUE(a.conversion && a.conversion->succeeded);
  ASSERT_THAT(a.conversion->steps, SizeIs(1));
  EXPECT_THAT(a.conversion->steps[0].new_equations, ElementsAre("x2 - sin(time) = 0"));
  EXPECT_THAT(a.conversion->c, ElementsAre(2, 1, 0, 0, 0, 0));
  EXPECT_EQ(a.conversion->structural_index, 3);
  EXPECT_EQ(a.conversion->dof, 2);
}

TEST(LinearHighIndex, nos_3_and_5_are_solved_to_1e_11) {
  EXPECT_GE(digits_of_run("linear_3", 1e-12), 11);
  EXPECT_GE(digits_of_run("linear_5", 1e-12), 11);
}

TEST(CampbellHollenbeck1996,
     robot_arm_is_converted_by_one_substitution_to_index_5_without_freedom) {
  const Analysis a = analyze(problems::robot_arm());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  ASSERT_TRUE(a.conversion && a.conversion->succeeded);
  const Conversion& conversion = *a.conversion;
  EXPECT_THAT(conversion.fixed_parameters, ElementsAre("sign = -1"));
  ASSERT_THAT(conversion.steps, SizeIs(1));
  EXPECT_EQ(conversion.steps[0].kind, "expression substitution");
  EXPECT_THAT(conversion.steps[0].members, ElementsAre("u1", "u2"));
  EXPECT_THAT(conversion.steps[0].replaced, ElementsAre("equation 4", "equation 6"));
  EXPECT_EQ(conversion.steps[0].new_equations.back(), "y1 = u1 - u2");
  EXPECT_EQ(conversion.structural_index, 5);
  EXPECT_EQ(conversion.dof, 0);
}

TEST(CampbellHollenbeck1996, robot_arm_starts_at_the_exact_point) {
  const Json& start = variant("robot_arm").facts.at("start");
  const ConsistentPoint point = initialize(problems::robot_arm());
  ASSERT_EQ(point.status, Status::ok);
  EXPECT_EQ(point.index, 5);
  EXPECT_EQ(point.index_kind, "structural");
  ASSERT_THAT(point.variables, SizeIs(8));  // the user's
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    EXPECT_NEAR(point.values[j][0], number(start.at("values").at(point.variables[j])), 1e-10)
        << point.variables[j];
}

TEST(CampbellHollenbeck1996, robot_arm_at_t_1_43_has_angles_to_1e_10_and_torques_to_1e_7) {
  const Json& exact = variant("robot_arm").facts.at("references").at(1);
  const Solution s = solve(problems::robot_arm(), {.to = 1.43});
  ASSERT_EQ(s.status(), Status::ok);
  EXPECT_TRUE(s.converted());
  ASSERT_THAT(s.variables(), SizeIs(8));
  const auto error = [&](std::size_t j) {
    return std::abs(s.final()[j] - number(exact.at("values").at(s.variables()[j])));
  };
  EXPECT_LE(error(0), 1e-10);
  EXPECT_LE(error(2), 1e-10);
  for (const std::size_t j : {1, 6, 7}) EXPECT_LE(error(j), 1e-7) << s.variables()[j];
}

// sin x3 = 0 at x3 = e^t - t = pi.
class RobotArmPassage : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(, RobotArmPassage,
                         testing::Values(1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12));

TEST_P(RobotArmPassage, reports_the_singular_point_at_t_1_5446_and_goes_on) {
  const Solution s =
      solve(problems::robot_arm(), {.to = 2.0, .tolerance = GetParam(), .at = {1.5, 1.6}});
  ASSERT_EQ(s.status(), Status::ok) << s.problems()[0].what;
  ASSERT_THAT(s.singularities(), SizeIs(1));
  const double t = s.singularities()[0].t;
  EXPECT_NEAR(std::exp(t) - t, std::numbers::pi, 1e-9);
  EXPECT_EQ(s.singularities()[0].block, "x1, x3");
  ASSERT_THAT(s.at(), SizeIs(2));
  for (const Sample& sample : s.at()) {
    EXPECT_NEAR(sample.values[0], 1 - std::exp(sample.t), 1e-9);
    EXPECT_NEAR(sample.values[2], std::exp(sample.t) - sample.t, 1e-9);
  }
  EXPECT_NEAR(s.final()[0], 1 - std::exp(2.0), 1e-9);
}

TEST(CampbellHollenbeck1996, robot_arm_with_the_printed_sign_just_runs) {
  Model model = problems::robot_arm();
  model.set_parameter("sign", 1);
  const Solution s = solve(model, {.to = 1.43});
  EXPECT_EQ(s.status(), Status::ok);
  EXPECT_FALSE(s.converted());
  EXPECT_FALSE(analyze(model).conversion.has_value());
}

// sign is a number in the conversion of the model with sign = -1.
TEST(CampbellHollenbeck1996, robot_arms_of_both_signs_run_in_one_ensemble) {
  const std::vector<ParameterValues> members = {{{"sign", -1.0}}, {{"sign", 1.0}}};
  const std::vector<Solution> solutions =
      solve_ensemble(problems::robot_arm(), members, {.to = 1.0});
  ASSERT_THAT(solutions, SizeIs(2));
  EXPECT_TRUE(solutions[0].converted());
  EXPECT_FALSE(solutions[1].converted());
  for (const Solution& s : solutions) {
    ASSERT_EQ(s.status(), Status::ok);
    EXPECT_NEAR(s.final()[0], 1 - std::exp(1.0), 1e-9);
  }
}

// f3 - f4 = x1 + x2 + ... takes the place of f3; with its derivative f1 + f2 - f4 then hides x1.
TEST(Conversion, of_a_linear_system_with_two_hidden_constraints_takes_two_combinations) {
  Model m("TwoHidden");
  const auto x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3");
  const auto x4 = m.variable("x4");
  const auto t = m.time();
  m.equation(-der(x1) + x3 == sin(t));
  m.equation(-der(x2) + x4 == cos(t));
  m.equation(x2 + x3 + x4 == t);
  m.equation(-x1 + x3 + x4 == sqr(t));
  const Analysis a = analyze(m);
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  ASSERT_TRUE(a.conversion && a.conversion->succeeded);
  ASSERT_THAT(a.conversion->steps, SizeIs(2));
  for (const ConversionStep& step : a.conversion->steps) EXPECT_EQ(step.kind, "linear combination");
  EXPECT_EQ(a.conversion->dof, 0);
  const Solution s = solve(m, {.to = 1.0, .tolerance = 1e-12});
  ASSERT_EQ(s.status(), Status::ok);
  // x1 = sin t + cos t + 1 - 2 t - t^2, x1 + x2 = t - t^2
  EXPECT_NEAR(s.final()[0], std::sin(1.0) + std::cos(1.0) - 2.0, 1e-12);
  EXPECT_NEAR(s.final()[0] + s.final()[1], 0.0, 1e-12);
  EXPECT_LE(s.statistics().original_residual, 1e-13);
}

}  // namespace
}  // namespace daedal::test

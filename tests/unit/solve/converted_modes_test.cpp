// Modes whose structure misleads are solved as models without modes are: on an equivalent model.
// What they are compared with has no modes: closed forms, and runs put together by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"
#include "unit/solve/final_value.hpp"

namespace daedal {
namespace {

using test::final_value;

std::string text_of(const std::string& problem) {
  std::ifstream file(std::string(DAEDAL_SOURCE_DIR "/problems/") + problem);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Replaces what must be there once.
std::string with(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

// With this start of a variable, in place of the one that is written.
std::string with_start(std::string text, const std::string& name, const std::string& attributes,
                       double value) {
  const auto at = text.find("  Real " + name + "(start = ");
  std::ostringstream now;
  now.precision(17);
  now << "  Real " << name << "(" << attributes << "start = " << value;
  return text.replace(at, text.find(')', at) - at, now.str());
}

// The output of the amplifier is loaded from t = 0.05 on. In both modes y1, y2, then y4, y5, then
// y7, y8 are charged by their differences only, so that structural analysis fails.
Model amplifier_with_switch() {
  return parse_model(with(text_of("transistor_amplifier/transistor_amplifier.mo"), "= y8/R;",
                          "= y8/R + (if time > 0.05 then y8/2000 else 0);"),
                     "switched.mo");
}

TEST(ConvertedModes, of_a_transistor_amplifier_with_a_switched_load_are_runs_put_together) {
  const std::string plain = text_of("transistor_amplifier/transistor_amplifier.mo");
  const Solution all = solve(amplifier_with_switch(), {.to = 0.1, .tolerance = 1e-10});
  ASSERT_TRUE(all.ok()) << all.problems()[0].what << ": " << all.problems()[0].why;
  EXPECT_TRUE(all.converted());
  EXPECT_THAT(all.modes(), testing::SizeIs(2));

  const Solution first = solve(parse_model(plain, "plain.mo"), {.to = 0.05, .tolerance = 1e-10});
  ASSERT_TRUE(first.ok());
  // Voltages across capacitors stay: the differences, y3 and y6. The others follow.
  std::string loaded = with(plain, "= y8/R;", "= y8/R + y8/2000;");
  loaded = with(loaded, "equation\n",
                "initial equation\n  y1 - y2 = d12;\n  y3 = s3;\n"
                "  y4 - y5 = d45;\n  y6 = s6;\n  y7 - y8 = d78;\nequation\n");
  loaded = with(loaded, "  Real y1(",
                "  parameter Real d12 = 0, d45 = 0, d78 = 0, s3 = 0, s6 = 0;\n  Real y1(");
  for (int k = 1; k <= 8; ++k) {
    const std::string name = "y" + std::to_string(k);
    loaded = with_start(loaded, name, "", final_value(first, name));
  }
  Model rest = parse_model(loaded, "loaded.mo");
  const auto difference = [&](const char* a, const char* b) {
    return final_value(first, a) - final_value(first, b);
  };
  rest.set_parameter("d12", difference("y1", "y2"));
  rest.set_parameter("d45", difference("y4", "y5"));
  rest.set_parameter("d78", difference("y7", "y8"));
  rest.set_parameter("s3", final_value(first, "y3"));
  rest.set_parameter("s6", final_value(first, "y6"));
  const Solution second = solve(rest, {.from = 0.05, .to = 0.1, .tolerance = 1e-10});
  ASSERT_TRUE(second.ok()) << second.problems()[0].what;
  for (int k = 1; k <= 8; ++k) {
    const std::string name = "y" + std::to_string(k);
    EXPECT_NEAR(final_value(all, name), final_value(second, name), 1e-7) << name;
  }
}

// The hand of a robot arm is kept on its path, index 5, until the torque u1 is more than its clutch
// bears; then it moves freely, an ODE.
Model arm_with_clutch() {
  std::string text = text_of("robot_arm/robot_arm.mo");
  text = with(text, "path_x: 0 = cos(x1)", "path_x: 0 = if slips then u1 else cos(x1)");
  text = with(text, "path_y: 0 = sin(x1)", "path_y: 0 = if slips then u2 else sin(x1)");
  text = with(text, "equation\n", "  discrete Boolean slips(start = false);\nequation\n");
  text =
      with(text, "annotation(", "  when u1 > 10 then\n    slips = true;\n  end when;\nannotation(");
  return parse_model(text, "clutch.mo");
}

// On the path the solution is known: x1 = 1 - e^t, x3 = e^t - t.
TEST(ConvertedModes, of_a_robot_arm_with_a_clutch_follow_the_path_until_it_slips) {
  const Solution all = solve(arm_with_clutch(), {.to = 1.4, .tolerance = 1e-9});
  ASSERT_TRUE(all.ok()) << all.problems()[0].what << ": " << all.problems()[0].why;
  EXPECT_TRUE(all.converted());
  ASSERT_FALSE(all.events().empty());
  const double slip = all.events().front().t;

  // The torque on the path, by the derivative array of the model without a clutch.
  const std::string arm = text_of("robot_arm/robot_arm.mo");
  const Solution path =
      solve(parse_model(arm, "arm.mo"), {.to = slip, .tolerance = 1e-10, .method = "array"});
  ASSERT_TRUE(path.ok());
  EXPECT_NEAR(final_value(path, "u1"), 10.0, 1e-6);
  EXPECT_NEAR(all("x1", 0.5 * slip), 1 - std::exp(0.5 * slip), 1e-8);
  EXPECT_NEAR(all("x3", 0.999 * slip), std::exp(0.999 * slip) - 0.999 * slip, 1e-8);

  // Free from there on, from the values of the path.
  std::string free = with(
      arm, "path_x: 0 = cos(x1) + cos(x1 + x3) - (cos(exp(time) - 1) + cos(time - 1));", "u1 = 0;");
  free = with(free, "path_y: 0 = sin(x1) + sin(x1 + x3) - (sin(1 - exp(time)) + sin(1 - time));",
              "u2 = 0;");
  for (const std::string name : {"x1", "x2", "x3", "x4", "x5", "x6"})
    free = with_start(free, name, "fixed = true, ", final_value(path, name));
  const Solution rest =
      solve(parse_model(free, "free.mo"), {.from = slip, .to = 1.4, .tolerance = 1e-10});
  ASSERT_TRUE(rest.ok()) << rest.problems()[0].what;
  EXPECT_EQ(final_value(all, "u1"), 0.0);
  for (const std::string name : {"x1", "x2", "x3", "x4", "x5", "x6"})
    EXPECT_NEAR(final_value(all, name), final_value(rest, name),
                1e-6 * (1 + std::abs(final_value(rest, name))))
        << name;
}

// The derivative array works on the equations as they are written: no conversion, no structure.
// Polynomials of the completion's steps are those of the converted modes' unknowns.
TEST(ConvertedModes, agree_with_steps_on_the_derivative_array) {
  const struct {
    Model model;
    double to;
  } cases[] = {{arm_with_clutch(), 1.4}, {amplifier_with_switch(), 0.1}};
  for (const auto& [model, to] : cases) {
    const Solution converted = solve(model, {.to = to, .tolerance = 1e-10});
    ASSERT_TRUE(converted.ok());
    for (const char* method : {"array", "completion"}) {
      const Solution solution = solve(model, {.to = to, .tolerance = 1e-9, .method = method});
      ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
      EXPECT_NEAR(solution.events()[0].t, converted.events()[0].t, 1e-8) << method;
      for (std::size_t j = 0; j < solution.final().size(); ++j)
        EXPECT_NEAR(solution.final()[j], converted.final()[j],
                    1e-7 * (1 + std::abs(converted.final()[j])))
            << method << " " << solution.variables()[j];
    }
  }
}

// Both sides of (x - y)'' are bounded, so x - y and its slope are kept, which the nearest values
// are not; likewise x^2 - y in the second model.
TEST(ConvertedModes, are_not_entered_by_jumps_that_no_law_gives) {
  const char* const models[] = {
      "model M\n Real x(start = {1, 0}); Real y(start = {0, 0});\nequation\n"
      " der(x, 2) - der(y, 2) = -x;\n"
      " der(y, 2) - der(x, 2) = -y*(if time < 1 then 1 else 2);\nend M;\n",
      "model M\n Real x(start = 2); Real y(start = 1); discrete Real d(start = 1);\nequation\n"
      " 2*x*der(x) - der(y) = -x;\n der(y) - 2*x*der(x) = -y*d;\n"
      " when time >= 1 then d = 3; end when;\nend M;\n"};
  for (const char* text : models) {
    const Solution solution = solve(parse_model(text, "jump.mo"), {.to = 2.0, .tolerance = 1e-10});
    EXPECT_FALSE(solution.ok()) << text;
    EXPECT_EQ(solution.t(), 1.0);
    const Problem& problem = solution.problems()[0];
    EXPECT_THAT(problem.what + problem.why, testing::HasSubstr("would have to jump"));
  }
}

// With u = x - y among the unknowns the first of these is a regular model: u = cos(t/sqrt 2) until
// the switch. Continuous branches need no jump.
TEST(ConvertedModes, of_second_order_are_entered_where_nothing_jumps) {
  const Model model = parse_model(
      "model M\n Real x(start = {1, 0}); Real y(start = {0, 0});\nequation\n"
      " der(x, 2) - der(y, 2) = -x;\n"
      " der(y, 2) - der(x, 2) = -y + (if time < 1 then 0 else (time - 1)^3);\nend M;\n",
      "smooth.mo");
  const Model regular = parse_model(
      "model M\n Real u(start = {1, 0}); Real x; Real y;\nequation\n u = x - y;\n"
      " der(u, 2) = -x;\n -der(u, 2) = -y + (if time < 1 then 0 else (time - 1)^3);\nend M;\n",
      "regular.mo");
  const SolveOptions options{.to = 2.0, .tolerance = 1e-10};
  const Solution solution = solve(model, options), other = solve(regular, options);
  ASSERT_TRUE(solution.ok()) << solution.problems()[0].what << solution.problems()[0].why;
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(solution.converted());
  ASSERT_THAT(solution.modes(), testing::SizeIs(2));
  EXPECT_EQ(solution.modes()[0].dof, 2);  // u and its slope
  EXPECT_NEAR(solution("x", 1.0) - solution("y", 1.0), std::cos(1 / std::sqrt(2.0)), 1e-8);
  EXPECT_NEAR(final_value(solution, "x"), final_value(other, "x"), 1e-8);
}

// Whether a mode has to be converted is a matter of the member's parameters: with eps = 0 the
// second equation is algebraic, x' = -k x with k = 1, then 2.
TEST(ConvertedModes, of_members_are_those_of_single_runs) {
  for (const double usual : {0.0, 0.1}) {
    Model model = parse_model(
        "model M\n parameter Real eps = 0;\n Real x(start = 1, fixed = true); Real z(start = "
        "0.5);\n"
        "equation\n der(x) = -z;\n eps*der(z) = (if time < 1 then 1 else 2)*x - z;\nend M;\n",
        "member.mo");
    model.set_parameter("eps", usual);
    const std::vector<ParameterValues> members = {{{"eps", 0.0}}, {{"eps", 0.1}}, {{"eps", 0.2}}};
    const SolveOptions options{.to = 2.0, .tolerance = 1e-9};
    const auto all = solve_ensemble(model, members, options);
    for (std::size_t k = 0; k < members.size(); ++k) {
      model.set_parameter("eps", members[k].at("eps"));
      const Solution alone = solve(model, options);
      ASSERT_TRUE(alone.ok());
      EXPECT_TRUE(all[k].ok()) << usual << " " << k;
      EXPECT_EQ(all[k].final(), alone.final()) << usual << " " << k;
    }
    EXPECT_NEAR(all[0].final()[0], std::exp(-3.0), 1e-8);
  }
}

}  // namespace
}  // namespace daedal

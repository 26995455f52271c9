// Modes on the derivative array: in auto where structural analysis fails on a mode and no
// conversion helps, by the methods array and completion in any mode. Answers in closed form, or by
// the Taylor method.
//
// The block of x and y in
//
//   x y = a(t),   (x y)^2 + s = 0,   s' = k x
//
// has a singular Jacobian, because both equations see x y only, and factors that contain x and y
// themselves, so that no conversion applies. Its solution is s = -a^2, x = s'/k, y = a/x.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"
#include "unit/solve/final_value.hpp"

namespace daedal {
namespace {

using test::final_value;

using testing::HasSubstr;
using testing::SizeIs;

constexpr auto methods_on_arrays = {"auto", "array", "completion"};

Model product(const std::string& rest) {
  return parse_model(
      "model Product\n Real x(start = 1); Real y(start = 1); Real s;\n" + rest + "\nend Product;\n",
      "product.mo");
}

// One mode that only the array can solve, then one that structure allows: y = 3, s' = (t + 1)/3.
TEST(ArrayModes, are_followed_by_modes_that_structure_allows) {
  const Model model = product(
      "equation\n x*y = time + 1;\n 0 = if time < 1 then (x*y)^2 + s else y - 3;\n der(s) = x;");
  for (const char* method : methods_on_arrays) {
    const Solution solution = solve(model, {.to = 2.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    EXPECT_NEAR(final_value(solution, "s"), -4.0 + 5.0 / 6.0, 1e-9) << method;
    EXPECT_NEAR(final_value(solution, "x"), 1.0, 1e-9) << method;
    EXPECT_THAT(solution.modes(), SizeIs(2)) << method;
  }
  EXPECT_EQ(solve(model, {.to = 2.0, .method = "array"}).method_reason(), "");  // it was asked for
  const Solution solution = solve(model, {.to = 2.0});
  EXPECT_EQ(solution.method(), "array");  // of the first mode
  EXPECT_THAT(solution.method_reason(), HasSubstr("where 'time < 1': structural analysis fails"));
  EXPECT_EQ(solution.modes()[0].structural_index, 2);
  EXPECT_EQ(solution.modes()[0].dof, 0);
  EXPECT_EQ(solution.modes()[1].structural_index, 1);
}

// y = -1/2 before is what the array has behind, so that s need not jump; with another s it would,
// and nothing says where to.
TEST(ArrayModes, are_entered_where_what_is_differentiated_need_not_jump) {
  const std::string text =
      "equation\n x*y = time + 1;\n 0 = if time > 1 then (x*y)^2 + s else y + 0.5;\n"
      " der(s) = x;\ninitial equation\n s = ";
  for (const char* method : methods_on_arrays) {
    const SolveOptions options{.to = 2.0, .tolerance = 1e-10, .method = method};
    const Solution entered = solve(product(text + "-1;"), options);
    ASSERT_TRUE(entered.ok()) << method << entered.problems()[0].why;
    EXPECT_NEAR(final_value(entered, "s"), -9.0, 1e-9) << method;
    const Solution refused = solve(product(text + "-1.1;"), options);
    EXPECT_EQ(refused.status(), Status::no_mode) << method;
    EXPECT_EQ(refused.t(), 1.0) << method;
    EXPECT_THAT(refused.problems()[0].why, HasSubstr("would have to jump")) << method;
  }
}

// Only p - q is charged, and p + d q = 0: with u = p - q, u' = -u d/(d + 1). When d changes, p and
// q jump, u does not. Where p^2 - q is charged no constant matrix says so.
TEST(ArrayModes, keep_what_is_charged_linearly_where_the_rest_jumps) {
  const auto model = [](const std::string& charge) {
    return parse_model(
        "model Charged\n Real x(start = -2); Real y(start = -0.5); Real s(start = -1);\n"
        " Real p(start = 1); Real q(start = -1); discrete Real d(start = 1);\n"
        "equation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n der(s) = x;\n " +
            charge + " - der(q) = -p;\n der(q) - " + charge +
            " = -q*d;\n when time >= 1 then d = 3; end when;\n"
            "initial equation\n p = 1;\nend Charged;\n",
        "charged.mo");
  };
  for (const char* method : methods_on_arrays) {
    const SolveOptions options{.to = 2.0, .tolerance = 1e-10, .method = method};
    const Solution linear = solve(model("der(p)"), options);
    ASSERT_TRUE(linear.ok()) << method << linear.problems()[0].why;
    const double u = 2 * std::exp(-0.5) * std::exp(-0.75);
    EXPECT_NEAR(final_value(linear, "p"), 0.75 * u, 1e-9) << method;
    EXPECT_NEAR(final_value(linear, "q"), -0.25 * u, 1e-9) << method;
    EXPECT_EQ(linear.events()[0].jumps.size(), 3u) << method;  // p, q and the switch
    const Solution other = solve(model("2*p*der(p)"), options);
    EXPECT_FALSE(other.ok()) << method;
    EXPECT_EQ(other.t(), 1.0) << method;
    EXPECT_THAT(other.problems()[0].what + other.problems()[0].why,
                HasSubstr("would have to jump"));
  }
}

// x = -2 (t + 1)/k, and v' = y = -k/2: k changes where x = -3, and where v = -1.
TEST(ArrayModes, end_at_zeros_of_their_own_solution) {
  const Model model = product(
      " Real v(start = 0, fixed = true); discrete Real k(start = 1);\n"
      "equation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n der(s) = k*x;\n der(v) = y;\n"
      " when x < -3 then k = 2; end when;\n when v < -1 then k = 4; end when;");
  for (const char* method : methods_on_arrays) {
    const Solution solution = solve(model, {.to = 2.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    ASSERT_THAT(solution.events(), SizeIs(2)) << method;
    EXPECT_NEAR(solution.events()[0].t, 0.5, 1e-10) << method;
    EXPECT_NEAR(solution.events()[1].t, 1.25, 1e-10) << method;
    EXPECT_NEAR(final_value(solution, "v"), -2.5, 1e-9) << method;
    EXPECT_NEAR(final_value(solution, "x"), -1.5, 1e-9) << method;
  }
}

// A guard that is not linear is an unknown of the array; x jumps from 0.5 x to x there, over the
// zero of the clause's guard, and r is set.
TEST(ArrayModes, follow_guards_that_are_not_linear_and_take_what_is_set) {
  const Model model = product(
      " Real q(start = 0, fixed = true); Real r(start = 0, fixed = true);\n"
      "equation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n"
      " der(s) = if q*q + y > 0.5 then x else 2*x;\n der(q) = 1;\n der(r) = y;\n"
      " when x*x > 9 then reinit(r, 5); end when;");
  for (const char* method : methods_on_arrays) {
    const Solution solution = solve(model, {.to = 2.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    const double jump = std::sqrt(1.5);  // y = -1 before
    EXPECT_NEAR(solution.events().back().t, jump, 1e-9) << method;
    EXPECT_NEAR(final_value(solution, "r"), 5.0 - 0.5 * (2.0 - jump), 1e-8) << method;
  }
}

// Falls with 2 y = -1, bounces with a fifth of its speed: flights of sqrt 2, then twice sqrt 2/5^k,
// add up to 1.5 sqrt 2, and the contact mode is on the array, too.
TEST(ArrayModes, come_to_rest) {
  const Model model = product(
      " Real h(start = 1, fixed = true); Real v(start = 0, fixed = true); Real f;\n"
      "equation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n der(s) = x;\n der(h) = v;\n"
      " der(v) = 2*y + f;\n 0 = min(h, f);\n"
      " when h <= 0 and v < 0 then reinit(v, -0.2*v); end when;");
  for (const char* method : methods_on_arrays) {
    const Solution solution = solve(model, {.to = 3.0, .tolerance = 1e-9, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    ASSERT_TRUE(solution.zeno()) << method;
    EXPECT_TRUE(solution.zeno()->settled) << method;
    EXPECT_NEAR(solution.zeno()->t, 1.5 * std::numbers::sqrt2, 1e-6) << method;
    EXPECT_NEAR(final_value(solution, "h"), 0.0, 1e-9) << method;
    EXPECT_NEAR(final_value(solution, "f"), 1.0, 1e-9) << method;
  }
}

// u = cos t changes k ten times; n' = y^2 e^(t/5) = 25 k^2.
Model long_product() {
  return parse_model(
      "model Long\n Real x(start = -0.2); Real y(start = -5); Real s;\n"
      " Real u(start = 1, fixed = true); Real w(start = 0, fixed = true);\n"
      " Real n(start = 0, fixed = true);\n"
      "equation\n x*y = exp(time/10);\n (x*y)^2 + s = 0;\n"
      " der(s) = (if u > 0 then 1 else 2)*x;\n der(u) = w;\n der(w) = -u;\n"
      " der(n) = y*y*exp(time/5);\nend Long;\n",
      "long.mo");
}

TEST(ArrayModes, keep_the_tolerance_over_many_events) {
  double exact = 0.0;
  for (double t = 0.0; t < 30.0;) {
    const double k = std::cos(t + 1e-9) > 0.0 ? 1.0 : 2.0, pi = std::numbers::pi;
    const double next = std::min(30.0, pi * (std::floor(t / pi + 0.5 + 1e-9) + 0.5));
    exact += 25 * k * k * (next - t);
    t = next;
  }
  for (const char* method : methods_on_arrays) {
    const Solution solution =
        solve(long_product(), {.to = 30.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    EXPECT_THAT(solution.events(), SizeIs(10)) << method;
    EXPECT_NEAR(final_value(solution, "n"), exact, 1e-9 * exact) << method;
    EXPECT_NEAR(final_value(solution, "x"), -0.2 * std::exp(6.0), 1e-8 * 80) << method;
  }
}

TEST(ArrayModes, give_runs_that_are_continued_the_same_result) {
  for (const char* method : methods_on_arrays) {
    const std::string file = testing::TempDir() + "daedal_array_modes_" + method;
    std::filesystem::remove(file);
    SolveOptions options{.to = 30.0, .tolerance = 1e-10, .method = method, .anchor_every = 10};
    const Solution whole = solve(long_product(), options);
    options.checkpoint.file = file;
    options.max_steps = whole.statistics().steps / 2;
    EXPECT_EQ(solve(long_product(), options).status(), Status::too_many_steps) << method;
    const Solution continued = solve(long_product(), {.resume = file});
    ASSERT_TRUE(continued.ok()) << method;
    EXPECT_EQ(continued.final(), whole.final()) << method;
    EXPECT_EQ(continued.statistics().steps, whole.statistics().steps) << method;
    EXPECT_EQ(continued.statistics().rejected, whole.statistics().rejected) << method;
    EXPECT_EQ(continued.method_reason(), whole.method_reason()) << method;
    std::filesystem::remove(file);
  }
}

TEST(ArrayModes, are_verified_and_are_those_of_single_runs_in_ensembles) {
  const Solution verified = solve(long_product(), {.to = 10.0, .tolerance = 1e-9, .verify = true});
  ASSERT_TRUE(verified.ok());
  ASSERT_TRUE(verified.verification());
  Model model = product(
      " parameter Real p = 1;\nequation\n x*y = time + p;\n"
      " (x*y)^2 + s = 0;\n der(s) = if time < 1 then x else 2*x;");
  const std::vector<ParameterValues> members = {{{"p", 1.0}}, {{"p", 2.0}}};
  const SolveOptions options{.to = 2.0, .tolerance = 1e-10};
  const std::vector<Solution> all = solve_ensemble(model, members, options);
  for (std::size_t k = 0; k < members.size(); ++k) {
    model.set_parameter("p", members[k].at("p"));
    const Solution alone = solve(model, options);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(all[k].final(), alone.final()) << k;
    EXPECT_NEAR(alone.final()[0], -(2.0 + members[k].at("p")), 1e-9);
  }
}

TEST(ArrayModes, are_followed_backwards) {
  const Model model = parse_model(
      "model Back\n Real x(start = -3); Real y(start = -1); Real s;\n"
      " Real v(start = 0, fixed = true);\nequation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n"
      " der(s) = if time < 1 then x else 2*x;\n der(v) = y;\nend Back;\n",
      "back.mo");
  for (const char* method : methods_on_arrays) {
    const Solution solution =
        solve(model, {.from = 2.0, .to = 0.0, .tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    EXPECT_NEAR(final_value(solution, "v"), 1.5, 1e-9) << method;  // y = -1, then -1/2
  }
}

// Candidates that have no point on a large array would take minutes each.
TEST(ArrayModes, of_many_equations_have_to_be_asked_for) {
  const Model model = product(
      " Real c[150](each start = 1);\nequation\n x*y = time + 1;\n (x*y)^2 + s = 0;\n"
      " der(s) = if time < 1 then x else 2*x;\n for k in 1:150 loop der(c[k]) = -c[k]; end for;");
  const Solution solution = solve(model, {.to = 2.0});
  EXPECT_EQ(solution.status(), Status::no_mode);
  EXPECT_THAT(solution.problems()[0].why, HasSubstr("structural analysis fails"));
}

// Modes that structure allows are entered by their series, whose laws say what jumps; steps are on
// the array.
class OnTheArray : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Problems, OnTheArray,
                         testing::Values("slack_pendulum/slack_pendulum", "stick_slip/stick_slip",
                                         "stick_slip/stick_slip_static", "two_tanks/two_tanks",
                                         "diode_rectifier/diode_rectifier", "dome/dome",
                                         "thresholds/thresholds"));

TEST_P(OnTheArray, models_with_modes_have_the_events_of_the_taylor_method) {
  std::ifstream file(DAEDAL_SOURCE_DIR "/problems/" + std::string(GetParam()) + ".mo");
  std::stringstream text;
  text << file.rdbuf();
  const Model model = parse_model(text.str(), GetParam());
  const Solution taylor = solve(model, {.tolerance = 1e-11});
  for (const char* method : {"array", "completion"}) {
    const Solution solution = solve(model, {.tolerance = 1e-10, .method = method});
    ASSERT_TRUE(solution.ok()) << method << solution.problems()[0].why;
    EXPECT_EQ(solution.method(), method);
    ASSERT_EQ(solution.events().size(), taylor.events().size()) << method;
    for (std::size_t k = 0; k < taylor.events().size(); ++k) {
      EXPECT_NEAR(solution.events()[k].t, taylor.events()[k].t, 1e-7) << method << k;
      EXPECT_EQ(solution.events()[k].name, taylor.events()[k].name) << method << k;
    }
    for (std::size_t j = 0; j < taylor.final().size(); ++j)
      EXPECT_NEAR(solution.final()[j], taylor.final()[j], 1e-6 * (1 + std::abs(taylor.final()[j])))
          << method;
  }
}

}  // namespace
}  // namespace daedal

// Singular points that the solution passes smoothly, where rounding makes steps ever shorter: the
// run goes across, at every tolerance, and says so. Solutions are known in closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

using testing::SizeIs;

const double pi = std::acos(-1.0);

Model written(const std::string& body) {
  return parse_model("model M\n" + body + "end M;\n", "test.mo");
}

// x' = cos(3 t) after a factor that vanishes at pi/2, and derivatives of x.
TEST(SingularPassage, of_a_factor_that_vanishes_is_made_at_every_tolerance) {
  const Model model = written(
      "Real x(start=0, fixed=true); Real y; Real z;\nequation\n"
      "cos(time)*der(x) = cos(time)*cos(3*time);\ny = der(x, 2);\nz = der(y, 3);\n");
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
    const Solution solution = solve(model, {.to = 4.0, .tolerance = tol});
    ASSERT_TRUE(solution.ok()) << tol;
    ASSERT_THAT(solution.singularities(), SizeIs(1)) << tol;
    EXPECT_NEAR(solution.singularities()[0].t, pi / 2, 1e-8) << tol;
    EXPECT_NEAR(solution.final()[0], std::sin(12.0) / 3, 30 * tol + 1e-11) << tol;
    EXPECT_NEAR(solution.final()[2], 81 * std::cos(12.0), 1e5 * tol + 1e-9) << tol;
  }
}

// The same with a factor that is a part of the solution, among other blocks.
TEST(SingularPassage, of_a_solution_that_vanishes_is_made_at_every_tolerance) {
  const Model model = written(
      "Real p(start=1, fixed=true); Real q(start=0.5); Real r;\nequation\n"
      "der(p) = -sin(time);\np*q = cos(time)*exp(-time);\nr = der(q, 2);\n");
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
    const Solution solution = solve(model, {.to = 4.0, .tolerance = tol});
    ASSERT_TRUE(solution.ok()) << tol;
    ASSERT_THAT(solution.singularities(), SizeIs(1)) << tol;
    EXPECT_NEAR(solution.singularities()[0].t, pi / 2, 1e-8) << tol;
    EXPECT_NEAR(solution.final()[1], std::exp(-4.0), 30 * tol + 1e-12) << tol;
  }
}

// At t = 1 the determinant of one block changes its sign; that of another one, w = (sin(3 s)/s)^8
// with s = 1 - t, touches zero, and looks at it are in vain. They must not keep the first from
// being found.
TEST(SingularPassage, is_made_beside_a_determinant_that_touches_zero) {
  const auto w = [](double t) {
    const double s = 1 - t;
    return std::pow(std::abs(s) < 1e-9 ? 3.0 : std::sin(3 * s) / s, 8);
  };
  constexpr int num_panels = 2000;  // Simpson's rule is right to 1e-9 here
  double integral = w(0.0) + w(2.0);
  for (int k = 1; k < num_panels; ++k) integral += (k % 2 == 0 ? 2 : 4) * w(2.0 * k / num_panels);
  integral *= 2.0 / num_panels / 3;
  const Model model = written(
      "Real z; Real w; Real b; Real x(start=0, fixed=true);\nequation\n"
      "b = tanh(10*(1 - time));\nb*z = b*cos(time);\n"
      "(1 - time)^8*w = sin(3*(1 - time))^8;\nder(x) = z + w;\n");
  for (const double tol : {1e-7, 1e-9, 1e-11}) {
    const Solution solution = solve(model, {.to = 2.0, .tolerance = tol});
    ASSERT_TRUE(solution.ok()) << tol;
    EXPECT_NEAR(solution.final()[0], std::cos(2.0), 30 * tol + 1e-11) << tol;
    EXPECT_NEAR(solution.final()[3] / (std::sin(2.0) + integral), 1.0, 100 * tol + 1e-8) << tol;
  }
}

// Two points, one after the other; the second is met with a history that contains the first.
TEST(SingularPassage, of_a_second_point_is_made_after_the_first) {
  const Model model = written(
      "Real s(start=0.3); Real c; Real u;\nequation\n"
      "s = sin(time) + 0.3;\n(s - 1.1)*c = (s - 1.1)*cos(time);\nu = der(c, 5);\n");
  const Solution solution = solve(model, {.to = 4.0, .tolerance = 1e-8});
  ASSERT_TRUE(solution.ok());
  ASSERT_THAT(solution.singularities(), SizeIs(2));
  EXPECT_NEAR(solution.singularities()[0].t, std::asin(0.8), 1e-8);
  EXPECT_NEAR(solution.singularities()[1].t, pi - std::asin(0.8), 1e-8);
  EXPECT_NEAR(solution.final()[1], std::cos(4.0), 1e-6);
}

// Passages belong to the run, whoever makes it: a member of an ensemble, in one of several lanes,
// goes across as a run with its parameters does.
TEST(SingularPassage, of_members_of_an_ensemble_is_that_of_single_runs) {
  Model model = written(
      "parameter Real w = 3; Real x(start=0, fixed=true); Real y; Real z;\nequation\n"
      "cos(time)*der(x) = cos(time)*cos(w*time);\ny = der(x, 2);\nz = der(y, 3);\n");
  const std::vector<ParameterValues> members = {{{"w", 2.0}}, {{"w", 3.0}}, {{"w", 4.5}}};
  const SolveOptions options{.to = 4.0, .tolerance = 1e-10};
  for (const int lanes : {1, 2, 4}) {
    const auto all = solve_ensemble(model, members, options, {.lanes = lanes, .threads = 1});
    for (std::size_t k = 0; k < members.size(); ++k) {
      model.set_parameter("w", members[k].at("w"));
      const Solution alone = solve(model, options);
      ASSERT_TRUE(alone.ok());
      ASSERT_THAT(alone.singularities(), SizeIs(1));
      EXPECT_EQ(all[k].status(), alone.status());
      EXPECT_EQ(all[k].statistics().steps, alone.statistics().steps);
      EXPECT_EQ(all[k].final(), alone.final());
      ASSERT_THAT(all[k].singularities(), SizeIs(1));
      EXPECT_EQ(all[k].singularities()[0].t, alone.singularities()[0].t);
    }
  }
}

// A clause that only observes changes nothing but the list of events; the step that it ends is
// another one, so that the results agree to the tolerance.
TEST(SingularPassage, is_made_beside_a_clause_that_observes) {
  const std::string body =
      "Real x(start=0, fixed=true); Real y; Real z;\nequation\n"
      "cos(time)*der(x) = cos(time)*cos(3*time);\ny = der(x, 2);\nz = der(y, 3);\n";
  // Never; before the point, after it, and at a time; x = sin(3 t)/3 falls through 0.2 at 0.833,
  // through 0 at 1.047 and through -0.2 at 1.261, rises through 0.1 at 2.196.
  const struct {
    std::string clause;
    std::size_t num_events;
  } cases[] = {{"when x > 5 then end when;\n", 0},
               {"when x < 0.2 then end when;\n", 2},
               {"when x > 0.1 then end when;\n", 2},
               {"when time > 1.3 then end when;\n", 1},
               {"when x^2 + time^2 > 8 then end when;\n", 1}};
  for (const double tol : {1e-6, 1e-10, 1e-12})
    for (const auto& [clause, num_events] : cases) {
      const Solution solution = solve(written(body + clause), {.to = 4.0, .tolerance = tol});
      ASSERT_TRUE(solution.ok()) << clause << tol << solution.problems()[0].what;
      EXPECT_THAT(solution.events(), SizeIs(num_events)) << clause << tol;
      ASSERT_THAT(solution.singularities(), SizeIs(1)) << clause << tol;
      EXPECT_NEAR(solution.singularities()[0].t, pi / 2, 1e-8) << clause << tol;
      EXPECT_NEAR(solution.final()[0], std::sin(12.0) / 3, 30 * tol + 1e-11) << clause << tol;
    }
}

bool is_warned_of_singular_point(const Solution& solution) {
  return std::any_of(solution.warnings().begin(), solution.warnings().end(),
                     [](const Problem& warning) { return warning.id == "W-SNG-001"; });
}

constexpr const char* all_methods[] = {"auto", "taylor", "dd-erk",    "dd-ida",
                                       "bdf",  "array",  "completion"};

// x = (1 - t)(C - log|1 - t|) with C = 0: x' has no limit at t = 1, and whatever comes after it has
// another C.
TEST(SingularPassage, is_not_made_where_the_solution_has_a_logarithm) {
  const Model model =
      written("Real x(start=0, fixed=true);\nequation\n(1 - time)*der(x) + x = 1 - time;\n");
  for (const char* method : all_methods)
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-9, 1e-11}) {
      const Solution solution = solve(model, {.to = 2.0, .tolerance = tol, .method = method});
      EXPECT_FALSE(solution.ok()) << method << tol;
      EXPECT_NEAR(solution.t(), 1.0, 0.02) << method << tol;
      EXPECT_NEAR(solution("x", 0.5), 0.5 * std::log(2.0), 1e4 * tol) << method << tol;
    }
}

// Solutions C(1 - t) of the same equation without its right side are smooth, each of them.
TEST(SingularPassage, is_made_where_all_solutions_meet_and_this_one_is_smooth) {
  const Model model =
      written("Real x(start=3, fixed=true);\nequation\n(1 - time)*der(x) + x = 0;\n");
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-9, 1e-11}) {
    const Solution solution = solve(model, {.to = 2.0, .tolerance = tol});
    ASSERT_TRUE(solution.ok()) << tol;
    EXPECT_NEAR(solution.final()[0], -3.0, 30 * tol) << tol;
    EXPECT_TRUE(is_warned_of_singular_point(solution)) << tol;
  }
}

// The branches t - 1 and 1 - t of x - 1 nearly cross; x = 1 - sqrt((t - 1)^2 + gap) turns back.
TEST(SingularPassage, that_may_have_gone_over_to_another_branch_is_never_silent) {
  for (const double gap : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12}) {
    Model model = written(
        "parameter Real gap = 1; Real x(start=0);\nequation\n"
        "(x - time)*(x + time - 2) = gap;\n");
    model.set_parameter("gap", gap);
    const double truth = 1 - std::sqrt(1 + gap);
    for (const char* method : all_methods)
      for (const double tol : {1e-5, 1e-7, 1e-9, 1e-11}) {
        const Solution s = solve(model, {.to = 2.0, .tolerance = tol, .method = method});
        const bool is_right = s.ok() && std::abs(s.final()[0] - truth) < 1e3 * tol;
        EXPECT_TRUE(is_right || !s.ok() || is_warned_of_singular_point(s))
            << method << " gap " << gap << " tol " << tol << ": " << s.final()[0];
      }
  }
}

// By methods without series: x = sin(t) beside a factor that vanishes at pi/2.
TEST(SingularPassage, by_other_methods_is_noted) {
  const Model model = written(
      "Real x(start=0, fixed=true); Real z;\nequation\nder(x) = cos(time);\n"
      "(x - 0.5)*z = (x - 0.5)*exp(-time);\n");
  for (const char* method : {"dd-erk", "dd-ida", "bdf"}) {
    const Solution s = solve(model, {.to = 1.0, .tolerance = 1e-6, .method = method});
    ASSERT_TRUE(s.ok()) << method << s.problems()[0].what << s.problems()[0].why;
    EXPECT_NEAR(s.final()[1], std::exp(-1.0), 1e-3) << method;
    ASSERT_THAT(s.singularities(), SizeIs(1)) << method;
    EXPECT_NEAR(s.singularities()[0].t, std::asin(0.5), 1e-4) << method;
    EXPECT_TRUE(is_warned_of_singular_point(s)) << method;
  }
}

}  // namespace
}  // namespace daedal

// Failures that runs over seeds of models with modes have found, each with the seed, or with a
// small model of its own, that showed it.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/solve.hpp"
#include "manufactured/hybrid_trial.hpp"
#include "manufactured/piecewise.hpp"

namespace daedal::manufactured {
namespace {

testing::AssertionResult is_right(const HybridProblem& problem, const std::string& method,
                                  double tolerance) {
  const Outcome outcome = run(problem, method, tolerance);
  return (outcome.verdict == Verdict::right ? testing::AssertionSuccess()
                                            : testing::AssertionFailure())
         << outcome.words << ": " << outcome.achieved << " tolerances, " << outcome.fair << " fair";
}

double end_value(const std::string& rate, double start, double to, const std::string& method) {
  const Model model = parse_model("model M\n  Real y(start = " + std::to_string(start) +
                                  ", fixed = true);\nequation\n  der(y) = " + rate + ";\nend M;\n");
  const Solution s = solve(model, {.to = to, .tolerance = 1e-8, .method = method});
  EXPECT_TRUE(s.ok()) << rate << " by " << method;
  return s("y", s.t());
}

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida", "bdf", "array"};

// (x - c)^2 was 5e-5 at the start and falling, and was taken for negative: y' = -1 for a while.
TEST(HybridRegression, a_guard_near_zero_at_the_start_is_where_its_value_says) {
  EXPECT_TRUE(is_right(with_events(600), "auto", 1e-5));
}

// abs(...) touches zero where y crosses sqrt(0.5) = 0.707...: y' = 1 all along. It was kept there.
TEST(HybridRegression, what_is_around_a_condition_that_changes_does_not_slide) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("sign(abs(2*y^2 - 1))", 0.0, 1.0, method), 1.0, 1e-6) << method;
}

// y' = 1 below y = 1 and 2 above it: it was said to slide, because -2 was taken for the slope.
TEST(HybridRegression, what_is_around_a_condition_is_decided_by_its_new_value) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("abs(if y < 1 then 1 else -2)", 0.0, 2.0, method), 3.0, 1e-6) << method;
}

// y' = 1 on both sides of y = 1, where two guards above the inner one change what they choose.
TEST(HybridRegression, three_levels_of_conditions_are_crossed) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("sign(max(0.5, if y >= 1 then -1 else y))", 0.75, 1.0, method), 1.75,
                1e-6)
        << method;
}

// y' is 1 below y = 1 and -1 above it, whatever the sign is made of.
TEST(HybridRegression, a_sign_that_jumps_slides_with_what_makes_it_jump) {
  for (const std::string& method : all_methods) {
    EXPECT_NEAR(end_value("sign(if y > 1 then -1 else 1)", 0.0, 2.0, method), 1.0, 1e-6) << method;
    EXPECT_NEAR(end_value("sign(if sign(1 - y) > 0.5 then 2 else -3)", 0.0, 2.0, method), 1.0, 1e-6)
        << method;
  }
}

// At y = 1 it slides until t = 2; then y' = 1 on both sides. y jumped to where the other sign has
// its zero: in the mode that slid it was no state.
TEST(HybridRegression, nested_conditions_are_what_brute_force_makes_of_them) {
  for (const std::uint64_t seed : {1224, 1818, 3088, 3590, 7153, 8192, 8360, 9256, 9602})
    EXPECT_TRUE(is_right(nested_conditions(seed), "auto", 1e-6)) << seed;
}

TEST(HybridRegression, nothing_jumps_where_sliding_ends) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("sign(if y > 1 then time - 2 else 1.5 - y)", 0.5, 2.25, method), 1.25,
                1e-6)
        << method;
}

// From y = -1/2 to 0 at t = 1, where it slides while abs(t - 1) < 1/2; then y' = t - 3/2. As an
// abs of the mean of t - 1 and -1, which may be -1/2 for longer, it stayed.
TEST(HybridRegression, sliding_ends_where_both_sides_of_what_is_not_linear_lead_away) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("abs(if y > 0 then time - 1 else -1) - 0.5", -0.5, 2.0, method), 0.125,
                1e-6)
        << method;
}

// At y = 0 from t = 1 on the rates are -1 for 2/3 of the time and 2 for 1/3: the mean of the
// squares is 2, the square of the mean 0.
TEST(HybridRegression, an_equation_that_slides_is_the_mean_of_what_it_is_on_both_sides) {
  const Model model = parse_model(R"(
    model Cost
      Real y(start = -2, fixed = true);
      Real cost(start = 0, fixed = true);
    equation
      der(y) = if y > 0 then -1 else 2;
      der(cost) = (if y > 0 then -1 else 2)^2;
    end Cost;)");
  for (const std::string& method : all_methods) {
    const Solution s = solve(model, {.to = 2.0, .tolerance = 1e-8, .method = method});
    EXPECT_TRUE(s.ok()) << method;
    EXPECT_NEAR(s("y", 2.0), 0.0, 1e-6) << method;
    EXPECT_NEAR(s("cost", 2.0), 4.0 + 2.0, 1e-6) << method;
  }
}

// y = 0 holds from t = 1 until t = 2. From then on y' = -1 on both sides: below y = 0 the condition
// is 0 > 0. It was kept there, because the mean of the sign may be -1.
TEST(HybridRegression, a_condition_around_one_that_slides_is_decided_on_each_side) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("if (if time >= 2 then -1 else 1) - sign(y) > 0 then 1 else -1", 1.0, 3.0,
                          method),
                -1.0, 1e-6)
        << method;
}

// From t = 1 on y = 0 holds, until the sign of 2 - time leads away below it, too, at t = 2. The
// function of that sign jumps with y, between two that vary.
TEST(HybridRegression, a_condition_around_one_that_slides_may_vary_on_each_side) {
  for (const std::string& method : all_methods)
    EXPECT_NEAR(end_value("sign(min(2 - time, sign(-y)))", 1.0, 3.0, method), -1.0, 1e-6) << method;
}

// x > 1 does not matter until t = 1, and nobody had noticed that it holds since t = 3/4: at t = 1
// the clause's condition was taken for 1/2 - x > 0, and then for 2 - x > 0 again.
TEST(HybridRegression, a_condition_that_begins_to_matter_is_where_its_value_says) {
  const Model model = parse_model(R"(
    model Late
      Real x;
      discrete Real n(start = 0);
    equation
      x = 0.4 + 0.8*time;
      when (if time > 1 and x <= 1 then 0.5 else 2) - x > 0 then
        n = pre(n) + 1;
      end when;
    end Late;)");
  for (const std::string& method : all_methods) {
    const Solution s = solve(model, {.to = 3.0, .tolerance = 1e-8, .method = method});
    EXPECT_TRUE(s.ok()) << method;
    for (const Event& event : s.events()) EXPECT_NE(event.kind, EventKind::when) << method;
  }
}

TEST(HybridRegression, feedback_through_nested_conditions_is_what_many_small_steps_make_of_it) {
  for (const std::uint64_t seed :
       {3, 12, 38, 93, 155, 216, 464, 543, 968, 973, 1321, 1414, 1664, 3413, 3454})
    EXPECT_TRUE(is_right(with_feedback(seed), "auto", 1e-6)) << seed;
}

// The truth itself.
TEST(Piecewise, integrates_across_breaks) {
  const Term t = time_term();
  Piecewise truth(Program({abs(t - 1.0), choose(positive(sin(3.0 * t)), 1.0, 0.0)}), 0.5, 3.0);
  EXPECT_TRUE(truth.is_clear());
  EXPECT_NEAR(static_cast<double>(truth.integral(0, 3.0L)), (0.5 * 0.5 + 2.0 * 2.0) / 2, 1e-15);
  EXPECT_TRUE(truth.has_fine_integral(1));
  // sin 3t is positive up to pi/3, and on (2 pi/3, pi).
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(static_cast<double>(truth.integral(1, 3.0L)), pi / 3 - 0.5 + 3.0 - 2 * pi / 3, 1e-14);
  ASSERT_EQ(truth.rises(1).size(), 1U);
  EXPECT_NEAR(static_cast<double>(truth.rises(1)[0]), 2 * pi / 3, 1e-14);
}

// Figures and these tests name seeds.
TEST(HybridProblems, a_seed_is_the_same_model_with_every_compiler) {
  const auto hash_of = [](HybridProblem (*make)(std::uint64_t), std::uint64_t num_seeds) {
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
      const std::string text = make(seed).text;
      for (const char c : text.substr(text.find("\nequation\n")))
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return hash;
  };
  EXPECT_EQ(hash_of(nested_conditions, 20), 5860872878421219522U);
  EXPECT_EQ(hash_of(with_events, 20), 10180896777014356219U);
  EXPECT_EQ(hash_of(with_feedback, 5), 14087031588543357439U);
}

}  // namespace
}  // namespace daedal::manufactured

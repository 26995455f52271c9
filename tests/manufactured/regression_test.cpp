// Failures that runs over seeds have found, each with the problem that showed it.
#include <gmock/gmock.h>

#include "daedal/solve.hpp"
#include "manufactured/trial.hpp"

namespace daedal::manufactured {
namespace {

testing::AssertionResult judged(bool is_good, const Outcome& outcome) {
  return (is_good ? testing::AssertionSuccess() : testing::AssertionFailure())
         << outcome.words << ": " << outcome.achieved << " tolerances, " << outcome.fair << " fair";
}

testing::AssertionResult is_right(const Problem& problem, const Trial& trial) {
  const Outcome outcome = run(problem, trial);
  return judged(outcome.verdict == Verdict::right, outcome);
}

testing::AssertionResult is_right_or_says_why_not(const Problem& problem, const Trial& trial) {
  const Outcome outcome = run(problem, trial);
  return judged(outcome.verdict != Verdict::wrong, outcome);
}

// The polynomials that were judged were not those that were told: 5800 tolerances between the ends
// of steps.
TEST(ManufacturedRegression, dd_erk_is_accurate_between_the_ends_of_steps_at_index_6_and_8) {
  for (const std::uint64_t seed : {1000, 1079, 1083, 1089})
    for (const int index : {6, 8})
      EXPECT_TRUE(is_right(Problem(seed, {.index = index, .coupling = 1}),
                           {.method = "dd-erk", .tolerance = 1e-8, .start = Start::exact}));
}

// The rank of the derivative array rises with the drift: x' was wrong by O(1), the run ended well.
TEST(ManufacturedRegression, completion_keeps_the_rank_of_the_start) {
  for (const std::uint64_t seed : {3, 13, 14, 31})
    EXPECT_TRUE(is_right(Problem(seed),
                         {.method = "completion", .tolerance = 1e-6, .start = Start::exact}));
}

// Undetermined coefficients wandered from stage to stage until x' came from rounding: 400000
// tolerances off without a word.
TEST(ManufacturedRegression, completion_holds_coefficients_that_nothing_determines) {
  for (const std::uint64_t seed : {385, 642, 974, 10131})
    EXPECT_TRUE(is_right(Problem(seed), {.method = "completion", .tolerance = 1e-8}));
}

// Huge coefficients made every row small beside its terms, so that a rank of 2 was taken for a
// solution.
TEST(ManufacturedRegression, completion_takes_no_slope_from_an_array_that_lost_its_rank) {
  EXPECT_TRUE(is_right(Problem(9763), {.method = "completion", .tolerance = 1e-8}));
  EXPECT_TRUE(is_right(Problem(12694), {.method = "completion", .tolerance = 1e-6}));
}

// Of a start x0 is known, and undamped steps from there to all coefficients at once came to others,
// which satisfied the array in powers of a time so short that nothing of them was felt.
TEST(ManufacturedRegression, the_array_finds_the_coefficients_of_a_start) {
  for (const std::uint64_t seed : {1034, 1123, 1147})
    EXPECT_TRUE(is_right(Problem(seed), {.method = "auto", .tolerance = 1e-6, .start = Start::off}))
        << seed;
}

// Predicted coefficients of high order left residuals in the array's last rows, its Jacobian lost
// rank there, and steps became short; in powers of short steps rows lose their digits.
TEST(ManufacturedRegression, steps_of_the_array_stay_on_a_smooth_solution) {
  for (const std::uint64_t seed : {9, 311, 347})
    EXPECT_TRUE(
        is_right(Problem(seed), {.method = "auto", .tolerance = 1e-6, .start = Start::exact}))
        << seed;
}

// Gauss-Newton steps from the determined coefficients alone did not converge.
TEST(ManufacturedRegression, completion_begins_with_all_coefficients_of_the_start) {
  EXPECT_TRUE(is_right(Problem(311), {.method = "completion", .tolerance = 1e-4}));
  EXPECT_TRUE(is_right(Problem(2520), {.method = "completion", .tolerance = 1e-4}));
}

// The 16th derivative of a chosen function, found by differentiating: 16! eps is 0.005. The
// solution was said to have a kink.
TEST(ManufacturedRegression, rounding_in_a_long_chain_is_called_rounding) {
  const Problem problem(10, {.index = 16, .nonlinearity = 2, .coupling = 1});
  const Solution solution = solve(problem.model(Start::exact),
                                  {.from = problem.from(), .to = problem.to(), .tolerance = 1e-6});
  ASSERT_EQ(solution.status(), Status::step_floor);
  EXPECT_THAT(solution.problems()[0].why, testing::HasSubstr("rounding errors"));
}

// The equivalent model divides by cos(1.919*time), which is nowhere in the one that was written.
TEST(ManufacturedRegression, what_ends_a_converted_model_only_is_said_to) {
  const Problem problem(204);
  const Solution solution = solve(problem.model(Start::exact),
                                  {.from = problem.from(), .to = problem.to(), .tolerance = 1e-6});
  ASSERT_EQ(solution.status(), Status::left_domain);
  EXPECT_THAT(solution.problems()[0].why, testing::HasSubstr("of the equivalent model"));
  EXPECT_THAT(solution.problems()[0].todo, testing::HasSubstr("use the method array"));
  EXPECT_TRUE(is_right(problem, {.method = "array", .tolerance = 1e-6, .start = Start::exact}));
}

// With guesses that contradict an equation x' went to 1e14, whose rounding explained every
// residual.
TEST(ManufacturedRegression, a_start_that_satisfies_no_equation_is_not_consistent) {
  EXPECT_TRUE(is_right_or_says_why_not(Problem(41),
                                       {.method = "auto", .tolerance = 1e-6, .start = Start::off}));
}

// Values before an early end were 220 tolerances off: the array multiplies rounding by 5e14.
TEST(ManufacturedRegression, an_ill_conditioned_array_says_so) {
  EXPECT_TRUE(is_right_or_says_why_not(Problem(365), {.method = "auto", .tolerance = 1e-4}));
}

// The system Jacobian is regular nearly everywhere, and singular on the solution: its entries there
// are what rounding leaves of other equations.
TEST(ManufacturedRegression, auto_takes_the_array_where_the_jacobian_is_singular_on_the_solution) {
  for (const std::uint64_t seed : {34, 43})
    EXPECT_TRUE(is_right(Problem(seed, {.index = 3, .order = 1, .nonlinearity = 2, .coupling = 2}),
                         {.method = "auto", .tolerance = 1e-8, .start = Start::exact}));
}

// A conversion hides a slope that is free in the equations as written: another solution was told,
// with status ok.
TEST(ManufacturedRegression, a_converted_model_starts_at_the_point_nearest_to_the_guesses) {
  const Problem problem(10130);
  EXPECT_TRUE(is_right(problem, {.method = "auto", .tolerance = 1e-8, .start = Start::exact}));
  for (const char* method : {"taylor", "dd-erk", "dd-ida"})
    EXPECT_TRUE(is_right_or_says_why_not(
        problem, {.method = method, .tolerance = 1e-8, .start = Start::exact}));
}

}  // namespace
}  // namespace daedal::manufactured

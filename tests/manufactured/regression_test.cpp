// Failures that runs over seeds have found, each with the problem that showed it.
#include <gtest/gtest.h>

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
    EXPECT_TRUE(is_right_or_says_why_not(
        Problem(seed), {.method = "completion", .tolerance = 1e-6, .start = Start::exact}));
}

// 400000 tolerances off, without a word: values had left the constraints behind.
TEST(ManufacturedRegression, completion_says_that_it_drifts) {
  EXPECT_TRUE(is_right_or_says_why_not(Problem(385), {.method = "completion", .tolerance = 1e-8}));
  EXPECT_TRUE(
      is_right_or_says_why_not(Problem(10131), {.method = "completion", .tolerance = 1e-8}));
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

// The generator itself (docs/theory/manufactured-problems.md).
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/analysis.hpp"
#include "manufactured/trial.hpp"

namespace daedal::manufactured {
namespace {

TEST(ManufacturedProblems, chosen_functions_satisfy_the_disguised_equations) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem(seed);
    for (const double t : {problem.from(), problem.to()})
      for (const Real residual : problem.residuals(problem.exact(t, problem.depth() + 1), t))
        EXPECT_LT(std::abs(residual), 1e-13L) << "seed " << seed << ", t = " << t;
  }
}

TEST(ManufacturedProblems, lags_give_the_index_that_was_asked_for) {
  for (int index = 0; index <= max_index; ++index)
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_EQ(Problem(seed, {.index = index}).system().index(), index) << "seed " << seed;
}

// An independent look at the same number: lags are made while building, offsets from the pattern.
TEST(ManufacturedProblems, structural_analysis_finds_the_index_where_the_disguise_keeps_to_lags) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem(seed, {.order = 1, .coupling = static_cast<int>(seed % 2)});
    const Analysis analysis = analyze(problem.model(Start::exact));
    EXPECT_EQ(analysis.status, AnalysisStatus::ok) << "seed " << seed;
    EXPECT_EQ(analysis.structural_index, problem.choice().index) << "seed " << seed;
  }
}

TEST(ManufacturedProblems, text_and_expressions_are_the_same_model) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem(seed, {.coupling = static_cast<int>(seed % 3)});
    const Analysis built = analyze(problem.model(Start::exact)),
                   read = analyze(parse_model(problem.text(Start::exact)));
    EXPECT_EQ(built.c, read.c) << "seed " << seed;
    EXPECT_EQ(built.d, read.d) << "seed " << seed;
  }
}

// Figures and regression tests name seeds.
TEST(ManufacturedProblems, a_seed_is_the_same_problem_with_every_compiler) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = Problem(seed).text(Start::exact);
    for (const char c : text.substr(text.find("\nequation\n")))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  EXPECT_EQ(hash, 12459384863511512618U);
}

}  // namespace
}  // namespace daedal::manufactured

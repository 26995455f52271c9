// Steady states of the reactor and the column: what enters leaves. No integrator is needed for this
// witness, and no equation of a single tray.
#include <gtest/gtest.h>

#include <cmath>

#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal {
namespace {

TEST(TrayColumn, lets_out_in_the_end_what_comes_in) {
  Solution end = solve(problems::tray_column(5), {.to = 400.0, .tolerance = 1e-12});
  ASSERT_TRUE(end.ok());
  const auto at = [&](const char* name) { return end(name, end.t()); };
  const double solute_in = 2 * 0.001 + 1 * 0.1;
  EXPECT_NEAR(at("L[5]") * at("x[5]") + at("V[1]") * at("y[1]"), solute_in, 1e-12);
  EXPECT_NEAR(at("L[5]") + at("V[1]"), 2.0 + 1.0, 1e-11);
  EXPECT_LT(at("y[1]"), 0.1 / 20);  // it cleans the gas
}

// Of every kmol of A and B that enter, C takes one each: FA - C leaves as A, FB - C as B.
TEST(ReactorSeparator, lets_out_in_the_end_what_comes_in) {
  Solution end = solve(problems::reactor_separator(), {.to = 200.0, .tolerance = 1e-12});
  ASSERT_TRUE(end.ok());
  const auto at = [&](const char* name) { return end(name, end.t()); };
  const double vented_A = at("F2") * at("wA") / (at("wA") + at("wC"));
  const double vented_C = at("F2") - vented_A;
  const double made_C = 0.15 * at("nC") + vented_C;
  EXPECT_NEAR(0.15 * at("nA") + vented_A, 1.0 - made_C, 1e-12);
  EXPECT_NEAR(0.15 * at("nB"), 0.8 - made_C, 1e-12);
  EXPECT_GT(at("F2"), 0.0);
}

}  // namespace
}  // namespace daedal

#include "integrate/progress.hpp"

#include <gtest/gtest.h>

namespace daedal::integrate {
namespace {

// Whether 10^5 steps of this length, after some of length 1e-3, are found hopeless in a run of
// length 1.
bool gives_up_with_steps_of(double length) {
  Progress progress;
  progress.begin(0.0, 1.0);
  double t = 0.0;
  for (int k = 0; k < 10; ++k) progress.add(t += 1e-3);
  for (long k = 0; k < 2 * Progress::many; ++k) progress.add(t += length);
  return progress.is_hopeless();
}

TEST(Progress, a_run_that_would_take_a_billion_steps_goes_on) {
  EXPECT_FALSE(gives_up_with_steps_of(1e-9));
}

TEST(Progress, a_run_that_would_take_ten_trillion_steps_is_given_up) {
  EXPECT_TRUE(gives_up_with_steps_of(1e-13));
}

TEST(Progress, a_layer_of_short_steps_in_front_does_no_harm) {
  Progress progress;
  progress.begin(0.0, 1.0);
  double t = 0.0;
  for (long k = 0; k < Progress::many - 1; ++k) progress.add(t += 1e-15);
  progress.add(t += 1e-3);
  EXPECT_FALSE(progress.is_hopeless());
}

}  // namespace
}  // namespace daedal::integrate

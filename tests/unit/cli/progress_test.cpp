// The line that shows how far a run has come: a function of the progress and the time alone.
#include "cli/progress.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace daedal::cli {
namespace {

TEST(ProgressLine, shows_percent_time_steps_speed_and_what_is_left) {
  EXPECT_EQ(progress_line({.from = 0, .to = 100, .t = 25, .steps = 1000}, 4.0),
            " 25%  t = 25 of 100  1000 steps  250 steps/s  ETA 12 s");
}

TEST(ProgressLine, of_an_ensemble_counts_members) {
  EXPECT_EQ(progress_line({.members = 1000, .members_done = 250, .steps = 8000}, 4.0),
            " 25%  250 of 1000 members  8000 steps  2e+03 steps/s  ETA 12 s");
  EXPECT_EQ(progress_line({.members = 10, .members_done = 0, .steps = 8}, 4.0),
            "  0%  0 of 10 members  8 steps  2 steps/s");
}

TEST(ProgressLine, of_a_backward_run_counts_forward) {
  EXPECT_EQ(progress_line({.from = 10, .to = -10, .t = -5, .steps = 30}, 3.0),
            " 75%  t = -5 of -10  30 steps  10 steps/s  ETA 1 s");
}

TEST(ProgressLine, never_says_100_percent_before_the_end) {
  const std::string line = progress_line({.from = 0, .to = 1, .t = 0.9999, .steps = 5}, 1.0);
  EXPECT_EQ(line.substr(0, 4), " 99%");
  EXPECT_EQ(progress_line({.from = 0, .to = 1, .t = 1, .steps = 5}, 1.0).substr(0, 4), "100%");
}

TEST(ProgressLine, promises_nothing_while_nothing_is_known) {
  EXPECT_EQ(progress_line({.from = 0, .to = 10, .t = 0, .steps = 0}, 2.0),
            "  0%  t = 0 of 10  0 steps  0 steps/s");
  EXPECT_EQ(progress_line({.from = 0, .to = 10, .t = 1, .steps = 1}, 0.0),
            " 10%  t = 1 of 10  1 steps");
}

TEST(ProgressLine, of_a_run_over_no_time_is_at_its_end) {
  EXPECT_EQ(progress_line({.from = 2, .to = 2, .t = 2, .steps = 0}, 0.0).substr(0, 4), "100%");
}

TEST(ProgressLine, fits_a_terminal_whatever_the_numbers) {
  const Progress longest{
      .from = 0, .to = -1.23456789e-100, .t = -1.23456789e-200, .steps = 123456789012};
  EXPECT_LT(progress_line(longest, 1e-3).size(), 80U);
  EXPECT_LT(progress_line(longest, 1e9).size(), 80U);
}

TEST(ProgressLine, survives_times_that_are_no_numbers) {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(progress_line({.from = 0, .to = 1, .t = nan_value, .steps = 1}, 1.0).substr(0, 4),
            "  0%");
}

TEST(Duration, is_told_in_the_two_largest_units) {
  EXPECT_EQ(duration_text(-1.0), "0 s");
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(185.0), "3 min 5 s");
  EXPECT_EQ(duration_text(7800.0), "2 h 10 min");
  EXPECT_EQ(duration_text(1e9), "over 99 h");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "over 99 h");
}

}  // namespace
}  // namespace daedal::cli

#include "hybrid/accumulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daedal::hybrid {
namespace {

// A ball that leaves the ground at 0 with v = 1 under g = 1 and restitution e lands at 2, and then
// after 2 e, 2 e^2, ...: it comes to rest at 2/(1 - e).
class BouncingBall : public testing::TestWithParam<double> {};

TEST_P(BouncingBall, comes_to_rest_at_the_limit_of_the_series) {
  const double e = GetParam(), rest = 2.0 / (1.0 - e);
  Accumulation landings;
  double time = 0.0, flight = 2.0;
  for (int k = 0; k < 7; ++k, flight *= e) {
    EXPECT_FALSE(landings.limit()) << k;
    EXPECT_EQ(landings.remaining(), std::numeric_limits<double>::infinity());
    landings.add(time += flight);
  }
  for (int k = 7; flight > 1e-8; ++k, flight *= e) {
    ASSERT_TRUE(landings.limit()) << k;
    EXPECT_NEAR(*landings.limit(), rest, 1e-10 * rest) << k;
    EXPECT_NEAR(landings.remaining(), flight / (1.0 - e), 1e-10 * rest);
    landings.add(time += flight);
  }
}
INSTANTIATE_TEST_SUITE_P(Restitution, BouncingBall, testing::Values(0.1, 0.5, 0.8, 0.95, 0.99));

TEST(Accumulation, is_seen_backwards_in_time) {
  Accumulation events;
  double time = 5.0, interval = 1.0;
  for (int k = 0; k < 10; ++k, interval *= 0.7) events.add(time -= interval);
  ASSERT_TRUE(events.limit());
  EXPECT_NEAR(*events.limit(), 5.0 - 1.0 / 0.3, 1e-12);
  EXPECT_GT(events.remaining(), 0.0);
}

TEST(Accumulation, is_not_regular_events) {
  Accumulation events;
  for (int k = 0; k < 1000; ++k) {
    events.add(0.1 * k);
    ASSERT_FALSE(events.limit());
  }
}

TEST(Accumulation, is_not_intervals_that_grow) {
  Accumulation events;
  double time = 0.0, interval = 1.0;
  for (int k = 0; k < 50; ++k, interval *= 1.1) {
    events.add(time += interval);
    ASSERT_FALSE(events.limit());
  }
}

TEST(Accumulation, is_not_a_harmonic_series) {
  Accumulation events;
  double time = 0.0;
  for (int k = 1; k < 100000; ++k) {
    events.add(time += 1.0 / k);
    ASSERT_FALSE(events.limit()) << k;
  }
}

TEST(Accumulation, is_not_told_from_powers_of_the_number_before_it_can_be) {
  Accumulation events;
  double time = 0.0;
  for (int k = 1; k < 10000; ++k) {
    events.add(time += 1.0 / (static_cast<double>(k) * k));
    ASSERT_FALSE(events.limit()) << k;  // Aitken's limit would be wrong by half of what remains
  }
}

TEST(Accumulation, is_told_when_ratios_settle) {
  // restitution 0.6 + 0.3 v: intervals are geometric in the end only
  Accumulation events;
  double time = 0.0, v = 1.0;
  double first_limit = 0.0;
  for (int k = 0; k < 40; ++k) {
    events.add(time += 2.0 * v);
    if (first_limit == 0.0 && events.limit()) first_limit = *events.limit();
    v *= 0.6 + 0.3 * v;
  }
  EXPECT_NE(first_limit, 0.0);
  EXPECT_NEAR(first_limit, time, 1e-2);
  EXPECT_NEAR(*events.limit(), time, 1e-7);
}

TEST(Accumulation, begins_anew_where_time_turns_or_stands) {
  Accumulation events;
  double time = 0.0, interval = 1.0;
  for (int k = 0; k < 10; ++k, interval *= 0.5) events.add(time += interval);
  ASSERT_TRUE(events.limit());
  events.add(time);
  EXPECT_FALSE(events.limit());
  for (int k = 0; k < 6; ++k, interval *= 0.5) events.add(time += interval);
  EXPECT_TRUE(events.limit());
  events.add(time - 1.0);
  EXPECT_FALSE(events.limit());
  events.clear();
  EXPECT_FALSE(events.limit());
}

}  // namespace
}  // namespace daedal::hybrid

#include "integrate/event_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedal::integrate {
namespace {

// x = 1 - 2 s + s^3, y = s^2 on a step from t = 3, s = (t - 3)/0.5.
struct Step {
  solution::StepLayout layout{.column = {0, 1}, .degrees = {3, 3}, .num_rows = 4};
  std::vector<double> numbers = {1, 0, -2, 0, 0, 1, 1, 0};
  solution::StepView view{.begin = 3.0, .end = 4.0, .scale = 0.5, .coefficients = numbers.data()};

  double up_to_first(EventWatch& watch, double t_new) const {
    return watch.up_to_first(view, layout, t_new, 1e-14);
  }
};

const double root_of_x = 0.5 * (std::sqrt(5.0) - 1.0);  // of 1 - 2 s + s^3, beside 1

TEST(EventWatch, ends_a_step_where_the_first_function_changes_sign) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions({{.terms = {{.unknown = 0}}, .side = 1},
                       {.terms = {{.unknown = 1}}, .constant = -0.25, .side = -1}});
  EXPECT_NEAR(step.up_to_first(watch, 4.0), 3.25, 1e-15);
  ASSERT_EQ(watch.arrivals().size(), 1u);
  EXPECT_EQ(watch.arrivals()[0].function, 1);
  EXPECT_EQ(watch.arrivals()[0].side, 1);
  EXPECT_EQ(step.up_to_first(watch, 3.2), 3.2);
  EXPECT_TRUE(watch.arrivals().empty());
}

// 2 x' + 3 t - 8 with x' = (-2 + 3 s^2)/0.5: -8 + 12 s^2 + 9 + 1.5 s - 8 = 0.
TEST(EventWatch, knows_linear_functions_of_derivatives_and_time) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions({{.terms = {{.unknown = 0, .order = 1, .factor = 2.0}},
                        .constant = -8.0,
                        .slope = 3.0,
                        .side = -1}});
  const double s = (-1.5 + std::sqrt(1.5 * 1.5 + 4 * 12 * 7)) / 24;
  EXPECT_NEAR(step.up_to_first(watch, 4.0), 3.0 + 0.5 * s, 1e-15);
}

TEST(EventWatch, takes_functions_that_arrive_together) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions({{.terms = {{.unknown = 0}}, .side = 1},
                       {.terms = {{.unknown = 0, .order = 0, .factor = -3.0}}, .side = -1}});
  EXPECT_NEAR(step.up_to_first(watch, 4.0), 3.0 + 0.5 * root_of_x, 1e-15);
  EXPECT_EQ(watch.arrivals().size(), 2u);
}

// What is searched depends on what was found before: whatever the order, the first event is the
// same.
TEST(EventWatch, finds_the_first_of_many_in_any_order) {
  const Step step;
  std::vector<WatchedFunction> functions;
  for (int k = 1; k <= 200; ++k)  // x falls from 1 through 1 - 2 s + s^3 = k/201
    functions.push_back({.terms = {{.unknown = 0}}, .constant = -k / 201.0, .side = 1});
  double alone = 4.0;
  for (const WatchedFunction& function : functions) {
    EventWatch watch(1e-9);
    watch.set_functions({function});
    alone = std::min(alone, step.up_to_first(watch, 4.0));
  }
  for (const bool is_reversed : {false, true}) {
    if (is_reversed) std::reverse(functions.begin(), functions.end());
    EventWatch watch(1e-9);
    watch.set_functions(functions);
    EXPECT_EQ(step.up_to_first(watch, 4.0), alone);
    ASSERT_EQ(watch.arrivals().size(), 1u);
    EXPECT_EQ(watch.arrivals()[0].function, is_reversed ? 0 : 199);
  }
}

// x + 4 y - 0.7 = 0.3 - 2 s + 4 s^2 + s^3 falls fast and turns back before it is zero; 0.9 - 2 s +
// s^3 does not.
TEST(EventWatch, is_not_misled_by_a_function_that_turns_back) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions(
      {{.terms = {{.unknown = 0}}, .constant = -0.1, .side = 1},
       {.terms = {{.unknown = 0}, {.unknown = 1, .factor = 4.0}}, .constant = -0.7, .side = 1}});
  double s = 0.5;
  for (int k = 0; k < 20; ++k) s -= (0.9 - 2 * s + s * s * s) / (3 * s * s - 2);
  EXPECT_NEAR(step.up_to_first(watch, 4.0), 3.0 + 0.5 * s, 1e-15);
  ASSERT_EQ(watch.arrivals().size(), 1u);
  EXPECT_EQ(watch.arrivals()[0].function, 0);
}

// y = s^2 begins at zero and leaves upwards.
TEST(EventWatch, tells_the_side_behind_a_zero) {
  const Step step;
  EventWatch watch(1e-9);
  const WatchedFunction y{.terms = {{.unknown = 1}}, .is_at_zero = true};
  EXPECT_EQ(watch.side_behind(y, step.view, step.layout, 0.5), 1);
  WatchedFunction off = y;
  off.constant = -1e-10;  // as an event may leave it
  EXPECT_EQ(watch.side_behind(off, step.view, step.layout, 0.5), 1);
  off.is_at_zero = false;
  EXPECT_EQ(watch.side_behind(off, step.view, step.layout, 0.5), -1);
}

TEST(EventWatch, tells_functions_that_do_not_stay_zero) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions({{.terms = {{.unknown = 1}}, .side = 0}});
  EXPECT_LT(step.up_to_first(watch, 4.0), 3.0 + 1e-13);
  ASSERT_EQ(watch.arrivals().size(), 1u);
  EXPECT_EQ(watch.arrivals()[0].side, 1);
  watch.set_functions({{.terms = {{.unknown = 1, .order = 0, .factor = 1e-9}}, .side = 0}});
  EXPECT_EQ(step.up_to_first(watch, 4.0), 4.0);
}

// (s - 0.5)^2 - depth: two crossings, or one touch if the tolerance cannot tell.
TEST(EventWatch, takes_a_shallow_crossing_for_a_touch) {
  for (const double depth : {1e-6, 1e-12, -1e-12, -1e-6}) {
    Step step;
    step.numbers = {0.25 - depth, 0, -1, 0, 1, 0, 0, 0};
    step.view.coefficients = step.numbers.data();
    EventWatch watch(1e-9);
    watch.set_functions({{.terms = {{.unknown = 0}}, .side = 1}});
    const double t = step.up_to_first(watch, 4.0);
    if (depth == -1e-6) {
      EXPECT_TRUE(watch.arrivals().empty());
      continue;
    }
    ASSERT_EQ(watch.arrivals().size(), 1u) << depth;
    EXPECT_EQ(watch.arrivals()[0].touches, std::abs(depth) < 1e-9);
    EXPECT_NEAR(t, depth == 1e-6 ? 3.0 + 0.5 * 0.499 : 3.25, 1e-8);
  }
}

TEST(EventWatch, corrects_the_time_by_the_value_found_there) {
  const Step step;
  EventWatch watch(1e-9);
  watch.set_functions({{.terms = {{.unknown = 0}}, .side = 1}});
  const double t = step.up_to_first(watch, 4.0);
  ASSERT_NE(watch.crossing(), nullptr);
  const double slope = (-2 + 3 * root_of_x * root_of_x) / 0.5;
  EXPECT_NEAR(watch.correction(step.view, step.layout, t, 1e-7), 1e-7 / slope, 1e-14);
  EXPECT_EQ(watch.correction(step.view, step.layout, t, 0.0), 0.0);
}

TEST(EventWatch, minds_the_accuracy_of_a_function_where_it_can_be_zero) {
  const Step step;
  EventWatch watch(1e-9);
  WatchedFunction x{.terms = {{.unknown = 0}}, .is_own = true};
  watch.set_functions({x});
  EXPECT_LT(watch.longest_accurate_step(step.view, step.layout, 1.0), 0.1);
  x.constant = 100.0;
  watch.set_functions({x});
  EXPECT_EQ(watch.longest_accurate_step(step.view, step.layout, 1.0), 1.0);
  x.constant = 0.0;
  x.is_own = false;
  watch.set_functions({x});
  EXPECT_EQ(watch.longest_accurate_step(step.view, step.layout, 1.0), 1.0);
}

}  // namespace
}  // namespace daedal::integrate

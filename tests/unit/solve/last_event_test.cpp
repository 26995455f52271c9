// What happens at the last instant of a run: discrete variables are what clauses set there, by
// every method; other values are the limit from before.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daedal/solve.hpp"

namespace daedal {
namespace {

const std::vector<std::string> all_methods = {"auto", "dd-erk", "dd-ida",
                                              "bdf",  "array",  "completion"};

struct Clock {
  Model m{"Clock"};
  Expression x = m.variable("x", {.start = {0.0}, .fixed = {true}});
  Expression n = m.discrete("n", 0.0), after = m.discrete("after", 0.0);

  Clock() { m.equation(der(x) == Expression(1.0)); }
  void expect(double t, double x_end, double n_end, double after_end) {
    for (const std::string& method : all_methods) {
      const Solution s = solve(m, {.to = 3.0, .method = method});
      ASSERT_TRUE(s.ok()) << method;
      EXPECT_NEAR(s.t(), t, 1e-8) << method;
      EXPECT_NEAR(s.final()[0], x_end, 1e-8) << method;
      EXPECT_EQ(s.final_outputs()[0], n_end) << method;
      EXPECT_EQ(s.final_outputs()[1], after_end) << method;
      EXPECT_EQ(s("n", s.t()), n_end) << method;
    }
  }
};

TEST(LastEvent, a_condition_on_time_at_the_end_of_the_run_acts) {
  Clock clock;
  clock.m.when(clock.m.time() >= 3.0, {assign(clock.n, clock.n + 1.0)});
  clock.expect(3.0, 3.0, 1.0, 0.0);
}

TEST(LastEvent, a_condition_on_values_at_the_end_of_the_run_acts_and_so_does_what_follows) {
  Clock clock;
  clock.m.when(clock.x >= 3.0, {assign(clock.n, clock.n + 1.0), reinit(clock.x, 0.5)});
  clock.m.when(clock.n > 0.5, {assign(clock.after, Expression(7.0))});
  clock.expect(3.0, 3.0, 1.0, 7.0);
}

TEST(LastEvent, a_clause_that_ends_the_run_does_what_else_it_says) {
  Clock clock;
  clock.m.when(clock.x >= 2.0, {assign(clock.n, clock.n + 4.0), terminate("far enough")});
  clock.expect(2.0, 2.0, 4.0, 0.0);
}

// y = 0 and y = 1 both contradict y once it is on: no mode could begin there, and none has to.
TEST(LastEvent, what_cannot_go_on_from_the_end_is_no_failure) {
  Model m("Paradox");
  const Expression x = m.variable("x", {.start = {0.0}, .fixed = {true}}), y = m.variable("y");
  const Expression on = m.discrete("on", 0.0);
  m.equation(der(x) == Expression(1.0));
  m.equation(y == on * if_else(y > 0.5, 0.0, 1.0));
  m.when(m.time() >= 3.0, {assign(on, Expression(1.0))});
  const Solution s = solve(m, {.to = 3.0});
  EXPECT_TRUE(s.ok());
  EXPECT_NEAR(s.final()[0], 3.0, 1e-12);
  EXPECT_FALSE(solve(m, {.to = 3.1}).ok());
}

}  // namespace
}  // namespace daedal

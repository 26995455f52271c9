// What is read from a solution, by name or by number; copies; solutions that were given away.
#include "daedal/solution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

// x = sin(2 t) to t = 3; n counts from 4 to 5 at t = 1.
Model counted_oscillator() {
  return parse_model(
      "model Counted\n"
      "  Real x(start = {0, 2}, fixed = {true, true});\n"
      "  Real v;\n"
      "  discrete Real n(start = 4);\n"
      "  output Real energy = 0.5*der(x)^2 + 2*x^2;\n"
      "equation\n"
      "  der(x, 2) + 4*x = 0;\n"
      "  v = der(x);\n"
      "  when time > 1 then\n"
      "    n = pre(n) + 1;\n"
      "  end when;\n"
      "end Counted;\n");
}

Solution solved() { return solve(counted_oscillator(), {.to = 3.0, .tolerance = 1e-13}); }

std::string id_of(const std::function<double()>& asked) {
  try {
    asked();
  } catch (const Error& error) {
    return error.problems().front().id;
  }
  return "";
}

TEST(FinalValues, are_found_by_name_and_by_number) {
  const Solution s = solved();
  ASSERT_TRUE(s.ok());
  EXPECT_NEAR(s.final("x"), std::sin(6.0), 1e-11);
  EXPECT_EQ(s.final("x"), s.final()[0]);
  EXPECT_EQ(s.final(0), s.final()[0]);
  EXPECT_NEAR(s.final("v"), 2 * std::cos(6.0), 1e-11);
  EXPECT_EQ(s.final("n"), 5.0);
  EXPECT_NEAR(s.final("energy"), 2.0, 1e-11);
}

TEST(FinalValues, of_derivatives_have_a_name_or_an_order_or_both) {
  const Solution s = solved();
  EXPECT_NEAR(s.final("der(x)"), 2 * std::cos(6.0), 1e-11);
  EXPECT_EQ(s.final("x", 1), s.final("der(x)"));
  EXPECT_EQ(s.final(0, 1), s.final("der(x)"));
  EXPECT_NEAR(s.final("der(x, 2)"), -4 * std::sin(6.0), 1e-11);
  EXPECT_EQ(s.final("der(x)", 1), s.final("x", 2));
  EXPECT_EQ(s.final("der(der(x))"), s.final("x", 2));
  EXPECT_EQ(s.final("der(x, 0)"), s.final("x"));
}

TEST(FinalValues, that_are_not_there_are_refused_by_id) {
  const Solution s = solved();
  EXPECT_EQ(id_of([&] { return s.final("z"); }), "E-SOL-002");
  EXPECT_EQ(id_of([&] { return s.final("der(z)"); }), "E-SOL-002");
  EXPECT_EQ(id_of([&] { return s.final(-1); }), "E-SOL-002");
  EXPECT_EQ(id_of([&] { return s.final(3); }), "E-SOL-002");
  EXPECT_EQ(id_of([&] { return s.final("x", 99); }), "E-SOL-004");
  EXPECT_EQ(id_of([&] { return s.final("x", -1); }), "E-SOL-004");
  EXPECT_EQ(id_of([&] { return s.final("der(energy)"); }), "E-SOL-004");
  EXPECT_EQ(id_of([&] { return s.final("n", 1); }), "E-SOL-004");
  EXPECT_EQ(id_of([&] { return Solution().final("x"); }), "E-SOL-002");
}

TEST(ValuesInsideOfARun, have_the_names_of_final_values) {
  const Solution s = solved();
  EXPECT_NEAR(s("der(x)", 0.7), 2 * std::cos(1.4), 1e-11);
  EXPECT_EQ(s("der(x)", 0.7), s("x", 0.7, 1));
  EXPECT_EQ(s("der(x)", 0.7, 1), s("x", 0.7, 2));
  EXPECT_EQ(s("n", 0.7), 4.0);
  EXPECT_EQ(id_of([&] { return s("der(n)", 0.7); }), "E-SOL-004");
  EXPECT_EQ(id_of([&] { return s("der(z)", 0.7); }), "E-SOL-002");
}

TEST(Solutions, that_were_copied_read_the_same_steps) {
  Solution first = solved();
  const Solution copy = first;
  const double value = first("x", 0.7);
  first = Solution();
  EXPECT_TRUE(first.variables().empty());
  EXPECT_EQ(copy("x", 0.7), value);
  EXPECT_EQ(copy.statistics().steps, static_cast<long>(copy.step_notes().size()));
}

TEST(Solutions, of_a_simulation_that_goes_on_leave_their_copies_as_they_are) {
  Simulation simulation(counted_oscillator(), {.to = 3.0, .tolerance = 1e-13});
  ASSERT_TRUE(simulation.step_until(0.5));
  const Solution early = simulation.solution();
  const long steps = early.statistics().steps;
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(early.t(), 0.5);
  EXPECT_EQ(early.statistics().steps, steps);
  EXPECT_TRUE(early.events().empty());
  EXPECT_EQ(id_of([&] { return early("x", 2.0); }), "E-SOL-001");
  EXPECT_NEAR(simulation.solution()("x", 2.0), std::sin(4.0), 1e-11);
}

TEST(Solutions, that_were_moved_from_are_empty) {
  Solution first = solved();
  const Solution second = std::move(first);
  EXPECT_TRUE(first.ok());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(first.final().empty());
  EXPECT_EQ(first.t(), 0.0);
  EXPECT_EQ(id_of([&] { return first(0, 0.5); }), "E-SOL-003");
  EXPECT_EQ(second.t(), 3.0);
}

// The end of x' = x^2 is a pole.
TEST(Simulation, whose_failed_solution_was_taken_says_that_it_was) {
  Simulation simulation(
      parse_model("model Pole\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend "
                  "Pole;\n"),
      {.to = 2.0});
  EXPECT_FALSE(simulation.finish());
  EXPECT_EQ(simulation.take_solution().status(), Status::blow_up);
  EXPECT_EQ(id_of([&] {
              simulation.set("x", 1.0);
              return 0.0;
            }),
            "E-SIM-005");
}

}  // namespace
}  // namespace daedal

// The parallel robot with limited torques and dry friction [Nedialkov2009]: its modes, and every
// event, against dense samples of the solution and against an integration by other means.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

#include "published/digits.hpp"
#include "published/robot_witness.hpp"

namespace daedal::test {
namespace {

using testing::ElementsAre;

constexpr double end = 5.0;
constexpr int q = 2, qd = 4, G = 8, E = 10;  // places of the first of two variables

Solution run(double tolerance) {
  return solve(problems::parallel_robot(), {.to = end, .tolerance = tolerance});
}
const Solution& robot_run() {
  static const Solution solution = run(1e-12);
  return solution;
}

// The controller's wish, and the six event functions, in the order of robot::event_function.
double wanted_torque(const Solution& solution, int i, double t) {
  return robot::Kc * (solution(qd + i, t) - solution(q + i, t) + solution(E + i, t) / robot::Ti +
                      robot::Td * (solution(qd + i, t, 1) - solution(q + i, t, 1)));
}
std::array<double, robot::num_functions> event_functions(const Solution& solution, double t) {
  const double first = wanted_torque(solution, 0, t), second = wanted_torque(solution, 1, t);
  return {solution(q, t, 1),    solution(q + 1, t, 1), first - robot::alpha,
          first + robot::alpha, second - robot::alpha, second + robot::alpha};
}

// The event function that is zero at an event: below the error of a run at 1e-9, far above that of
// the others.
int function_of(const Solution& solution, const Event& event) {
  const auto values = event_functions(solution, event.t);
  const auto nearest = std::min_element(
      values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  EXPECT_LT(std::abs(*nearest), 1e-6) << event.name;
  return static_cast<int>(nearest - values.begin());
}

// Without those at the start, which say that the first guess of the mode was wrong.
std::vector<Event> events_on_the_way(const Solution& solution) {
  std::vector<Event> events;
  for (const Event& event : solution.events())
    if (event.t > 0) events.push_back(event);
  return events;
}

TEST(Nedialkov2009, parallel_robot_starts_with_both_torques_at_their_limits) {
  const Solution& solution = robot_run();
  ASSERT_TRUE(solution.ok());
  ASSERT_GE(solution.events().size(), 2u);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(solution.events()[k].t, 0.0);
    EXPECT_EQ(solution.events()[k].mode, 1);
  }
  EXPECT_GT(wanted_torque(solution, 0, 0), 50);
  EXPECT_LT(wanted_torque(solution, 1, 0), -50);
  const double first_switch = events_on_the_way(solution).at(0).t;
  for (const double t : {0.0, 0.5 * first_switch, 0.999 * first_switch}) {
    EXPECT_EQ(solution("G[1]", t), 50) << t;
    EXPECT_EQ(solution("G[2]", t), -50) << t;
  }
}

TEST(Nedialkov2009, parallel_robot_with_both_torques_at_their_limits_is_not_quasilinear) {
  const ModeMet& mode = robot_run().modes().at(0);
  EXPECT_THAT(mode.c, ElementsAre(2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(mode.d, ElementsAre(2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1));
  EXPECT_FALSE(mode.quasilinear);
  EXPECT_EQ(mode.structural_index, 3);
  EXPECT_EQ(mode.dof, 6);
}

// One torque at its limit: the other arm's qd is still differentiated once.
TEST(Nedialkov2009, structure_of_the_parallel_robot_depends_on_the_limits_only) {
  const std::set<std::vector<int>> expected = {{2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                               {2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                                               {2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}};
  std::set<std::vector<int>> met;
  for (const ModeMet& mode : robot_run().modes()) {
    met.insert(mode.c);
    EXPECT_EQ(mode.quasilinear, mode.c[2] == 1 && mode.c[3] == 1);
    EXPECT_EQ(mode.structural_index, 3);
    EXPECT_EQ(mode.dof, 6);
  }
  EXPECT_EQ(met, expected);
}

// In one mode: friction is positive, and torques are those that the controller wishes, or these.
Model robot_in_one_mode(const std::string& torque) {
  std::ifstream file(variant("parallel_robot").model_file);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string friction = "sign(der(q[i]))";
  text.replace(text.find(friction), friction.size(), "1");
  const std::size_t begin = text.find("if Kc*"), wish = text.rfind("Kc*"),
                    last = text.find(';', wish);
  text.replace(begin, last - begin, torque.empty() ? text.substr(wish, last - wish) : torque);
  return parse_model(text);
}

// The numbers are those of an independent search for the nearest point (issue 26): by another
// program, from the guesses as the report gives them, with x'', q'', y, G and E' of the first DAE.
TEST(Nedialkov2009, guesses_of_all_initial_values_lead_to_the_nearest_point) {
  const ConsistentPoint first = initialize(robot_in_one_mode(""));
  ASSERT_TRUE(first.ok());
  Model limited = robot_in_one_mode("50*side[i]");
  for (std::size_t j = 0; j < first.variables.size(); ++j)
    for (std::size_t m = 0; m < first.values[j].size(); ++m)
      if (const std::string name = model::derivative_name(first.variables[j], static_cast<int>(m));
          m == 2 || name[0] == 'y' || name[0] == 'G' || name.starts_with("der(E"))
        limited.set_start(name, first.values[j][m]);

  const ConsistentPoint nearest = initialize(limited, {.start_weighting = "all"});
  ASSERT_TRUE(nearest.ok());
  EXPECT_NEAR(nearest.distance * nearest.distance, 24967, 1);
  const std::vector<std::vector<double>> printed = {
      {0.0336, -1.292}, {-0.3953, 0.530}, {-1.303, -14.35}, {-0.799, -14.19}};
  for (std::size_t j = 0; j < printed.size(); ++j)
    for (std::size_t m = 0; m < 2; ++m)
      EXPECT_NEAR(nearest.values[j][m], printed[j][m], 0.6e-3 * (m == 0 ? 1 : 10))
          << nearest.variables[j] << " order " << m;

  Model model = problems::parallel_robot();
  for (std::size_t j = 0; j < printed.size(); ++j)
    for (std::size_t m = 0; m < 2; ++m)
      model.set_start(model::derivative_name(nearest.variables[j], static_cast<int>(m)),
                      nearest.values[j][m]);
  const Solution solution = solve(model, {.to = end});
  EXPECT_TRUE(solution.ok());
  EXPECT_EQ(solution.modes().size(), 17u);
  EXPECT_EQ(solution.events().size(), 31u);
}

// The same by the option alone. Friction counts as 0 in the first mode, since sign(0) is 0, and its
// accelerations differ a little.
TEST(Nedialkov2009, parallel_robot_from_guesses_that_all_weigh_meets_18_modes_as_printed) {
  const Solution solution =
      solve(problems::parallel_robot(), {.to = end, .start_weighting = StartWeighting::all});
  ASSERT_TRUE(solution.ok());
  EXPECT_GT(solution.start().distance, 10);
  EXPECT_EQ(solution.modes().size(), 18u);
}

// Nothing else changes where the model is linear in its highest derivatives.
TEST(Nedialkov2009, guesses_of_accelerations_weigh_nothing_in_a_quasilinear_model) {
  Model model = problems::pendulum();
  model.set_start("der(x, 2)", 100.0);
  EXPECT_EQ(initialize(model).values, initialize(model, {.start_weighting = "all"}).values);
}

// 18 in the report, from a start of which not all is known: notes in parallel_robot.json.
TEST(ParallelRobot, passes_through_7_modes_in_26_events) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const Solution solution = run(tolerance);
    EXPECT_EQ(solution.modes().size(), 7u) << tolerance;
    EXPECT_EQ(solution.events().size(), 26u) << tolerance;
  }
}

TEST(Nedialkov2009, torques_of_the_parallel_robot_stay_within_50_Nm) {
  const Solution& solution = robot_run();
  constexpr int num_samples = 200'000;
  double largest = 0.0, difference = 0.0;
  for (int k = 0; k <= num_samples; ++k) {
    const double t = end * k / num_samples;
    for (int i = 0; i < 2; ++i) {
      const double torque = solution(G + i, t);
      largest = std::max(largest, std::abs(torque));
      difference = std::max(
          difference, std::abs(torque - std::clamp(wanted_torque(solution, i, t), -50.0, 50.0)));
    }
  }
  EXPECT_LE(largest, 50 + 1e-9);
  EXPECT_LE(difference, 1e-9);  // G is the limited wish everywhere
}

TEST(Nedialkov2009, every_event_of_the_parallel_robot_is_found) {
  const Solution& solution = robot_run();
  constexpr int num_samples = 200'000;
  struct Bracket {
    double before, after;
    int function;
  };
  std::vector<Bracket> brackets;
  auto before = event_functions(solution, end / num_samples);  // at t = 0 both arms are at rest
  for (int k = 2; k <= num_samples; ++k) {
    const double t = end * k / num_samples;
    const auto after = event_functions(solution, t);
    for (int j = 0; j < robot::num_functions; ++j)
      if ((before[j] > 0) != (after[j] > 0)) brackets.push_back({t - end / num_samples, t, j});
    before = after;
  }
  const std::vector<Event> events = events_on_the_way(solution);
  ASSERT_EQ(events.size(), brackets.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_GE(events[k].t, brackets[k].before - 1e-12) << events[k].name;
    EXPECT_LE(events[k].t, brackets[k].after + 1e-12) << events[k].name;
    EXPECT_EQ(function_of(solution, events[k]), brackets[k].function) << events[k].name;
  }
}

robot::State state_of(const Solution& solution, double t) {
  return {solution("x", t),    solution("z", t),    solution("x", t, 1),
          solution("z", t, 1), solution("E[1]", t), solution("E[2]", t)};
}

// Measured: instants to 7e-14 s, values to 1.3e-12; the witness sums 10,000 steps in double
// precision.
TEST(ParallelRobot, has_the_events_and_the_end_of_an_integration_by_other_means) {
  const Solution& solution = robot_run();
  const robot::Run witness = robot::integrate(0.0, state_of(solution, 0.0), end, 5e-4);
  const std::vector<Event> events = events_on_the_way(solution);
  ASSERT_EQ(events.size(), witness.crossings.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_NEAR(events[k].t, witness.crossings[k].t, 1e-12) << events[k].name;
    EXPECT_EQ(function_of(solution, events[k]), witness.crossings[k].function) << events[k].name;
  }
  EXPECT_EQ(std::set<robot::Mode>(witness.modes.begin(), witness.modes.end()).size(),
            solution.modes().size());
  const robot::State final = state_of(solution, end);
  for (std::size_t j = 0; j < final.size(); ++j) EXPECT_NEAR(final[j], witness.final[j], 1e-11);
}

TEST(ParallelRobot, has_the_stored_events_and_modes) {
  const Json& stored = variant("parallel_robot").facts.at("events");
  const std::vector<Event> events = events_on_the_way(robot_run());
  ASSERT_EQ(events.size() + 1, stored.size());  // those at the start are one instant
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_NEAR(events[k].t, number(stored[k + 1].at("t")), 1e-13) << k;
    EXPECT_EQ(events[k].mode, stored[k + 1].at("mode")) << k;
  }
}

// The reference is the witness's in extended precision, from the nearest point to the guesses.
TEST(ParallelRobot, agrees_with_the_reference_at_t_5_to_11_digits) {
  const Model model = problems::parallel_robot();
  const Json& reference = variant("parallel_robot").facts.at("references").at(0);
  for (int order = 0; order <= 1; ++order)
    EXPECT_GE(final_digits(model, robot_run(), reference, order), 11) << order;
}

// The model with another start, on the branch of its witness.
Model robot_from(const robot::State& start) {
  std::ifstream file(variant("parallel_robot").model_file);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto replace = [&](const std::string& old, const std::string& with) {
    const std::size_t at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), with);
  };
  const auto fixed = [](double value, double rate) {
    return fmt::format("(start = {{{:.17g}, {:.17g}}}, fixed = {{true, true}})", value, rate);
  };
  const auto angle = [&](int i) {
    return robot::arm_at(i, start[0], start[1], start[2], start[3]).q;
  };
  replace("Real x(start = {0, 0})", "Real x" + fixed(start[0], start[2]));
  replace("Real z(start = {-0.6, 0})", "Real z" + fixed(start[1], start[3]));
  replace("Real q[2](each start = {0, 0})",
          fmt::format("Real q[2](start = {{{:.17g}, {:.17g}}})", angle(0), angle(1)));
  replace("Real E[2](each start = 0)", "Real E[2](each start = 0, each fixed = true)");
  return parse_model(text, "parallel_robot");
}

const std::vector<robot::State> scattered_starts = {
    {0, -0.6, 0, 0, 0, 0},       {0.05, -0.62, 0, 0, 0, 0},   {0, -0.8, 0, 0, 0, 0},
    {0.1, -0.7, 0.5, 0, 0, 0},   {-0.1, -0.65, 0, 0.5, 0, 0}, {0.15, -0.6, -0.3, 0.4, 0, 0},
    {-0.2, -0.7, -2, 0.1, 0, 0}, {-0.05, -0.55, 1, -1, 0, 0}};

class ParallelRobotFrom : public testing::TestWithParam<robot::State> {};
INSTANTIATE_TEST_SUITE_P(ScatteredStarts, ParallelRobotFrom, testing::ValuesIn(scattered_starts));

// From 6 modes to 13. Measured: instants to 8e-14 s.
TEST_P(ParallelRobotFrom, has_the_events_of_an_integration_by_other_means) {
  const Solution solution = solve(robot_from(GetParam()), {.to = 2.0, .tolerance = 1e-12});
  ASSERT_TRUE(solution.ok()) << solution.problems().at(0).text();
  const robot::Run witness = robot::integrate(0.0, GetParam(), 2.0, 2.5e-4);
  const std::vector<Event> events = events_on_the_way(solution);
  ASSERT_EQ(events.size(), witness.crossings.size());
  for (std::size_t k = 0; k < events.size(); ++k)
    EXPECT_NEAR(events[k].t, witness.crossings[k].t, 1e-12) << events[k].name;
  EXPECT_EQ(std::set<robot::Mode>(witness.modes.begin(), witness.modes.end()).size(),
            solution.modes().size());
}

}  // namespace
}  // namespace daedal::test

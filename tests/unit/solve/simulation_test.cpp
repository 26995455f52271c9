// Simulations that a user drives, and models that are prepared once for many runs.
#include "daedal/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <thread>

#include "daedal/daedal.hpp"

namespace daedal {
namespace {

constexpr const char* pendulum_text = R"(
model Pendulum
  parameter Real L = 10;
  parameter Real g = 9.81;
  Real x(start = 10);
  Real y(start = {0, 1}, fixed = {true, true});
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  x^2 + y^2 = L^2;
)";

Model pendulum() { return parse_model(std::string(pendulum_text) + "end Pendulum;"); }

Model kicked_pendulum() {
  return parse_model(std::string(pendulum_text) +
                     "kick: when time >= 5 then reinit(der(x), der(x) + 1); end when;\n"
                     "end Pendulum;");
}

Model bouncing_ball() {
  return parse_model(R"(
model Ball
  parameter Real e = 0.5;
  Real h(start = {1, 0}, fixed = {true, true});
equation
  der(h, 2) = -9.81;
  bounce: when h < 0 then reinit(der(h), -e*der(h)); end when;
end Ball;
)");
}

// Fall and flights: t_n = t_0 (1 + 2 e + 2 e^2 + ... ), t_0 = sqrt(2 h/g).
double time_of_bounce(int n) {
  const double fall = std::sqrt(2.0 / 9.81);
  double t = fall, flight = 2.0 * fall;
  for (int k = 1; k < n; ++k) t += flight *= 0.5;
  return t;
}

std::set<std::string> method_names() {
  return {"auto", "taylor", "array", "completion", "dd-erk", "dd-ida", "bdf"};
}

// In tolerances of 1e-9 that methods lose on these runs.
double allowed(const std::string& method) {
  return method == "dd-ida" || method == "bdf" ? 1e-4 : method == "completion" ? 1e-6 : 1e-7;
}

TEST(Simulation, without_interference_is_the_run_that_solve_makes) {
  const Solution whole = solve(pendulum(), {.to = 10.0, .tolerance = 1e-10});
  Simulation simulation(pendulum(), {.to = 10.0, .tolerance = 1e-10});
  while (simulation.step()) {
  }
  const Solution stepped = simulation.take_solution();
  EXPECT_EQ(stepped.final(), whole.final());
  EXPECT_EQ(stepped.statistics().steps, whole.statistics().steps);
  EXPECT_EQ(stepped.step_times(), whole.step_times());
  EXPECT_EQ(stepped("x", 3.7), whole("x", 3.7));
  EXPECT_TRUE(stepped.modes().empty());
}

TEST(Simulation, kicked_in_the_middle_is_the_model_with_a_clause_that_kicks) {
  for (const std::string& method : method_names()) {
    const SolveOptions options{.to = 10.0, .tolerance = 1e-9, .method = method};
    const Solution clause = solve(kicked_pendulum(), options);
    ASSERT_TRUE(clause.ok()) << method << clause.problems()[0].what << clause.problems()[0].why;
    Simulation simulation(pendulum(), options);
    ASSERT_TRUE(simulation.step_until(5.0)) << method;
    EXPECT_EQ(simulation.t(), 5.0);
    simulation.set("der(x)", simulation("der(x)") + 1.0);
    ASSERT_TRUE(simulation.step_until(10.0)) << method;
    EXPECT_NEAR(simulation("x"), clause.final()[0], allowed(method)) << method;
    EXPECT_NEAR(simulation("y"), clause.final()[1], allowed(method)) << method;
    const double x = simulation("x"), y = simulation("y");
    EXPECT_NEAR(x * x + y * y, 100.0, 1e-4) << method;
  }
}

TEST(Simulation, stops_where_it_is_told_to_and_agrees_with_a_run_that_does_not_stop) {
  const Solution whole = solve(pendulum(), {.to = 10.0, .tolerance = 1e-11});
  for (const std::string& method : method_names()) {
    Simulation simulation(pendulum(), {.to = 10.0, .tolerance = 1e-9, .method = method});
    for (const double t : {0.1, 1.0, 2.5, 2.5, 7.0}) {
      ASSERT_TRUE(simulation.step_until(t)) << method << t;
      EXPECT_EQ(simulation.t(), t);
      EXPECT_NEAR(simulation("x"), whole("x", t), allowed(method)) << method;
    }
    EXPECT_FALSE(simulation.is_over());
    EXPECT_TRUE(simulation.finish()) << method;
    EXPECT_EQ(simulation.t(), 10.0);
    EXPECT_TRUE(simulation.is_over());
    EXPECT_FALSE(simulation.step());
    const Solution solution = simulation.take_solution();
    EXPECT_EQ(solution.t(), 10.0);
    EXPECT_NEAR(solution("y", 6.2), whole("y", 6.2), 10 * allowed(method)) << method;
  }
}

TEST(Simulation, goes_on_beyond_the_end_of_its_run) {
  Simulation simulation(pendulum(), {.to = 2.0, .tolerance = 1e-10});
  ASSERT_TRUE(simulation.finish());
  ASSERT_TRUE(simulation.step_until(4.0));
  EXPECT_NEAR(simulation("x"), solve(pendulum(), {.to = 4.0, .tolerance = 1e-10}).final()[0], 1e-7);
}

TEST(Simulation, runs_backward) {
  Simulation simulation(pendulum(), {.from = 0.0, .to = -3.0, .tolerance = 1e-10});
  ASSERT_TRUE(simulation.step_until(-1.0));
  EXPECT_THROW(simulation.step_until(0.0), Error);
  ASSERT_TRUE(simulation.finish());
  EXPECT_NEAR(simulation("x"), solve(pendulum(), {.to = -3.0, .tolerance = 1e-10}).final()[0],
              1e-7);
}

TEST(Simulation, changes_a_parameter_as_two_runs_one_after_the_other) {
  const Model decay = parse_model(R"(
model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
)");
  for (const std::string& method : method_names()) {
    Simulation simulation(decay, {.to = 2.0, .tolerance = 1e-9, .method = method});
    ASSERT_TRUE(simulation.step_until(1.0)) << method;
    simulation.set_parameter("k", 3.0);
    EXPECT_EQ(simulation.parameter("k"), 3.0);
    ASSERT_TRUE(simulation.finish()) << method;
    EXPECT_NEAR(simulation("x"), std::exp(-4.0), allowed(method)) << method;
  }
}

TEST(Simulation, reports_events_at_the_times_of_the_closed_form_and_lets_them_be_changed) {
  Simulation ball(bouncing_ball(), {.to = 1.2, .tolerance = 1e-11});
  std::vector<double> times;
  ball.on_event([&](Simulation& now, const Event& event) {
    EXPECT_EQ(event.name, "bounce");
    EXPECT_EQ(now.t(), event.t);
    EXPECT_NEAR(now("h"), 0.0, 1e-9);
    times.push_back(event.t);
  });
  ASSERT_TRUE(ball.finish());
  ASSERT_EQ(times.size(), 3u);
  for (int n = 1; n <= 3; ++n) EXPECT_NEAR(times[n - 1], time_of_bounce(n), 1e-10);

  Simulation caught(bouncing_ball(), {.to = 3.0, .tolerance = 1e-11});
  caught.on_event([](Simulation& now, const Event&) { now.set("der(h)", 9.81); });
  ASSERT_TRUE(caught.step_until(time_of_bounce(1) + 1.0));
  EXPECT_NEAR(caught("h"), 9.81 * 0.5, 1e-8);  // at the top of a flight of two seconds
}

TEST(Simulation, pauses_exactly_at_an_event_after_it_has_happened) {
  const double t = time_of_bounce(1);
  Simulation ball(bouncing_ball(), {.to = 1.0, .tolerance = 1e-11});
  ASSERT_TRUE(ball.step_until(0.9 * t));
  ASSERT_TRUE(ball.step());
  EXPECT_NEAR(ball.t(), t, 1e-12);
  EXPECT_NEAR(ball("der(h)"), 0.5 * 9.81 * t, 1e-9);
}

// x = t until c, then with twice the speed: 2 - c at t = 1.
Model speeding_up(double c) {
  Model m("SpeedingUp");
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == if_else(x > c, 2.0, 1.0));
  return m;
}

long num_switches(const Solution& solution) {
  return std::count_if(solution.events().begin(), solution.events().end(),
                       [](const Event& event) { return event.kind == EventKind::mode; });
}

TEST(Simulation, paused_next_to_an_event_of_its_state_meets_it_as_if_there_were_no_pause) {
  for (const std::string& method : method_names())
    for (const double tolerance : {1e-2, 1e-4, 1e-9})
      for (const double late : {0.0, 5e-17, 4.7e-15, 2.7e-13, 1e-9, -1e-13}) {
        Simulation simulation(speeding_up(0.25),
                              {.to = 1.0, .tolerance = tolerance, .method = method});
        ASSERT_TRUE(simulation.step_until(0.25 + late)) << method << tolerance << " " << late;
        ASSERT_TRUE(simulation.finish()) << method << tolerance << " " << late;
        EXPECT_NEAR(simulation("x"), 1.75, 10 * tolerance) << method << tolerance << " " << late;
        EXPECT_EQ(num_switches(simulation.solution()), 1) << method << tolerance << " " << late;
      }
}

TEST(Simulation, paused_at_regular_times_meets_events_there) {
  for (const std::string& method : method_names())
    for (int k = 1; k < 10; ++k) {
      Simulation simulation(speeding_up(k * 0.1), {.to = 1.0, .tolerance = 1e-3, .method = method});
      for (int n = 1; n < 10; ++n) ASSERT_TRUE(simulation.step_until(n * 0.1)) << method << k << n;
      ASSERT_TRUE(simulation.finish()) << method << k;
      EXPECT_NEAR(simulation("x"), 2.0 - k * 0.1, 1e-2) << method << k;
    }
}

TEST(Simulation, paused_next_to_an_event_that_resets_its_state_meets_it_once) {
  const Model braked = parse_model(R"(
model Braked
  Real x(start = {0, 1}, fixed = {true, true});
  discrete Real n(start = 0);
equation
  der(x, 2) = -x;
  when x > 0.5 then n = pre(n) + 1; reinit(der(x), 0.5*der(x)); end when;
end Braked;
)");
  const double t = std::asin(0.5);
  for (const std::string& method : method_names())
    for (const double late : {0.0, 5e-15, 1e-13, 1e-12, 1e-11, -1e-13}) {
      Simulation simulation(braked, {.to = 1.5, .tolerance = 1e-8, .method = method});
      ASSERT_TRUE(simulation.step_until(t + late)) << method << late;
      ASSERT_TRUE(simulation.finish()) << method << late;
      EXPECT_EQ(simulation("n"), 1.0) << method << late;
      const double s = 1.5 - t, speed = 0.5 * std::sqrt(0.75);
      EXPECT_NEAR(simulation("x"), 0.5 * std::cos(s) + speed * std::sin(s), 1e-4) << method << late;
    }
}

TEST(Simulation, with_an_event_at_its_end_can_be_extended) {
  const Model counter = parse_model(R"(
model Counter
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0);
equation
  der(x) = n + 1;
  when time >= 1 then n = pre(n) + 1; end when;
end Counter;
)");
  for (const std::string& method : method_names()) {
    Simulation simulation(counter, {.to = 1.0, .method = method});
    ASSERT_TRUE(simulation.finish()) << method;
    EXPECT_TRUE(simulation.is_over());
    EXPECT_EQ(simulation("n"), 1.0) << method;
    ASSERT_TRUE(simulation.step_until(2.0)) << method;
    EXPECT_NEAR(simulation("x"), 3.0, 1e-7) << method;
  }
}

TEST(Simulation, stands_where_rounding_alone_makes_another_time) {
  for (const std::string& method : method_names()) {
    Simulation simulation(pendulum(), {.to = 1.0, .method = method});
    ASSERT_TRUE(simulation.step_until(0.3)) << method;
    ASSERT_TRUE(simulation.step_until(0.1 + 0.2)) << method;
    ASSERT_TRUE(simulation.step_until(0.3)) << method;
    EXPECT_TRUE(simulation.finish()) << method;
  }
}

TEST(Simulation, reports_events_of_a_change_where_it_stands) {
  Model m("Threshold");
  const auto c = m.parameter("c", 2.0);
  const auto x = m.variable("x", {.start = {0}, .fixed = {true}});
  m.equation(der(x) == 1.0);
  m.when("above", x > c, {});
  Simulation simulation(m, {.to = 1.0});
  std::vector<double> times;
  simulation.on_event([&](Simulation& now, const Event&) { times.push_back(now.t()); });
  ASSERT_TRUE(simulation.step_until(0.5));
  simulation.set_parameter("c", 0.2);
  ASSERT_TRUE(simulation.step_until(0.5));
  EXPECT_THAT(times, testing::ElementsAre(0.5));
}

TEST(Simulation, restored_goes_on_with_the_same_bits) {
  for (const std::string& method : method_names())
    for (const bool is_hybrid : {false, true}) {
      const Model model = is_hybrid ? bouncing_ball() : pendulum();
      const SolveOptions options{.to = 1.2, .tolerance = 1e-8, .method = method};
      Simulation one(model, options);
      ASSERT_TRUE(one.step_until(0.2)) << method;
      const std::string state = one.save();
      Simulation other(model, options);
      other.restore(state);
      EXPECT_EQ(other.t(), 0.2) << method;
      ASSERT_TRUE(other.finish()) << method;
      const std::vector<double> end = other.values();
      one.restore(state);
      ASSERT_TRUE(one.finish()) << method;
      EXPECT_EQ(one.values(), end) << method << is_hybrid;
    }
}

TEST(Simulation, goes_on_after_saving_as_one_that_was_restored) {
  for (const std::string& method : method_names())
    for (const bool is_hybrid : {false, true}) {
      const Model model = is_hybrid ? bouncing_ball() : pendulum();
      const SolveOptions options{.to = 1.2, .tolerance = 1e-8, .method = method};
      Simulation one(model, options), other(model, options);
      ASSERT_TRUE(one.step_until(0.2)) << method;
      other.restore(one.save());
      ASSERT_TRUE(one.finish()) << method;
      ASSERT_TRUE(other.finish()) << method;
      EXPECT_EQ(one.values(), other.values()) << method << is_hybrid;
    }
}

TEST(Simulation, reads_back_what_was_set_and_goes_on_where_its_user_ended_a_call) {
  SolveOptions options{.to = 5.0};
  options.on_step = [](const Progress& progress) { return progress.steps != 2; };
  Simulation simulation(pendulum(), options);
  EXPECT_FALSE(simulation.finish());
  EXPECT_EQ(simulation.num_steps(), 2);
  EXPECT_TRUE(simulation.ok());
  for (int k = 0; k < 2; ++k) simulation.set("der(x)", simulation("der(x)") + 0.25);
  const double speed = simulation("der(x)"), t = simulation.t();
  EXPECT_TRUE(simulation.finish());
  EXPECT_NEAR(simulation.solution()("x", t, 1), speed, 1e-9);
}

TEST(Simulation, changes_parameters_that_are_computed_from_one_that_is_set) {
  Simulation simulation(parse_model(R"(
model Decay
  parameter Real k = 1;
  parameter Real rate = 2*k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
)"),
                        {.to = 2.0, .tolerance = 1e-10});
  ASSERT_TRUE(simulation.step_until(1.0));
  simulation.set_parameter("k", 2.0);
  EXPECT_EQ(simulation.parameter("rate"), 4.0);
  ASSERT_TRUE(simulation.finish());
  EXPECT_NEAR(simulation("x"), std::exp(-6.0), 1e-9);
}

TEST(Simulation, that_cannot_go_on_says_why_and_keeps_what_it_has) {
  const Model tank = parse_model(R"(
model Tank
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -1;
  y^2 = x;
end Tank;
)");
  Simulation simulation(tank, {.to = 2.0});
  EXPECT_FALSE(simulation.finish());
  EXPECT_FALSE(simulation.ok());
  EXPECT_FALSE(simulation.problems().empty());
  EXPECT_NEAR(simulation.t(), 1.0, 1e-3);
  EXPECT_NEAR(simulation("x"), 0.0, 1e-3);
  EXPECT_FALSE(simulation.step());
}

TEST(Simulation, with_values_that_the_equations_do_not_allow_ends) {
  Simulation simulation(pendulum(), {.to = 2.0});
  ASSERT_TRUE(simulation.step_until(1.0));
  simulation.set("x", 20.0);  // the rod has 10
  EXPECT_FALSE(simulation.step());
  EXPECT_FALSE(simulation.ok());
  EXPECT_EQ(simulation.t(), 1.0);
  EXPECT_LT(std::abs(simulation("x")), 10.0 + 1e-9);
}

TEST(Simulation, refuses_by_id) {
  const auto id_of = [](auto act) -> std::string {
    try {
      act();
    } catch (const Error& error) {
      return error.problems().front().id;
    }
    return "";
  };
  Simulation simulation(pendulum(), {.to = 2.0});
  ASSERT_TRUE(simulation.step_until(1.0));
  EXPECT_EQ(id_of([&] { simulation.step_until(0.5); }), "E-SIM-001");
  EXPECT_EQ(id_of([&] { simulation.step_until(std::nan("")); }), "E-SIM-001");
  EXPECT_EQ(id_of([&] { simulation("z"); }), "E-SIM-002");
  EXPECT_EQ(id_of([&] { simulation.set("der(z)", 1.0); }), "E-SIM-002");
  EXPECT_EQ(id_of([&] { simulation.set_parameter("l", 1.0); }), "E-SIM-002");
  EXPECT_EQ(id_of([&] { simulation.restore("nonsense"); }), "E-SIM-004");
  EXPECT_EQ(id_of([&] { simulation.set("x", std::nan("")); }), "E-SIM-006");
  std::string damaged = simulation.save();
  damaged[damaged.size() - 20] ^= 1;
  EXPECT_EQ(id_of([&] { simulation.restore(damaged); }), "E-SIM-004");
  Simulation coarse(pendulum(), {.to = 2.0, .order = 12});
  EXPECT_EQ(id_of([&] { coarse.restore(simulation.save()); }), "E-SIM-004");
  Simulation ball(bouncing_ball(), {.to = 1.0});
  const std::string other = simulation.save();
  EXPECT_EQ(id_of([&] { ball.restore(other); }), "E-SIM-004");
  ball.step_until(0.3);
  ball.step();
  EXPECT_EQ(id_of([&] { ball.save(); }), "E-SIM-003");
  EXPECT_EQ(id_of([&] { PreparedModel(pendulum()).solve({.start = {{"q", 1.0}}}); }), "E-SIM-002");
  EXPECT_EQ(id_of([&] { Simulation(pendulum(), {.checkpoint = {.file = "c"}}); }), "E-OPT-006");
}

TEST(PreparedModel, gives_what_solve_gives_bit_by_bit_without_a_second_analysis) {
  for (const std::string& method : method_names()) {
    const SolveOptions options{.to = 1.0, .tolerance = 1e-7, .method = method};
    PreparedModel prepared(pendulum(), options);
    for (const double length : {9.0, 10.0, 11.0, 9.0}) {
      Model model = pendulum();
      model.set_parameter("L", length);
      const Solution fresh = solve(model, options);
      const Solution again = prepared.solve({.parameters = {{"L", length}}});
      ASSERT_TRUE(again.ok()) << method;
      EXPECT_EQ(again.final(), fresh.final()) << method << length;
      EXPECT_EQ(again.statistics().steps, fresh.statistics().steps) << method << length;
      EXPECT_EQ(again.start().values, fresh.start().values) << method << length;
    }
    EXPECT_EQ(prepared.num_analyses(), 1) << method;
  }
}

TEST(PreparedModel, takes_parameters_that_a_run_does_not_give_from_the_model) {
  PreparedModel prepared(pendulum(), {.to = 1.0});
  ASSERT_TRUE(prepared.solve({.parameters = {{"L", 9.0}}}).ok());
  EXPECT_EQ(prepared.solve().final(), solve(pendulum(), {.to = 1.0}).final());
}

TEST(PreparedModel, with_modes_is_analysed_once_for_each_of_them) {
  PreparedModel prepared(bouncing_ball(), {.to = 1.2, .tolerance = 1e-9});
  for (const double e : {0.5, 0.7, 0.5}) {
    Model model = bouncing_ball();
    model.set_parameter("e", e);
    EXPECT_EQ(prepared.solve({.parameters = {{"e", e}}}).final(),
              solve(model, {.to = 1.2, .tolerance = 1e-9}).final());
  }
  EXPECT_EQ(prepared.num_analyses(), 1);
}

TEST(PreparedModel, takes_start_values_as_if_they_stood_in_the_model) {
  PreparedModel prepared(pendulum(), {.to = 1.0});
  const Solution given = prepared.solve({.start = {{"x", -10.0}}, .fixed = {{"der(y)", 0.5}}});
  const Solution written = solve(parse_model(R"(
model Pendulum
  parameter Real L = 10;
  parameter Real g = 9.81;
  Real x(start = -10);
  Real y(start = {0, 0.5}, fixed = {true, true});
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  x^2 + y^2 = L^2;
end Pendulum;
)"),
                                 {.to = 1.0});
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given.final(), written.final());
  EXPECT_LT(given.start().values[0][0], 0.0);
  EXPECT_EQ(prepared.solve().start().values[0][0], 10.0);  // the next run knows nothing of them
}

TEST(PreparedModel, a_thousand_solves_cost_one_analysis) {
  PreparedModel prepared(pendulum(), {.to = 0.1, .tolerance = 1e-6});
  for (int k = 0; k < 1000; ++k)
    ASSERT_TRUE(prepared.solve({.parameters = {{"L", 5.0 + 0.01 * k}}}).ok()) << k;
  EXPECT_EQ(prepared.num_analyses(), 1);
}

TEST(PreparedModel, that_could_not_begin_a_run_begins_the_next) {
  PreparedModel prepared(pendulum(), {.to = 1.0});
  const RunInput wrong{.start = {{"q", 1.0}}};
  for (int k = 0; k < 2; ++k) {
    EXPECT_THROW(prepared.solve(wrong), Error);
    EXPECT_THROW(prepared.simulate(wrong), Error);
  }
  EXPECT_EQ(prepared.solve().final(), solve(pendulum(), {.to = 1.0}).final());
  EXPECT_TRUE(prepared.simulate().finish());

  Model singular("Singular");
  const Expression x = singular.variable("x"), y = singular.variable("y");
  singular.equation(x + 0 * y == 1);
  singular.equation(x == 1);
  PreparedModel never(singular);
  for (int k = 0; k < 3; ++k) EXPECT_THROW(never.solve(), Error);
}

TEST(PreparedModel, its_first_simulation_has_the_time_that_every_run_has) {
  constexpr double limit = 1.0;
  PreparedModel prepared(pendulum(), {.to = 1.0, .max_seconds = limit});
  std::this_thread::sleep_for(std::chrono::duration<double>(limit));
  Simulation simulation = prepared.simulate();
  EXPECT_TRUE(simulation.step()) << simulation.problems().front().text();
}

TEST(PreparedModel, simulations_of_it_share_what_was_prepared) {
  PreparedModel prepared(pendulum(), {.to = 1.0});
  for (int k = 0; k < 3; ++k) {
    Simulation simulation = prepared.simulate({.parameters = {{"L", 9.0 + k}}});
    ASSERT_TRUE(simulation.finish());
    const double x = simulation("x"), y = simulation("y");
    EXPECT_NEAR(std::hypot(x, y), 9.0 + k, 1e-9);
  }
  EXPECT_EQ(prepared.num_analyses(), 1);
}

}  // namespace
}  // namespace daedal

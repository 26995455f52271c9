// Models with modes and events against closed forms and values of other methods: when something
// happens, what it changes, which equations hold between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "model/model_data.hpp"
#include "published/digits.hpp"

namespace daedal::test {
namespace {

using testing::HasSubstr;

std::vector<Variant> hybrid_variants() {
  std::vector<Variant> some;
  for (const Variant& variant : all_variants())
    if (variant.is_hybrid()) some.push_back(variant);
  return some;
}

double stop_time(const Variant& variant) { return *variant.mo().experiment().stop_time; }

Solution solve_tightly(const Model& model) { return solve(model, {.tolerance = 1e-12}); }

// Events at one instant.
struct Instant {
  double t = 0.0;
  std::vector<const Event*> events;

  int mode() const { return events.back()->mode; }
  bool has(const std::string& name) const {
    return std::any_of(events.begin(), events.end(),
                       [&](const Event* event) { return event->name == name; });
  }
  const Jump* jump(const std::string& name) const {
    for (const Event* event : events)
      for (const Jump& jump : event->jumps)
        if (jump.name == name) return &jump;
    return nullptr;
  }
};

std::vector<Instant> instants_of(const Solution& solution) {
  std::vector<Instant> instants;
  for (const Event& event : solution.events()) {
    if (instants.empty() || instants.back().t != event.t)
      instants.push_back({.t = event.t, .events = {}});
    instants.back().events.push_back(&event);
  }
  return instants;
}

// A value of the solution by its name in a data file: "x", "der(x)", "der(x, 2)".
double value_of(const Solution& solution, const std::string& name, double t) {
  for (const std::string& variable : solution.variables())
    for (int order = 0; order <= 2; ++order)
      if (model::derivative_name(variable, order) == name) return solution(variable, t, order);
  ADD_FAILURE() << "no variable for " << name;
  return std::nan("");
}

void expect_values(const Solution& solution, const Json& values, double t, double error) {
  for (const auto& [name, value] : values.items()) {
    const double exact = number(value);
    EXPECT_NEAR(value_of(solution, name, t), exact, error * std::max(1.0, std::abs(exact)))
        << name << " at " << t;
  }
}

// Of instants, in units of the run, at tol = 1e-12. Errors of the steps, times what the model makes
// of them: about ten times as measured.
double instant_error(const std::string& problem) {
  static const std::map<std::string, double> errors = {{"bouncing_ball", 1e-14},
                                                       {"thresholds", 1e-13},
                                                       {"slack_pendulum", 1e-11},
                                                       {"dome", 1e-12},
                                                       {"stick_slip", 1e-13},
                                                       {"stick_slip_static", 1e-14},
                                                       {"diode_rectifier", 1e-14},
                                                       {"two_tanks", 1e-12},
                                                       {"charge_pump", 1e-14},
                                                       {"parallel_robot", 1e-13},
                                                       {"crumpling_sheet_switching", 1e-12}};
  return errors.at(problem);
}

// The mode met, by its number; or by its structure, if one set of equations may be several modes.
void expect_mode(const Solution& solution, int met, const Json& facts, int published) {
  if (!facts.contains("modes_may_split")) {
    EXPECT_EQ(met, published);
    return;
  }
  const Json& mode = facts.at("modes").at(published - 1);
  EXPECT_EQ(solution.modes()[met - 1].structural_index, mode.at("structural_index"));
  EXPECT_EQ(solution.modes()[met - 1].dof, mode.at("dof"));
}

class HybridProblem : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(All, HybridProblem, testing::ValuesIn(hybrid_variants()),
                         [](const auto& test) { return test.param.name(); });

TEST_P(HybridProblem, has_the_published_events_and_no_others) {
  const Solution solution = solve_tightly(GetParam().mo());
  const Json& facts = GetParam().facts;
  const bool accumulates = facts.contains("zeno");
  EXPECT_EQ(solution.status(), accumulates ? Status::zeno : Status::ok);
  const std::vector<Instant> instants = instants_of(solution);
  const Json& events = facts.at("events");
  ASSERT_GE(instants.size(), events.size());
  if (!accumulates) {
    EXPECT_EQ(instants.size(), events.size());
  }
  const double error = instant_error(GetParam().problem) * stop_time(GetParam());
  for (std::size_t k = 0; k < events.size(); ++k) {
    const Json& expected = events[k];
    SCOPED_TRACE(expected.dump());
    EXPECT_NEAR(instants[k].t, number(expected.at("t")), error);
    expect_mode(solution, instants[k].mode(), GetParam().facts, expected.at("mode"));
    if (expected.contains("clause")) {
      EXPECT_TRUE(instants[k].has(expected.at("clause")));
    }
  }
}

TEST_P(HybridProblem, has_the_published_values_at_events_and_jumps_as_it_should) {
  const Solution solution = solve_tightly(GetParam().mo());
  const std::vector<Instant> instants = instants_of(solution);
  const Json& events = GetParam().facts.at("events");
  ASSERT_GE(instants.size(), events.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    const Json& expected = events[k];
    SCOPED_TRACE(expected.dump());
    if (expected.contains("values"))
      expect_values(solution, expected.at("values"), instants[k].t, 1e-10);
    if (!expected.contains("before")) continue;
    for (const auto& [name, before] : expected.at("before").items()) {
      const Jump* jump = instants[k].jump(name);
      ASSERT_NE(jump, nullptr) << name;
      const double after = number(expected.at("after").at(name));
      const double error = 1e-10 * std::max(1.0, std::abs(after));
      EXPECT_NEAR(jump->before, number(before), error) << name;
      EXPECT_NEAR(jump->after, after, error) << name;
    }
  }
}

TEST_P(HybridProblem, has_modes_of_the_published_structure) {
  const Solution solution = solve_tightly(GetParam().mo());
  const Json& modes = GetParam().facts.at("modes");
  if (GetParam().facts.contains("modes_may_split")) GTEST_SKIP() << "seen with the events";
  ASSERT_EQ(solution.modes().size(), modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const ModeMet& mode = solution.modes()[k];
    SCOPED_TRACE(modes[k].dump() + testing::PrintToString(mode.conditions));
    if (modes[k].contains("c")) {
      EXPECT_EQ(mode.c, modes[k].at("c").get<std::vector<int>>());
      EXPECT_EQ(mode.d, modes[k].at("d").get<std::vector<int>>());
    }
    EXPECT_EQ(mode.structural_index, modes[k].at("structural_index"));
    EXPECT_EQ(mode.dof, modes[k].at("dof"));
    const bool slides = std::any_of(
        mode.conditions.begin(), mode.conditions.end(),
        [](const std::string& text) { return text.find("stays 0") != std::string::npos; });
    EXPECT_EQ(slides, modes[k].value("slides", false));
  }
}

TEST_P(HybridProblem, spends_its_time_in_the_modes_as_published) {
  const Solution solution = solve_tightly(GetParam().mo());
  const Json& facts = GetParam().facts;
  if (facts.contains("zeno")) GTEST_SKIP() << "only some events are stored";
  if (facts.contains("modes_may_split")) GTEST_SKIP() << "seen with the events";
  std::vector<double> times(facts.at("modes").size(), 0.0);
  std::size_t mode = 0;
  double t = 0.0;
  for (const Json& event : facts.at("events")) {
    times[mode] += number(event.at("t")) - t;
    t = number(event.at("t"));
    mode = event.at("mode").get<std::size_t>() - 1;
  }
  times[mode] += stop_time(GetParam()) - t;
  ASSERT_EQ(solution.modes().size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(solution.modes()[k].time, times[k], 1e-10 * stop_time(GetParam()));
}

TEST_P(HybridProblem, agrees_with_the_references_wherever_they_are) {
  const Solution solution = solve_tightly(GetParam().mo());
  for (const Json& reference : GetParam().facts.at("references"))
    expect_values(solution, reference.at("values"), number(reference.at("t")), 1e-10);
}

// The forms may add terms in another order: equal up to rounding.
void expect_equal_events(const Solution& one, const Solution& other) {
  ASSERT_EQ(one.events().size(), other.events().size());
  for (std::size_t k = 0; k < one.events().size(); ++k) {
    const Event& a = one.events()[k];
    const Event& b = other.events()[k];
    EXPECT_NEAR(a.t, b.t, 1e-13 * std::abs(one.t()));
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.mode, b.mode);
    if (a.kind != EventKind::mode) {
      EXPECT_EQ(a.name, b.name);
    }
    ASSERT_EQ(a.jumps.size(), b.jumps.size());
    for (std::size_t n = 0; n < a.jumps.size(); ++n) {
      EXPECT_EQ(a.jumps[n].name, b.jumps[n].name);
      EXPECT_NEAR(a.jumps[n].before, b.jumps[n].before, 1e-11);
      EXPECT_NEAR(a.jumps[n].after, b.jumps[n].after, 1e-11);
    }
  }
}

// Rounding may make steps of the sheet longer or shorter; the solution is then the same up to the
// tolerance, which has to be below what is compared.
TEST_P(HybridProblem, runs_the_same_in_cpp_and_in_the_model_language) {
  const bool is_sheet = GetParam().problem == "crumpling_sheet_switching";
  const SolveOptions options = {.tolerance = is_sheet ? std::optional(1e-13) : std::nullopt};
  const Solution cpp = solve(GetParam().cpp(), options);
  const Solution mo = solve(GetParam().mo(), options);
  EXPECT_EQ(cpp.status(), mo.status());
  EXPECT_NEAR(cpp.t(), mo.t(), 1e-13 * std::abs(mo.t()));
  ASSERT_EQ(cpp.final().size(), mo.final().size());
  for (std::size_t j = 0; j < cpp.final().size(); ++j)
    EXPECT_NEAR(cpp.final()[j], mo.final()[j], 1e-11);
  expect_equal_events(cpp, mo);
  ASSERT_EQ(cpp.modes().size(), mo.modes().size());
  for (std::size_t k = 0; k < cpp.modes().size(); ++k) {
    EXPECT_EQ(cpp.modes()[k].conditions.size(), mo.modes()[k].conditions.size());
    EXPECT_EQ(cpp.modes()[k].entries, mo.modes()[k].entries);
  }
}

// Every mode has machine code of its own, if there is a compiler.
TEST_P(HybridProblem, runs_the_same_bit_by_bit_with_machine_code) {
  const Model model = GetParam().mo();
  const Solution interpreted = solve(model, {.kernel = "interpreter"});
  const Solution compiled = solve(model, {.kernel = "compiled"});
  if (compiled.kernel() != "compiled") GTEST_SKIP() << "no compiler here";
  EXPECT_EQ(compiled.status(), interpreted.status());
  EXPECT_EQ(compiled.t(), interpreted.t());
  EXPECT_EQ(compiled.final(), interpreted.final());
  EXPECT_EQ(compiled.step_times(), interpreted.step_times());
  ASSERT_EQ(compiled.events().size(), interpreted.events().size());
  for (std::size_t k = 0; k < compiled.events().size(); ++k)
    EXPECT_EQ(compiled.events()[k].t, interpreted.events()[k].t);
}

TEST_P(HybridProblem, tells_the_same_at_times_asked_for_as_afterwards) {
  const Model model = GetParam().mo();
  const double end = GetParam().facts.contains("zeno") ? 4.0 : stop_time(GetParam());
  SolveOptions options{.to = end};
  for (int k = 0; k <= 100; ++k) options.at.push_back(end * k / 100.0);
  const Solution solution = solve(model, options);
  ASSERT_EQ(solution.at().size(), options.at.size());
  const std::vector<Instant> instants = instants_of(solution);
  for (const Sample& sample : solution.at()) {
    const bool is_at_event = std::any_of(instants.begin(), instants.end(),
                                         [&](const Instant& i) { return i.t == sample.t; });
    if (is_at_event) continue;  // either limit
    const std::vector<double> values = solution(sample.t);
    for (std::size_t j = 0; j < values.size(); ++j)
      EXPECT_NEAR(sample.values[j], values[j], 1e-8 * (1 + std::abs(values[j]))) << sample.t;
  }
}

TEST_P(HybridProblem, comes_with_the_source_of_its_events) {
  EXPECT_FALSE(GetParam().facts.at("events_source").get<std::string>().empty());
}

// ---------------------------------------------------------------------------------------------------------------------
// One by one

// t_{n+1} = t_n + 2 e^n t_1: rounding of the sum.
TEST(BouncingBall, bounces_at_the_times_of_the_closed_form_until_the_end) {
  const Solution solution = solve_tightly(problems::bouncing_ball());
  const double g = 9.81, e = 0.8, first = std::sqrt(2 / g);
  EXPECT_GT(solution.events().size(), 50U);
  double t = first, speed = g * first;
  for (std::size_t n = 0; n < solution.events().size(); ++n) {
    const Event& event = solution.events()[n];
    EXPECT_EQ(event.name, "bounce");
    EXPECT_EQ(event.kind, EventKind::when);
    EXPECT_NEAR(event.t, t, 1e-12) << "bounce " << n + 1;
    if (!event.jumps.empty()) {
      EXPECT_NEAR(event.jumps[0].before, -speed, 1e-12);
    }
    speed *= e;
    t += 2 * speed / g;
  }
}

TEST(BouncingBall, accumulates_at_the_time_of_the_closed_form) {
  const double exact = number(variant("bouncing_ball").facts.at("zeno").at("t"));
  for (const double tol : {1e-6, 1e-9, 1e-12}) {
    const Solution solution = solve(problems::bouncing_ball(), {.tolerance = tol});
    EXPECT_EQ(solution.status(), Status::zeno);
    ASSERT_TRUE(solution.zeno().has_value());
    EXPECT_NEAR(solution.zeno()->t, exact, 1e-6);
    EXPECT_THAT(solution.zeno()->guards, testing::ElementsAre("bounce"));
    EXPECT_FALSE(solution.zeno()->settled);
    // It is followed until a millionth of the run is left: there height and speed are next to none.
    EXPECT_LE(solution.t(), exact);
    EXPECT_NEAR(solution.t(), exact, 5e-6);
    EXPECT_NEAR(solution.final()[0], 0.0, 1e-10);
    EXPECT_NEAR(solution.final()[1], 0.0, 1e-4);
    ASSERT_FALSE(solution.problems().empty());
    EXPECT_EQ(solution.problems()[0].id, "S-HYB-002");
  }
}

// Constant in each piece: all that happens at events.
std::vector<double> energies_between_events(const Solution& solution) {
  std::vector<double> energies;
  double t = 0.0;
  for (const Instant& instant : instants_of(solution)) {
    energies.push_back(solution("energy", (t + instant.t) / 2));
    t = instant.t;
  }
  energies.push_back(solution("energy", (t + solution.t()) / 2));
  return energies;
}

TEST(SlackPendulum, loses_its_radial_energy_when_the_string_becomes_taut_and_no_other) {
  const Solution solution = solve(problems::slack_pendulum(), {.tolerance = 1e-13});
  const std::vector<double> energies = energies_between_events(solution);
  const Json& events = variant("slack_pendulum").facts.at("events");
  ASSERT_EQ(energies.size(), events.size() + 1);
  for (std::size_t k = 0; k < events.size(); ++k) {
    const double lost = events[k].contains("energy_lost") ? number(events[k].at("energy_lost")) : 0;
    EXPECT_NEAR(energies[k] - energies[k + 1], lost, 1e-11) << events[k];
  }
}

TEST(SlackPendulum, keeps_its_energy_within_each_piece) {
  const Solution solution = solve_tightly(problems::slack_pendulum());
  double begin = 0.0;
  for (const Instant& instant : instants_of(solution)) {
    const double energy = solution("energy", (begin + instant.t) / 2);
    for (int k = 1; k < 40; ++k)
      EXPECT_NEAR(solution("energy", begin + k * (instant.t - begin) / 40), energy, 1e-10);
    begin = instant.t;
  }
}

TEST(SlackPendulum, has_its_length_and_its_velocity_along_the_circle_again_after_a_flight) {
  const Solution solution = solve_tightly(problems::slack_pendulum());
  int num_flights = 0;
  for (const Instant& instant : instants_of(solution)) {
    const Jump* x = instant.jump("der(x)");
    if (x == nullptr) continue;
    const Jump* y = instant.jump("der(y)");
    ASSERT_NE(y, nullptr);
    ++num_flights;
    const double px = solution("x", instant.t), py = solution("y", instant.t);
    EXPECT_NEAR(px * px + py * py, 1.0, 1e-14);
    EXPECT_NEAR(px * x->after + py * y->after, 0.0, 1e-13);
    // along the circle nothing is lost
    EXPECT_NEAR(py * x->after - px * y->after, py * x->before - px * y->before, 1e-13);
  }
  EXPECT_EQ(num_flights, 4);
}

TEST(SlackPendulum, never_pushes_and_never_stretches) {
  const Solution solution = solve(problems::slack_pendulum());
  for (int k = 0; k <= 5000; ++k) {
    const double t = std::min(k * 1e-3, solution.t());
    const double x = solution("x", t), y = solution("y", t);
    EXPECT_GE(solution("lambda", t), -1e-8);
    EXPECT_LE(x * x + y * y, 1 + 1e-8);
  }
}

TEST(StickSlip, rests_on_the_belt_in_a_mode_that_no_branch_has) {
  const Solution solution = solve_tightly(problems::stick_slip());
  ASSERT_EQ(solution.modes().size(), 3U);
  EXPECT_THAT(solution.modes()[2].conditions, testing::ElementsAre(HasSubstr("stays 0")));
  EXPECT_EQ(solution.modes()[2].entries, 4);
  // halfway through every rest: the belt's velocity, no acceleration
  const std::vector<Instant> instants = instants_of(solution);
  for (std::size_t k = 0; k < instants.size(); ++k) {
    if (instants[k].mode() != 3) continue;
    const double end = k + 1 < instants.size() ? instants[k + 1].t : solution.t();
    const double t = (instants[k].t + end) / 2;
    EXPECT_NEAR(solution("x", t, 1), 0.5, 1e-13);
    EXPECT_NEAR(solution("x", t, 2), 0.0, 1e-12);
  }
}

// A rest that begins in one step and is over in the next is found at any tolerance.
TEST(StickSlip, has_the_same_modes_at_loose_tolerances) {
  const Json& events = variant("stick_slip").facts.at("events");
  for (const double tol : {1e-3, 1e-4, 1e-6, 1e-9}) {
    const Solution solution = solve(problems::stick_slip(), {.tolerance = tol});
    ASSERT_EQ(solution.status(), Status::ok);
    const std::vector<Instant> instants = instants_of(solution);
    ASSERT_EQ(instants.size(), events.size()) << tol;
    for (std::size_t k = 0; k < events.size(); ++k) {
      EXPECT_EQ(instants[k].mode(), events[k].at("mode"));
      EXPECT_NEAR(instants[k].t, number(events[k].at("t")), 100 * tol);
    }
  }
}

TEST(DiodeRectifier, conducts_forwards_and_blocks_backwards) {
  const Solution solution = solve(problems::diode_rectifier());
  for (int k = 1; k < 1000; ++k) {
    const double t = k * 1e-4;
    const double i = solution("i", t), v = solution("v", t);
    EXPECT_GE(i, -1e-8) << t;
    EXPECT_LE(v, 1e-8) << t;
    EXPECT_NEAR(i * v, 0.0, 1e-8) << t;
  }
}

TEST(TwoTanks, never_holds_more_than_to_its_edge) {
  const Solution solution = solve(problems::two_tanks());
  for (int k = 1; k < 3000; ++k) {
    const double t = k * 0.01;
    EXPECT_LE(solution("h1", t), 1 + 1e-8) << t;
    EXPECT_GE(solution("over", t), -1e-8) << t;
  }
}

// Known beforehand, so that nothing is searched for: to the last bit.
TEST(ChargePump, switches_exactly_at_the_kinks_of_its_pulses) {
  const Solution solution = solve(problems::charge_pump());
  std::vector<double> kinks, found;
  for (int period = 0; period < 10; ++period)
    for (const double t : {50, 60, 110, 120}) kinks.push_back(120 * period + t);
  for (const Instant& instant : instants_of(solution))
    if (instant.t == std::round(instant.t)) found.push_back(instant.t);
  EXPECT_EQ(found, kinks);
}

// The printed y1 and the closed form of y9 as the limit from the left: the end is a kink.
TEST(MazziaMagherini2008, charge_pump_ends_with_the_published_charge_and_current) {
  const Solution solution = solve_tightly(problems::charge_pump());
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_NEAR(solution.final()[0], 0.126280042987675933170893, 1e-14);
  const double VFB = 0.20 - 0.035 * std::sqrt(1.01) - 1.01;
  const double y9 = 4 * 0.035 * 2 / (2 * std::sqrt(0.035 * 0.035 / 4 - VFB));
  EXPECT_NEAR(solution.final()[8], y9, 1e-14);
}

}  // namespace
}  // namespace daedal::test

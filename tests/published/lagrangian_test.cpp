// Motion from Lagrangians against published values, closed forms, other coordinates and
// conservation laws.
#include "daedal/lagrangian.hpp"

#include <cmath>
#include <numbers>

#include "published/digits.hpp"

namespace daedal::test {
namespace {

Solution run(const Model& model, double to, double tol, std::vector<double> at = {}) {
  Solution solution = solve(model, {.to = to, .tolerance = tol, .at = std::move(at)});
  EXPECT_TRUE(solution.ok()) << (solution.problems().empty() ? "" : solution.problems()[0].text());
  return solution;
}

class SpringMassPendulum : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, SpringMassPendulum, testing::Values(1, 2));

TEST_P(SpringMassPendulum, agrees_with_the_references_at_t_5_to_11_digits) {
  const int n = GetParam();
  const Json& facts = variant(n == 1 ? "spring_mass_pendulum_n_1" : "spring_mass_pendulum").facts;
  const Model model = problems::spring_mass_pendulum(n);
  const Solution solution = run(model, 5, 1e-13);
  const Json& reference = facts.at("references").at(0);
  for (int order = 0; order <= 2; ++order)
    EXPECT_GE(final_digits(model, solution, reference, order), 11) << order;
}

TEST_P(SpringMassPendulum, takes_the_steps_of_the_equations_written_by_hand) {
  const Solution derived = run(problems::spring_mass_pendulum(GetParam()), 40, 1e-10);
  const Solution by_hand = run(problems::rod_chain(GetParam()), 40, 1e-10);
  EXPECT_EQ(derived.statistics().steps, by_hand.statistics().steps);
  EXPECT_LT(analyze(problems::spring_mass_pendulum(GetParam())).nodes,
            analyze(problems::rod_chain(GetParam())).nodes);
}

TEST_P(SpringMassPendulum, keeps_its_energy_of_80) {
  const Solution solution =
      run(problems::spring_mass_pendulum(GetParam()), 40, 1e-12, {0.0, 9.0, 40.0});
  ASSERT_EQ(solution.outputs(), std::vector<std::string>{"energy"});
  for (const Sample& sample : solution.at()) EXPECT_NEAR(sample.outputs[0], 80, 1e-9);
}

TEST(Pryce2018, first_and_second_kind_agree_over_40_seconds) {
  std::vector<double> times;
  for (int k = 1; k <= 40; ++k) times.push_back(k);
  const Solution first = run(problems::spring_mass_pendulum(1), 40, 1e-12, times);
  const Solution second = run(problems::spring_mass_pendulum_angle(), 40, 1e-12, times);
  // Neighbouring solutions part by up to 480 times over 40 seconds; measured 2.2e-9.
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double x = second.at()[k].values[0], th = second.at()[k].values[1];
    EXPECT_NEAR(first.at()[k].values[0], x, 1e-8);
    EXPECT_NEAR(first.at()[k].values[1], x + 2 * std::sin(th), 1e-8);
    EXPECT_NEAR(first.at()[k].values[2], -2 * std::cos(th), 1e-8);
  }
}

// The force that makes a pendulum swing as x = a sin(w t) [Pryce2018, Example 4.2]: with
// y = sqrt(l^2 - x^2) (downwards), u = x'' + (g - y'')/y x, differentiated by hand.
double force_of_prescribed_motion(double a, double w, double t) {
  constexpr double g = 9.8, l = 10;
  const double x = a * std::sin(w * t), x1 = a * w * std::cos(w * t), x2 = -w * w * x;
  const double y = std::sqrt(l * l - x * x), y1 = -x * x1 / y;
  const double y2 = -(x1 * x1 + x * x2 + y1 * y1) / y;
  return x2 + (g - y2) / y * x;
}

TEST(Pryce2018, controlled_pendulum_is_driven_by_the_force_of_the_closed_form) {
  std::vector<double> times;
  for (int k = 0; k <= 200; ++k) times.push_back(0.1 * k);  // three cycles
  for (const double amplitude : {1.0, 5.0, 9.0}) {
    for (const double faster : {1.0, 1.2}) {
      Model model = problems::driven_pendulum();
      model.set_parameter("a", amplitude);
      model.set_parameter("faster", faster);
      const Solution solution = run(model, 20, 1e-13, times);
      ASSERT_EQ(solution.variables()[2], "u");
      for (const Sample& sample : solution.at())
        EXPECT_NEAR(sample.values[2],
                    force_of_prescribed_motion(amplitude, faster * std::sqrt(0.98), sample.t),
                    1e-10)
            << amplitude << " " << faster << " " << sample.t;
    }
  }
}

TEST(Lagrangian, pendulum_from_its_energies_moves_like_the_one_written_by_hand) {
  Model model("Pendulum");
  const auto x = model.variable("x", {.start = {10, 0}});
  const auto y = model.variable("y", {.start = {0, 1}, .fixed = {true, true}});
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y))) + 9.81 * y,
                         .coordinates = {x, y},
                         .constraints = {0.5 * (sqr(x) + sqr(y)) == 50}});
  const Solution derived = run(model, 20, 1e-12);
  const Solution by_hand = run(problems::pendulum(), 20, 1e-12);
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(derived.final()[j], by_hand.final()[j], 1e-9);
}

// A pendulum of length l let go at the height of its pivot: at depth y the speed is v^2 = 2 g y,
// and the rod pulls with m v^2/l + m g y/l = 3 m g y/l.
TEST(Lagrangian, multiplier_of_a_pendulum_is_the_tension_of_its_rod) {
  const double m = 3, g = 9.8, l = 2;
  Model model("Pendulum");
  const auto x = model.variable("x", {.start = {l, 0}});
  const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
  add_lagrangian(model, {.function = 0.5 * m * (sqr(der(x)) + sqr(der(y))) + m * g * y,
                         .coordinates = {x, y},
                         .constraints = {sqr(x) + sqr(y) == sqr(l)}});
  const Solution solution = run(model, 3, 1e-13);
  for (const double t : {0.0, 0.4, 1.1, 3.0})
    EXPECT_NEAR(2 * l * solution("lambda[1]", t), 3 * m * g * solution("y", t) / l, 1e-9);
}

// A block slides down a slope y = -x tan(a), y upwards: its acceleration along x is g sin(a)
// cos(a), and the slope pushes with m g cos(a), of which m g cos(a)^2 is vertical: -lambda dC/dy
// with C = y + x tan(a).
TEST(Lagrangian, multiplier_of_a_slope_is_the_normal_force) {
  const double m = 3, g = 9.8, a = 0.4;
  Model model("Slope");
  const auto x = model.variable("x", {.start = {0, 0}, .fixed = {true, true}});
  const auto y = model.variable("y");
  add_lagrangian(model, {.function = 0.5 * m * (sqr(der(x)) + sqr(der(y))) - m * g * y,
                         .coordinates = {x, y},
                         .constraints = {{"slope", y == -x * std::tan(a)}}});
  const Solution solution = run(model, 2, 1e-12);
  EXPECT_NEAR(solution("x", 2), 2 * g * std::sin(a) * std::cos(a), 1e-11);
  EXPECT_NEAR(-solution("slope", 1), m * g * std::cos(a) * std::cos(a), 1e-10);
}

// A skate on a slope that falls along x turns at a constant rate w and moves sideways only:
// x = g/(2 w^2) sin^2(w t), y = g/(2 w^2) (w t - sin(2 w t)/2) if it starts at rest with phi = 0
// [Bloch2003].
TEST(Lagrangian, a_skate_on_a_slope_moves_across_it) {
  const double g = 2.0, w = 0.7;
  Model model("Skate");
  const auto x = model.variable("x", {.start = {0, 0}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {0}, .fixed = {true}});
  const auto phi = model.variable("phi", {.start = {0, w}, .fixed = {true, true}});
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y)) + 3 * sqr(der(phi))) + g * x,
                         .coordinates = {x, y, phi},
                         .constraints = {{"edge", der(x) * sin(phi) == der(y) * cos(phi)}}});
  const Solution solution = run(model, 9, 1e-12);
  for (const double t : {1.0, 4.0, 9.0}) {
    const double s = std::sin(w * t);
    EXPECT_NEAR(solution("x", t), g / (2 * w * w) * s * s, 1e-10) << t;
    EXPECT_NEAR(solution("y", t), g / (2 * w * w) * (w * t - 0.5 * std::sin(2 * w * t)), 1e-10)
        << t;
  }
}

// A bead on a straight wire that turns at the rate w: r'' = w^2 r, so r = cosh(w t).
TEST(Lagrangian, a_bead_on_a_turning_wire_runs_away_like_cosh) {
  const double w = 1.3;
  Model model("Bead");
  const auto x = model.variable("x", {.start = {1, 0}, .fixed = {true, true}});
  const auto y = model.variable("y");
  const auto t = model.time();
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y))),
                         .coordinates = {x, y},
                         .constraints = {x * sin(w * t) == y * cos(w * t)}});
  const Solution solution = run(model, 2, 1e-12);
  EXPECT_NEAR(std::hypot(solution("x", 2), solution("y", 2)), std::cosh(2 * w), 1e-9);
}

// m x'' + c x' = 0 from R = c x'^2/2: the speed decays like exp(-c t/m).
TEST(Lagrangian, dissipation_slows_down_exponentially) {
  Model model("Brake");
  const auto x = model.variable("x", {.start = {0, 1}, .fixed = {true, true}});
  add_lagrangian(model, {.function = 0.5 * 2.0 * sqr(der(x)),
                         .coordinates = {x},
                         .dissipation = 0.5 * 0.6 * sqr(der(x))});
  EXPECT_NEAR(run(model, 3, 1e-12)("x", 3, 1), std::exp(-0.9), 1e-11);
}

}  // namespace
}  // namespace daedal::test

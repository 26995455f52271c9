// Whole runs against published values, closed forms, conserved quantities and theorems on the order
// of a Taylor method.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <numbers>
#include <random>
#include <set>
#include <tuple>

#include "published/digits.hpp"
#include "published/rod_chain_energy.hpp"

namespace daedal::test {
namespace {

const Json& reference_of(const std::string& name, int k = 0) {
  return variant(name).facts.at("references").at(k);
}

// A run of a problem from its start to the k-th reference.
struct Comparison {
  Model model;
  Solution solution;
  const Json& reference;

  double digits(int order = 0) const { return final_digits(model, solution, reference, order); }
};

Comparison run_to_reference(const std::string& name, SolveOptions options, int k = 0) {
  const Json& reference = reference_of(name, k);
  options.to = number(reference.at("t"));
  Model model = variant(name).cpp();
  Solution solution = solve(model, options);
  EXPECT_EQ(solution.status(), Status::ok)
      << (solution.problems().empty() ? "" : solution.problems()[0].what);
  EXPECT_EQ(solution.t(), options.to);
  return {std::move(model), std::move(solution), reference};
}

// ---------------------------------------------------------------------------------------------------------------------
// Published values

class CoupledPendulaRun : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(, CoupledPendulaRun,
                         testing::Values("coupled_pendula_P_1", "coupled_pendula",
                                         "coupled_pendula_P_3", "coupled_pendula_P_4"),
                         [](const auto& test) { return test.param; });

TEST_P(CoupledPendulaRun, of_index_up_to_9_agree_at_t_10_to_10_digits) {
  const Comparison run = run_to_reference(GetParam(), {.tolerance = 1e-13});
  EXPECT_GE(run.digits(), 10);
  EXPECT_GE(run.digits(1), 10);
}

// The lengths of a row of 12 depend on derivatives of the first angle up to order 24. Rounding
// spares them: series of the polar form with 16 digits, outside this library, give 15.
TEST(Nedialkov2008, twelve_coupled_pendula_of_index_25_agree_to_10_digits) {
  const Comparison run = run_to_reference("coupled_pendula_P_12_c_0_1", {.tolerance = 1e-13});
  EXPECT_GE(run.digits(), 10);
  EXPECT_GE(run.digits(1), 10);
}

// The last pendulum's length falls to zero there.
TEST(Nedialkov2008, twelve_coupled_pendula_run_until_their_solution_ends) {
  const Json& late = variant("coupled_pendula_P_12_c_0_1").facts.at("references").at(1);
  const Solution solution = solve(variant("coupled_pendula_P_12_c_0_1").mo(),
                                  {.to = 10.0, .tolerance = 1e-11, .at = {number(late.at("t"))}});
  EXPECT_EQ(solution.status(), Status::blow_up);
  EXPECT_NEAR(solution.t(), 9.5254, 1e-3);
  ASSERT_EQ(solution.at().size(), 1U);
  const double x = number(late.at("values").at("x[12]"));
  const double lam = number(late.at("values").at("lam[12]"));
  EXPECT_NEAR(solution.at()[0].values[11], x, 1e-9);
  EXPECT_NEAR(solution.at()[0].values[35], lam, 1e-9 * lam);
}

TEST(Nedialkov2008, coupled_pendula_of_index_47_agree_to_12_digits) {
  const Comparison run = run_to_reference("coupled_pendula_P_23_c_0_01", {.tolerance = 1e-13});
  EXPECT_GE(run.digits(), 12);
}

TEST(Nedialkov2008, the_first_four_of_23_pendula_move_as_a_row_of_four) {
  const Model long_row = problems::coupled_pendula(23, 0.01);
  const Model short_row = problems::coupled_pendula(4, 0.01);
  const Solution all = solve(long_row, {.to = 1.0, .tolerance = 1e-13});
  const Solution four = solve(short_row, {.to = 1.0, .tolerance = 1e-13});
  for (const char* name : {"x", "y", "lam"})
    for (const char* k : {"[1]", "[2]", "[3]", "[4]"})
      for (const double t : {0.25, 0.5, 1.0})
        EXPECT_NEAR(all(std::string(name) + k, t), four(std::string(name) + k, t), 1e-12)
            << name << k << " at " << t;
}

TEST(MazziaMagherini2008, car_axis_at_t_3_has_11_digits_in_positions_and_9_in_velocities) {
  const Comparison run = run_to_reference("car_axis", {.tolerance = 1e-12});
  EXPECT_GE(run.digits(), 11);
  EXPECT_GE(run.digits(1), 9);
}

// With yl and yr fixed the velocities follow: the start of the test set.
TEST(EstevezLamour2019, car_axis_with_positions_fixed_agrees_at_tau_30_to_10_digits) {
  Model model = problems::car_axis_tau();
  model.fix_start("yl", 0.5);
  model.fix_start("yr", 0.5);
  const Solution solution = solve(model, {.to = 30.0, .tolerance = 1e-12});
  ASSERT_EQ(solution.status(), Status::ok);
  const Json& reference = reference_of("car_axis").at("values");
  for (const char* name : {"xl", "yl", "xr", "yr", "lam1", "lam2"})
    EXPECT_NEAR(solution(name, 30.0), number(reference.at(name)), 1e-10) << name;
}

TEST(EstevezLamour2019, car_axis_from_the_printed_start_agrees_at_tau_0_4_to_9_digits) {
  EXPECT_GE(run_to_reference("car_axis_tau", {.tolerance = 1e-13}).digits(), 9);
}

// The instant is that of a computation in two coordinates with 50 digits, in which the spring's
// length is an unknown (car_axis_tau.json). Methods stop before it by what they do not step over.
TEST(EstevezLamour2019, car_axis_from_the_printed_start_ends_when_the_left_spring_has_no_length) {
  for (const auto& [method, error] :
       {std::pair{"taylor", 1e-11}, {"dd-erk", 1e-5}, {"dd-ida", 1e-5}, {"bdf", 1e-5}}) {
    const Solution solution =
        solve(problems::car_axis_tau(), {.to = 30.0, .tolerance = 1e-9, .method = method});
    EXPECT_EQ(solution.status(), Status::left_domain) << method;
    EXPECT_NEAR(solution.t(), 0.45810855354912517, error) << method;
  }
}

TEST(BrenanCampbellPetzold1996, shuttle_has_10_digits_at_the_end) {
  EXPECT_GE(run_to_reference("shuttle", {.tolerance = 1e-13}).digits(), 10);
}

TEST(Detest, outer_planets_at_t_20_have_12_digits) {
  const Comparison run = run_to_reference("detest_c5", {.tolerance = 1e-13});
  EXPECT_GE(run.digits(), 12);
  EXPECT_GE(run.digits(1), 12);
}

TEST(Detest, explicit_equations_are_never_factorised) {
  const Solution solution = solve(problems::detest_c5(), {.to = 20.0, .tolerance = 1e-9});
  EXPECT_EQ(solution.statistics().factorisations, 0);
  EXPECT_EQ(solution.statistics().newton_iterations, 0);
}

// Growth of errors until then: 20 times, from two starts 1e-12 apart.
TEST(SpinningPendula, agree_after_turns_of_all_rods_to_10_digits) {
  for (const char* name : {"pendulum_spinning", "double_pendulum_spinning"}) {
    const Comparison run = run_to_reference(name, {.tolerance = 1e-13});
    EXPECT_GE(run.digits(), 10) << name;
    EXPECT_GE(run.digits(1), 10) << name;
  }
}

// Rods as positions on the circle: the angle is followed from step to step, no step goes further
// than half a turn.
TEST(SpinningPendula, make_as_many_turns_as_stored) {
  const auto turns = [](const Solution& solution, const std::function<double(double)>& x,
                        const std::function<double(double)>& y) {
    double angle = 0.0;
    constexpr int num_samples = 2000;
    for (int k = 1; k <= num_samples; ++k) {
      const double before = solution.t() * (k - 1) / num_samples;
      const double t = solution.t() * k / num_samples;
      angle += std::atan2(x(before) * y(t) - y(before) * x(t), x(before) * x(t) + y(before) * y(t));
    }
    return angle / (2 * std::numbers::pi);
  };
  const Comparison one = run_to_reference("pendulum_spinning", {.tolerance = 1e-10});
  const Solution& single = one.solution;
  EXPECT_NEAR(turns(
                  single, [&](double t) { return single("y", t); },  // the angle from the bottom
                  [&](double t) { return single("x", t); }),
              number(one.reference.at("turns").at(0)), 1e-5);
  const Comparison two = run_to_reference("double_pendulum_spinning", {.tolerance = 1e-10});
  const Solution& both = two.solution;
  EXPECT_NEAR(
      turns(
          both, [&](double t) { return both("x1", t); }, [&](double t) { return both("y1", t); }),
      number(two.reference.at("turns").at(0)), 1e-5);
  EXPECT_NEAR(turns(
                  both, [&](double t) { return both("x2", t) - both("x1", t); },
                  [&](double t) { return both("y2", t) - both("y1", t); }),
              number(two.reference.at("turns").at(1)), 1e-5);
}

// Pryce et al. 2018, sec. 3.3: four quadrants of each rod, 16 pairs. A quadrant is where |x| > |y|,
// or the opposite, with one sign: there one of the two is the better state.
TEST(SpinningPendula, of_two_rods_meet_in_all_16_pairs_of_quadrants) {
  const Comparison run = run_to_reference("double_pendulum_spinning", {.tolerance = 1e-9});
  const auto quadrant = [](double x, double y) {
    return std::abs(x) > std::abs(y) ? (x > 0 ? 0 : 1) : (y > 0 ? 2 : 3);
  };
  std::set<std::pair<int, int>> pairs;
  for (int k = 0; k <= 2000; ++k) {
    const std::vector<double> at = run.solution(run.solution.t() * k / 2000);
    pairs.emplace(quadrant(at[0], at[1]), quadrant(at[2] - at[0], at[3] - at[1]));
  }
  EXPECT_EQ(pairs.size(), 16U);
}

TEST(StiffPendulum, agrees_to_11_digits_for_a_soft_and_to_9_for_a_stiff_spring) {
  EXPECT_GE(run_to_reference("stiff_pendulum", {.tolerance = 1e-13}).digits(), 11);
  // lambda = (1 - 1/r)/eps: 6 of 16 digits cancel
  EXPECT_GE(run_to_reference("stiff_pendulum_eps_1e_06", {.tolerance = 1e-13}).digits(), 9);
}

// Andrejevic and Ding 2020: the rigid pendulum is the limit. The spring is stretched by eps lambda,
// so that positions differ by O(eps).
TEST(StiffPendulum, differs_from_the_rigid_pendulum_in_proportion_to_eps) {
  const double g = 9.80665;
  Model angle("Angle");
  const auto phi = angle.variable("phi", {.start = {0, 0}, .fixed = {true, true}});
  angle.equation(der(phi, 2) == -g * cos(phi));
  const double limit = std::cos(solve(angle, {.to = 2.0, .tolerance = 1e-13}).final()[0]);
  std::vector<double> distances;
  for (const double eps : {1e-3, 1e-4, 1e-5}) {
    Model model = problems::stiff_pendulum();
    model.set_parameter("eps", eps);
    distances.push_back(std::abs(solve(model, {.to = 2.0, .tolerance = 1e-12}).final()[0] - limit));
  }
  EXPECT_NEAR(distances[0] / distances[1], 10.0, 2.0);
  EXPECT_NEAR(distances[1] / distances[2], 10.0, 2.0);
}

TEST(MazziaMagherini2008, chemical_akzo_at_t_180_has_12_digits) {
  EXPECT_GE(run_to_reference("chemical_akzo", {.tolerance = 1e-13}).digits(), 12);
}

TEST(CrumplingSheet, agrees_in_all_its_forms_to_11_digits) {
  for (const char* name : {"crumpling_sheet", "crumpling_sheet_form_2", "crumpling_sheet_form_3",
                           "crumpling_sheet_switching"}) {
    const Comparison run = run_to_reference(name, {.tolerance = 1e-13});
    EXPECT_GE(run.digits(), 11) << name;
  }
}

// At a fold two equilibria meet and end: velocities grow as 1/sqrt of the time that is left.
TEST(CrumplingSheet, without_damping_ends_where_its_equilibrium_does) {
  const Solution solution =
      solve(problems::crumpling_sheet(5, problems::SheetForm::undamped), {.tolerance = 1e-9});
  EXPECT_EQ(solution.status(), Status::singular_point);
  EXPECT_NEAR(solution.t(), 6.5014, 1e-4);
}

// In the middle of the snap the quasi-static sheet runs ahead, because nothing has to be set in
// motion. Measured: by 0.0109, the switching one by 0.0067.
TEST(CrumplingSheet, that_switches_stays_nearer_to_the_full_solution_than_the_quasi_static_one) {
  const auto positions_at_16 = [](const Model& model) {
    std::vector<double> positions = solve(model, {.at = {16.0}}).at().at(0).values;
    positions.resize(75);
    return positions;
  };
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
    return largest;
  };
  const auto full = positions_at_16(problems::crumpling_sheet(5, problems::SheetForm::full));
  const double quasi_static = distance(positions_at_16(problems::crumpling_sheet(5)), full);
  const double switching = distance(positions_at_16(problems::crumpling_sheet_switching(5)), full);
  EXPECT_LT(switching, 0.75 * quasi_static);
}

TEST(RodChain, of_one_and_two_rods_has_11_digits_at_t_5) {
  for (const char* name : {"rod_chain_n_1", "rod_chain"}) {
    const Comparison run = run_to_reference(name, {.tolerance = 1e-13});
    EXPECT_GE(run.digits(), 11) << name;
    EXPECT_GE(run.digits(1), 11) << name;
  }
}

TEST(RodChain, of_20_rods_keeps_its_energy_to_1e_9_until_t_5) {
  const Solution solution =
      solve(problems::rod_chain(20), {.to = 5.0, .tolerance = 1e-12, .keep_steps = false});
  ASSERT_EQ(solution.status(), Status::ok);
  const double energy = rod_chain_energy(20, [&](int j, int order) {
    return final_value(solution, static_cast<std::size_t>(j), order);
  });
  EXPECT_NEAR(energy / 80.0, 1.0, 1e-9);
}

// Constraints and hidden constraints, whatever the tolerance: 1e-14 is a few hundred roundings.
TEST(Constraints, hold_to_rounding_at_every_step_end) {
  for (const char* name : {"car_axis", "double_pendulum", "coupled_pendula_P_4", "shuttle",
                           "pendulum_first_order", "arc_length"}) {
    for (const double tol : {1e-3, 1e-6, 1e-12}) {
      const Solution solution = solve(variant(name).mo(), {.tolerance = tol, .keep_steps = false});
      ASSERT_EQ(solution.status(), Status::ok) << name;
      EXPECT_LT(solution.statistics().constraint_residual, 1e-14) << name << " at " << tol;
    }
  }
}

TEST(LinearHighIndex, nos_1_2_and_4_are_solved_to_12_digits) {
  for (const char* name : {"linear_1", "linear_2", "linear_4"})
    EXPECT_GE(run_to_reference(name, {.tolerance = 1e-13}).digits(), 12) << name;
}

TEST(ArcLength, goes_round_both_folds) {
  EXPECT_GE(run_to_reference("arc_length", {.tolerance = 1e-13}, 0).digits(), 11);
  EXPECT_GE(run_to_reference("arc_length", {.tolerance = 1e-13}, 1).digits(), 11);
}

TEST(Continuation, follows_the_roots_of_a_cubic) {
  EXPECT_GE(run_to_reference("continuation", {.tolerance = 1e-13}).digits(), 12);
}

// ---------------------------------------------------------------------------------------------------------------------
// The trajectory between the steps

// Printed: x = [0, 1], [2, 0], [0, -2]; the others are those of sin(2 t) and cos(2 t) at pi.
TEST(EstevezSchwarzLamour2019, rotating_system_has_the_printed_coefficients_at_pi) {
  constexpr double pi = std::numbers::pi;
  const Solution solution = solve(problems::rotation(), {.to = 4.0, .tolerance = 1e-13});
  ASSERT_EQ(solution.status(), Status::ok);
  const std::array<std::array<double, 2>, 3> printed = {{{0, 1}, {2, 0}, {0, -2}}};
  double factorial = 1.0;
  for (int k = 0; k <= 8; factorial *= ++k) {
    const double x1 = solution("x1", pi, k) / factorial;
    const double x2 = solution("x2", pi, k) / factorial;
    if (k < 3) {
      EXPECT_NEAR(x1, printed[static_cast<std::size_t>(k)][0], 1e-14);
      EXPECT_NEAR(x2, printed[static_cast<std::size_t>(k)][1], 1e-14);
    }
    EXPECT_NEAR(x1, std::pow(2.0, k) * std::sin(2 * pi + k * pi / 2) / factorial, 1e-14);
    EXPECT_NEAR(x2, std::pow(2.0, k) * std::cos(2 * pi + k * pi / 2) / factorial, 1e-14);
  }
}

TEST(Trajectory, tells_values_and_derivatives_of_linear_2_at_any_time) {
  const Solution solution = solve(problems::linear_2(), {.to = 10.0, .tolerance = 1e-13});
  ASSERT_EQ(solution.status(), Status::ok);
  std::mt19937 random(20261115);
  std::uniform_real_distribution<> time(0.0, 10.0);
  for (int trial = 0; trial < 200; ++trial) {
    const double t = time(random);
    const double s = std::sin(t), c = std::cos(t);
    const std::array<double, 6> x = {2 * s, c, -s - c, s - 2 * c, 2 * s, c};
    const std::array<double, 6> slope = {2 * c, -s, -c + s, c + 2 * s, 2 * c, -s};
    const std::vector<double> all = solution(t);
    for (std::size_t j = 0; j < x.size(); ++j) {
      EXPECT_NEAR(all[j], x[j], 1e-11) << "x" << j + 1 << " at " << t;
      EXPECT_NEAR(solution(static_cast<int>(j), t, 1), slope[j], 1e-10) << "x" << j + 1 << "'";
    }
  }
}

TEST(Trajectory, has_the_times_asked_for_to_the_last_bit) {
  const std::vector<double> wanted = {0.1, 1.0 / 3, 2.7, 0.3 + 0.6, 9.999999999999998, 10.0, 0.0};
  const Solution solution = solve(
      problems::linear_1(), {.to = 10.0, .tolerance = 1e-12, .at = wanted, .keep_steps = false});
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_EQ(solution.t(), 10.0);
  ASSERT_EQ(solution.at().size(), wanted.size());
  for (const double t : wanted) {
    const auto found = std::find_if(solution.at().begin(), solution.at().end(),
                                    [t](const Sample& sample) { return sample.t == t; });
    ASSERT_NE(found, solution.at().end()) << t;
    EXPECT_NEAR(found->values[0], std::sin(t) - 2 * std::cos(t), 1e-11);
    EXPECT_NEAR(found->values[1], 2 * std::sin(t), 1e-11);
    EXPECT_NEAR(found->values[2], std::cos(t), 1e-11);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Backwards, and for a long time

// problems/pendulum from any point.
Model pendulum_from(double x, double u, double y, double v) {
  Model model = parse_model(R"(model Pendulum
  parameter Real x0, u0, y0, v0;
  Real x(start = {x0, u0}), y(start = {y0, v0}, fixed = {true, true}), lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = 9.81;
  x^2 + y^2 = 100;
end Pendulum;)",
                            "pendulum", {{"x0", x}, {"u0", u}, {"y0", y}, {"v0", v}});
  return model;
}

TEST(Pendulum, forwards_and_then_backwards_returns_to_the_start) {
  const Solution there = solve(problems::pendulum(), {.to = 10.0, .tolerance = 1e-13});
  ASSERT_EQ(there.status(), Status::ok);
  const Solution back = solve(pendulum_from(there.final()[0], there.final_derivatives()[0][0],
                                            there.final()[1], there.final_derivatives()[1][0]),
                              {.from = 10.0, .to = 0.0, .tolerance = 1e-13});
  ASSERT_EQ(back.status(), Status::ok);
  EXPECT_EQ(back.t(), 0.0);
  EXPECT_NEAR(back.final()[0], 10.0, 1e-10);
  EXPECT_NEAR(back.final()[1], 0.0, 1e-10);
  EXPECT_NEAR(back.final_derivatives()[0][0], 0.0, 1e-10);
  EXPECT_NEAR(back.final_derivatives()[1][0], 1.0, 1e-10);
}

// lambda L^2 = v^2 + g y, so that the energy v^2/2 - g y is lambda L^2/2 - 3/2 g y. It starts at
// 1/2. The amplitude follows from cos(amplitude) = -energy/(g L).
TEST(Pendulum, keeps_its_energy_to_1e_12_of_its_weight_over_1000_periods) {
  constexpr double g = 9.81, L = 10.0, energy = 0.5;
  const double modulus = std::sqrt((1 + energy / (g * L)) / 2);  // sin(amplitude/2)
  const double period = 4 * std::sqrt(L / g) * std::comp_ellint_1(modulus);
  double drift = 0.0;
  SolveOptions options = {.to = 1000 * period, .tolerance = 1e-14, .keep_steps = false};
  options.on_sample = [&](double, std::span<const double> v) {
    drift = std::max(drift, std::abs(v[2] * L * L / 2 - 1.5 * g * v[1] - energy));
  };
  const Solution solution = solve(problems::pendulum(), options);
  ASSERT_EQ(solution.status(), Status::ok);
  EXPECT_LT(drift, 1e-12 * g * L);
  EXPECT_LT(solution.statistics().constraint_residual, 1e-15);  // of the sizes of the terms
  const double u = solution.final_derivatives()[0][0], v = solution.final_derivatives()[1][0];
  EXPECT_NEAR((u * u + v * v) / 2 - g * solution.final()[1], energy, 1e-12 * g * L);
}

// ---------------------------------------------------------------------------------------------------------------------
// Order

// However long the steps are: what is left is rounding, of numbers up to 2^m.
TEST(Order, p_is_exact_on_polynomials_of_degree_p) {
  for (const char* name : {"polynomial_m_1", "polynomial_m_2", "polynomial_m_3", "polynomial",
                           "polynomial_m_6", "polynomial_m_12"}) {
    const int degree = name == std::string("polynomial") ? 4 : std::atoi(name + 13);
    for (const int order : {degree, degree + 3}) {
      if (order < 2) continue;
      const Comparison run = run_to_reference(name, {.tolerance = 1e-1, .order = order});
      EXPECT_GE(run.digits(), 13) << name << " with order " << order;
      EXPECT_GE(run.digits(1), 13) << name << " with order " << order;
    }
  }
}

TEST(Order, below_the_degree_is_not_exact) {
  EXPECT_LT(run_to_reference("polynomial_m_12", {.tolerance = 1e-1, .order = 6}).digits(), 12);
}

// With a tolerance that every step meets, steps are as long as they may be: all of length h. So the
// error falls by 2^p when h is halved.
class ObservedOrder : public testing::TestWithParam<std::tuple<std::string, int>> {};

INSTANTIATE_TEST_SUITE_P(, ObservedOrder,
                         testing::Combine(testing::Values("pendulum", "pendulum_first_order",
                                                          "coupled_pendula", "causality_4"),
                                          testing::Values(3, 4, 6)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_order_" +
                                  std::to_string(std::get<1>(test.param));
                         });

struct LargestErrors {
  double values = 0.0;
  long steps = 0;
  double smallest_step = 0.0;
};

// At t = 1, 2, 3, 4, 5 against a run of full accuracy, whose own tests stand above. One time alone
// may sit where the leading error term changes sign.
LargestErrors errors_with_fixed_steps(const Model& model, int order, double h) {
  const std::vector<double> at = {1.0, 2.0, 3.0, 4.0, 5.0};
  const Solution exact =
      solve(model, {.to = 5.0, .tolerance = 1e-14, .at = at, .keep_steps = false});
  const Solution solution = solve(
      model,
      {.to = 5.0, .tolerance = 1e-1, .order = order, .max_step = h, .at = at, .keep_steps = false});
  EXPECT_EQ(solution.status(), Status::ok);
  LargestErrors errors = {.steps = solution.statistics().steps,
                          .smallest_step = solution.statistics().smallest_step};
  for (std::size_t k = 0; k < solution.at().size(); ++k)
    for (std::size_t j = 0; j < solution.variables().size(); ++j)
      errors.values =
          std::max(errors.values, std::abs(solution.at()[k].values[j] - exact.at()[k].values[j]) /
                                      std::max(1.0, std::abs(exact.at()[k].values[j])));
  return errors;
}

TEST_P(ObservedOrder, is_the_one_asked_for) {
  const auto& [name, order] = GetParam();
  const Model model = variant(name).cpp();
  const double h = order == 6 ? 1.0 / 32 : 1.0 / 64;
  const LargestErrors coarse = errors_with_fixed_steps(model, order, h);
  const LargestErrors fine = errors_with_fixed_steps(model, order, h / 2);
  ASSERT_EQ(coarse.steps, std::lround(5.0 / h)) << "the steps were not all of the largest length";
  ASSERT_EQ(fine.steps, std::lround(10.0 / h)) << "the steps were not all of the largest length";
  const double slope = std::log2(coarse.values / fine.values);
  // the next term of the error changes the slope by O(h)
  EXPECT_NEAR(slope, order, 0.3) << "errors " << coarse.values << " and " << fine.values;
}

// ---------------------------------------------------------------------------------------------------------------------
// Digits follow the tolerance

// How many digits the solution itself may lose between a step's error and the end: growth of
// perturbations on the way (the double pendulum is chaotic; later pendula of a row depend on high
// derivatives of the earlier ones; what goes round keeps an error of its speed; the stiff spring's
// lambda is a difference of which 6 digits cancel), and a digit for the sum over the steps.
double loss_of(const std::string& name) {
  static const std::map<std::string, double> losses = {{"double_pendulum", 3.5},
                                                       {"coupled_pendula_P_3", 3},
                                                       {"coupled_pendula_P_4", 3.5},
                                                       {"coupled_pendula_P_12_c_0_1", 3.5},
                                                       {"coupled_pendula_P_23_c_0_01", 3},
                                                       {"rod_chain", 2.5},
                                                       {"pendulum_spinning", 2.5},
                                                       {"stiff_pendulum_eps_1e_06", 4},
                                                       {"shuttle", 3},
                                                       {"car_axis", 2.5},
                                                       {"left_domain", 2.5}};
  const auto found = losses.find(name);
  return found == losses.end() ? 2.0 : found->second;
}

// The charge pump has switches at instants at which its charges vanish but for the tolerance; at
// 1e-4 they may contradict each other (S-HYB-001).
int coarsest_exponent(const std::string& name) { return name == "charge_pump" ? 5 : 3; }

constexpr double rounding_limit = 14.5;  // digits that many operations in double precision leave
constexpr double luck = 1.5;             // digits of a run whose errors happen to cancel

std::vector<std::string> solvable_problems() {
  std::vector<std::string> names;
  for (const Variant& v : all_variants())
    if (v.facts.at("structure").at("status") == "ok" && v.facts.contains("references"))
      names.push_back(v.name());
  return names;
}

class DigitsAndTolerance : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, DigitsAndTolerance, testing::ValuesIn(solvable_problems()),
                         [](const auto& test) { return test.param; });

TEST_P(DigitsAndTolerance, grow_together) {
  const std::string& name = GetParam();
  std::vector<double> digits;
  std::string row;
  for (int k = 3; k < coarsest_exponent(name); ++k) digits.push_back(0.0);
  for (int k = coarsest_exponent(name); k <= 14; ++k) {
    const Comparison run =
        run_to_reference(name, {.tolerance = std::pow(10.0, -k), .keep_steps = false});
    digits.push_back(run.digits());
    row += fmt::format(" {:5.1f}", digits.back());
    const double limit = std::min<double>(k, rounding_limit) - loss_of(name);
    EXPECT_GE(digits.back(), limit) << "tol 1e-" << k;
  }
  fmt::print("{:<30} digits at tol 1e-{} ... 1e-14:{}\n", name, coarsest_exponent(name), row);
  const double full = rounding_limit - loss_of(name);  // from here on rounding may win
  for (std::size_t i = 1; i < digits.size(); ++i)
    if (digits[i - 1] < full) {
      EXPECT_GT(digits[i], digits[i - 1] - luck) << "fewer digits at tol 1e-" << i + 3;
    }
  const double gained = std::min(digits[8], full) - std::min(digits[1], full);  // 1e-4 to 1e-11
  if (digits[1] < full - 7) {
    EXPECT_GE(gained, 5.0) << "of the 7 digits asked for";
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Branches: a step ends where abs, sign, min or max switch, even if it would switch back before its
// end.

double integral(const std::string& integrand, double to) {
  const Model model = parse_model(
      "model I Real x(start = 0, fixed = true); equation der(x) = " + integrand + "; end I;");
  const Solution solution = solve(model, {.to = to, .tolerance = 1e-12});
  EXPECT_EQ(solution.status(), Status::ok);
  return solution.final()[0];
}

TEST(Branches, that_switch_on_and_off_inside_a_step_are_not_missed) {
  EXPECT_NEAR(integral("max(0, 1 - (time - 5)^2)", 10.0), 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(integral("min(1, (time - 3)^2)", 6.0), 4.0 + 2.0 / 3.0, 1e-12);
  // 64 switches, each found to tol/20, each counted twice
  EXPECT_NEAR(integral("sign(sin(20*time))", 3.2 * std::numbers::pi), 0.0, 6.4e-12);
  EXPECT_NEAR(integral("abs(sin(time))", 100.0),
              62.0 + 1.0 - std::cos(100.0 - 31 * std::numbers::pi), 1e-10);
  EXPECT_NEAR(integral("sign(time - 0.5123)", 1.0), 1.0 - 2 * 0.5123, 1e-14);
}

// Where an unknown of a nonlinear equation vanishes, nothing is small beside it; where all terms of
// an equation vanish, no residual is small beside them.
TEST(NonlinearBlocks, are_solved_where_their_unknown_vanishes) {
  for (const char* equation : {"x + x^3 = sin(time)", "x + x^3 + a + 0.2 = sin(time) + 0.3"}) {
    const Model model = parse_model(std::string("model Z parameter Real a = 0.1; Real x(start = 0);"
                                                " equation ") +
                                    equation + "; end Z;");
    for (const auto& [from, to] :
         {std::pair(0.0, std::numbers::pi), std::pair(-std::numbers::pi, 0.0), std::pair(-1.0, 1.0),
          std::pair(std::numbers::pi, -4.0)}) {
      const Solution solution = solve(model, {.from = from, .to = to, .tolerance = 1e-10});
      EXPECT_EQ(solution.status(), Status::ok) << equation << " from " << from;
      const double x = solution.final()[0];
      EXPECT_NEAR(x + x * x * x, std::sin(to), 1e-14);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends

TEST(Ends, a_pole_is_a_blow_up_with_its_time) {
  const Solution solution = solve(problems::blow_up(), {.to = 2.0, .tolerance = 1e-10});
  EXPECT_EQ(solution.status(), Status::blow_up);
  ASSERT_FALSE(solution.problems().empty());
  // The pole of the computed solution is where the exact one has it, up to the tolerance.
  EXPECT_NEAR(solution.t(), 1.0, 1e-8);
  const double t = solution.t() / 2;  // what was computed stays usable
  EXPECT_NEAR(solution("x", t), 1 / (1 - t), 1e-8);
}

// (t - 1/2) x' = (t - 1/2) cos t: the factor vanishes at t = 1/2, but x = sin t goes on. The point
// is told, and the run does not end there.
TEST(Ends, a_vanishing_factor_of_both_sides_is_passed_smoothly) {
  const Model model = parse_model(
      "model P Real x(start = 0, fixed = true);"
      " equation (time - 0.5)*der(x) = (time - 0.5)*cos(time); end P;");
  for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Solution solution = solve(model, {.to = 3.0, .tolerance = tol, .max_step = 0.3});
    ASSERT_EQ(solution.status(), Status::ok) << tol;
    EXPECT_NEAR(solution.final()[0], std::sin(3.0), 10 * tol) << tol;
    ASSERT_EQ(solution.singularities().size(), 1U) << tol;
    EXPECT_NEAR(solution.singularities()[0].t, 0.5, 0.3) << tol;
  }
}

// x = sqrt(1 - 2 t) ends at t = 1/2, whatever the tolerance.
TEST(Ends, a_vanishing_leading_factor_is_a_singular_point) {
  const Model model =
      parse_model("model E Real x(start = 1, fixed = true); equation x*der(x) = -1; end E;");
  for (const double tol : {1e-1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12}) {
    const Solution solution = solve(model, {.to = 1.0, .tolerance = tol});
    EXPECT_EQ(solution.status(), Status::singular_point) << tol;
    EXPECT_NEAR(solution.t(), 0.5, 5 * tol) << tol;
  }
}

TEST(Ends, a_root_of_a_negative_number_is_a_left_domain_with_its_time) {
  const Solution solution = solve(problems::left_domain(), {.to = 4.0, .tolerance = 1e-10});
  EXPECT_EQ(solution.status(), Status::left_domain);
  ASSERT_FALSE(solution.problems().empty());
  EXPECT_GT(solution.t(), std::numbers::pi - 0.05);
  EXPECT_LE(solution.t(), std::numbers::pi + 1e-9);
  EXPECT_NEAR(solution("y", 2.0), std::sqrt(std::cos(1.0)), 1e-8);
}

TEST(Ends, a_tolerance_below_rounding_is_refused_with_a_status) {
  const Solution solution = solve(problems::pendulum(), {.to = 1.0, .tolerance = 1e-20});
  EXPECT_EQ(solution.status(), Status::tolerance_below_rounding);
  EXPECT_FALSE(solution.problems().empty());
}

}  // namespace
}  // namespace daedal::test

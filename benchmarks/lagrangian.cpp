// Mechanics from Lagrangians beside the tables and figures of Pryce, Nedialkov, Tan and Li (2018),
// whose times are of DAETS on a laptop of 2017.
//
//   lagrangian chain        Table 1: seconds to t = 100 for n rods, and the steps
//   lagrangian nodes        Table 2: size of the graph, with and without sharing; the planets'
//   lagrangian planets      to t = 200,000 at 1e-13 and 1e-14; the 3:2 resonance of the two
//   outermost lagrangian divergence   Figure 8: 1e-13 against 1e-15 at t = 10^k, k to 6; --long: to
//   8 lagrangian kinds        first against second kind over [0, 40]
#include <fmt/format.h>

#include <numbers>
#include <set>
#include <string_view>

#include "benchmarks/measure.hpp"
#include "daedal/analysis.hpp"
#include "daedal/solve.hpp"
#include "daedal/vector.hpp"
#include "problems/detest_c5/planets.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

const std::vector<int> sizes = {1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20};

struct PublishedTimes {
  double tolerance;
  std::vector<double> seconds;  // by size
};
const std::vector<PublishedTimes> table_1 = {
    {1e-4, {0.036, 0.12, 0.35, 0.73, 1.3, 2.1, 3.1, 4.2, 5.6, 7.2, 8.8}},
    {1e-6, {0.045, 0.15, 0.38, 0.93, 1.8, 2.8, 4.3, 5.5, 7.9, 9.9, 12.0}},
    {1e-8, {0.058, 0.23, 0.63, 1.3, 2.4, 3.7, 5.6, 7.7, 10.0, 13.3, 16.5}},
    {1e-10, {0.080, 0.27, 0.75, 1.7, 3.1, 4.8, 7.7, 10.9, 13.8, 17.4, 22.3}},
    {1e-12, {0.11, 0.43, 1.1, 2.4, 4.5, 6.9, 10.1, 14.0, 18.2, 23.6, 30.2}}};

void chain() {
  fmt::print("Spring, mass and n rods from their Lagrangian, to t = 100, warm (Table 1)\n");
  fmt::print("{:>8} {:>4} {:>10} {:>10} {:>7} {:>8} {:>6} {:>10} {:>10} {:>9}\n", "tol", "n",
             "seconds", "published", "times", "steps", "order", "smallest", "largest", "exponent");
  for (const auto& [tolerance, published] : table_1) {
    double before = 0.0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Model model = problems::spring_mass_pendulum(sizes[k]);
      const SolveOptions options = {
          .to = 100.0, .tol = tolerance, .kernel = warm_kernel(), .keep_steps = false};
      Solution last = solve(model, options);
      const double seconds = median_seconds(
          [&] { return integration_seconds(last, [&] { return solve(model, options); }); });
      const double exponent =
          k > 0 ? std::log(seconds / before) / std::log(1.0 * sizes[k] / sizes[k - 1]) : 0.0;
      fmt::print(
          "{:8.0e} {:>4} {:>10.4f} {:>10.3f} {:>7.1f} {:>8} {:>6} {:>10.5f} {:>10.4f} {:>9}{}\n",
          tolerance, sizes[k], seconds, published[k], published[k] / seconds, last.statistics.steps,
          last.order, last.statistics.smallest_step, last.statistics.largest_step,
          k > 0 ? fmt::format("{:.2f}", exponent) : "", last.ok() ? "" : "  FAILED");
      before = seconds;
    }
  }
}

void nodes() {
  const std::vector<int> with = {120, 211, 415, 649, 915, 1213, 1543, 1905, 2299, 2725, 3183};
  const std::vector<int> without = {154,  348,  964,   1884,  3108, 4636,
                                    6468, 8604, 11044, 13788, 16836};
  fmt::print("Nodes of the graph (Table 2): operations, names and numbers that residuals reach\n");
  fmt::print("{:>8} {:>14} {:>10} {:>14} {:>10}\n", "n", "before sharing", "published",
             "with sharing", "published");
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const Analysis analysis = analyze(problems::spring_mass_pendulum(sizes[k]));
    fmt::print("{:>8} {:>14} {:>10} {:>14} {:>10}\n", sizes[k], analysis.nodes_recorded, without[k],
               analysis.nodes, with[k]);
  }
  const Analysis planets = analyze(problems::outer_planets());
  fmt::print("{:>8} {:>14} {:>10} {:>14} {:>10}\n", "planets", planets.nodes_recorded, 1002,
             planets.nodes, 880);
}

// --- planets ---

using problems::planets::masses, problems::planets::num_planets;

using Vector = Vector3<double>;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
  return largest;
}

std::vector<std::string> position_names() {
  std::vector<std::string> names;
  for (int j = 1; j <= num_planets; ++j)
    for (int i = 1; i <= 3; ++i) names.push_back(fmt::format("y[{},{}]", j, i));
  return names;
}

Vector vector_at(const Solution& solution, int planet, double t, int derivative) {
  return {solution(3 * planet, t, derivative), solution(3 * planet + 1, t, derivative),
          solution(3 * planet + 2, t, derivative)};
}

// Mean longitude and longitude of the perihelion, in the plane across `north`.
struct Orbit {
  double longitude, perihelion;
};
Orbit orbit_of(const Vector& r, const Vector& v, double strength, const Vector& north) {
  const Vector h = cross(r, v), e = cross(v, h) / strength - r / norm(r);
  const Vector across = cross(north, Vector(1, 0, 0)), x = cross(across, north) / norm(across),
               y = across / norm(across);
  const Vector node = cross(north, h);
  const double ascending = std::atan2(node * y, node * x);
  const Vector to_node = node / norm(node), ahead = cross(h / norm(h), to_node);
  const double perihelion = ascending + std::atan2(e * ahead, e * to_node);
  const double cos_e = (1 - norm(r) * (2 / norm(r) - v * v / strength)) / norm(e);
  const double eccentric = std::copysign(std::acos(std::clamp(cos_e, -1.0, 1.0)), r * v);
  return {perihelion + eccentric - norm(e) * std::sin(eccentric), perihelion};
}

double unwrapped(double angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

// Pluto goes round twice while Neptune does three times: 3 l_P - 2 l_N - (perihelion of P) swings
// about 180 degrees instead of going round.
void resonance(const Solution& solution, double end) {
  constexpr double k2 = 2.95912208286, sun = 1.00000597682;
  Vector north;
  for (int j = 0; j < num_planets; ++j)
    north += masses[j] * cross(vector_at(solution, j, 0, 0), vector_at(solution, j, 0, 1));
  north /= norm(north);
  const auto orbit = [&](int planet, double t) {
    return orbit_of(vector_at(solution, planet, t, 0), vector_at(solution, planet, t, 1),
                    k2 * (sun + masses[planet]), north);
  };
  double neptune = orbit(3, 0).longitude, pluto = orbit(4, 0).longitude;
  const double neptune_start = neptune, pluto_start = pluto;
  double least = 1e300, most = -1e300;
  for (double t = 0; t <= end; t += 50) {
    const Orbit n = orbit(3, t), p = orbit(4, t);
    neptune = unwrapped(n.longitude, neptune + 0.4);
    pluto = unwrapped(p.longitude, pluto + 0.27);
    const double argument = unwrapped(3 * pluto - 2 * neptune - p.perihelion, std::numbers::pi);
    least = std::min(least, argument);
    most = std::max(most, argument);
  }
  constexpr double degree = std::numbers::pi / 180;
  fmt::print("revolutions of Neptune and Pluto {:.4f} and {:.4f}, ratio {:.5f} (3:2 is 1.5)\n",
             (neptune - neptune_start) / (360 * degree), (pluto - pluto_start) / (360 * degree),
             (neptune - neptune_start) / (pluto - pluto_start));
  fmt::print("3 l_P - 2 l_N - perihelion of Pluto stays between {:.1f} and {:.1f} degrees\n",
             least / degree, most / degree);
}

void planets() {
  const Json facts = facts_of("outer_planets");
  const Reference near = read_point(facts.at("references").at(0), position_names());
  const Reference far = read_point(facts.at("references").at(1), position_names());
  fmt::print("Planets from their Lagrangian\n");
  fmt::print("{:>8} {:>8} {:>9} {:>8} {:>10} {:>10} {:>12}\n", "t", "tol", "seconds", "steps",
             "smallest", "largest", "error");
  const Model model = problems::outer_planets();
  std::vector<std::vector<double>> finals;
  const auto row = [&](const Reference& reference, double tolerance, bool keeps) {
    Solution solution = solve(model, {.to = reference.t, .tol = tolerance, .keep_steps = keeps});
    fmt::print("{:8.0f} {:8.0e} {:>9.3f} {:>8} {:>10.3f} {:>10.3f} {:>12.2e}\n", reference.t,
               tolerance, solution.seconds.integrate, solution.statistics.steps,
               solution.statistics.smallest_step, solution.statistics.largest_step,
               largest_difference(solution.final, reference.values));
    finals.push_back(solution.final);
    return solution;
  };
  (void)row(near, 1e-13, false);
  const Solution run = row(far, 1e-13, true);
  (void)row(far, 1e-14, false);
  fmt::print(
      "1e-13 and 1e-14 differ by {:.2e} at t = {}; published: 24.6 s (40855 steps, 2.66 to 8.32) "
      "and 27.5 s, agreement to 5 decimals\n",
      largest_difference(finals[1], finals[2]), far.t);
  resonance(run, far.t);
}

void divergence(int last_power) {
  fmt::print("Planets: tolerances 1e-13 and 1e-15 at t = 10^k (Figure 8)\n{:>3} {:>22} {:>10}\n",
             "k", "relative difference", "seconds");
  const Model model = problems::outer_planets();
  for (int k = 1; k <= last_power; ++k) {
    std::vector<double> coarse, fine;
    const double seconds = seconds_of([&] {
      coarse = solve(model, {.to = std::pow(10.0, k), .tol = 1e-13, .keep_steps = false}).final;
      fine = solve(model, {.to = std::pow(10.0, k), .tol = 1e-15, .keep_steps = false}).final;
    });
    double difference = 0.0, size = 0.0;
    for (std::size_t j = 0; j < fine.size(); ++j) {
      difference += (coarse[j] - fine[j]) * (coarse[j] - fine[j]);
      size += fine[j] * fine[j];
    }
    fmt::print("{:>3} {:>22.2e} {:>10.2f}\n", k, std::sqrt(difference / size), seconds);
    std::fflush(stdout);
  }
}

void kinds() {
  fmt::print("One rod: largest difference of first and second kind over [0, 40]\n{:>8} {:>12}\n",
             "tol", "difference");
  std::vector<double> times;
  for (int k = 1; k <= 400; ++k) times.push_back(0.1 * k);
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14}) {
    const SolveOptions options = {.to = 40.0, .tol = tolerance, .at = times};
    const Solution first = solve(problems::spring_mass_pendulum(1), options);
    const Solution second = solve(problems::spring_mass_pendulum_angle(), options);
    double largest = 0.0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double x = second.at[k].values[0], theta = second.at[k].values[1];
      const std::vector<double> moved = {x, x + 2 * std::sin(theta), -2 * std::cos(theta)};
      const std::vector<double>& values = first.at[k].values;
      largest = std::max(largest, largest_difference({values.begin(), values.begin() + 3}, moved));
    }
    fmt::print("{:8.0e} {:>12.2e}\n", tolerance, largest);
  }
}

int run(std::vector<std::string_view> words) {
  const bool is_long = std::erase(words, "--long") > 0;
  const auto is_asked_for = [&](std::string_view name) {
    return words.empty() || std::find(words.begin(), words.end(), name) != words.end();
  };
  const std::set<std::string_view> known = {"chain", "nodes", "planets", "divergence", "kinds"};
  for (const std::string_view word : words) {
    if (known.contains(word)) continue;
    fmt::print(stderr, "lagrangian [--long] [chain] [nodes] [planets] [divergence] [kinds]\n");
    return 2;
  }
  if (is_asked_for("nodes")) nodes();
  if (is_asked_for("kinds")) kinds();
  if (is_asked_for("planets")) planets();
  if (is_asked_for("divergence")) divergence(is_long ? 8 : 6);
  if (is_asked_for("chain")) chain();
  return 0;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  try {
    return daedal::benchmarks::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

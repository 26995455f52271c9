// Mechanics from Lagrangians beside the tables and figures of Pryce, Nedialkov, Tan and Li (2018),
// whose times are of DAETS on a laptop of 2017.
//
//   lagrangian chain        Table 1: seconds to t = 100 for n rods, and the steps, with the order
//   that
//                           is chosen and with the one that was published
//   lagrangian nodes        Table 2: size of the graph, with and without sharing; the planets'
//   lagrangian planets      to t = 200,000 at 1e-13 and 1e-14; the 3:2 resonance of the outermost
//   lagrangian divergence   Figure 8: 1e-13 against 1e-15 at t = 10^k, k to 6, or 8 with --long
//   lagrangian kinds        first against second kind over [0, 40]; Figure 5
#include <fmt/format.h>

#include <array>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>

#include "benchmarks/markdown.hpp"
#include "benchmarks/measure.hpp"
#include "daedal/analysis.hpp"
#include "daedal/solve.hpp"
#include "daedal/vector.hpp"
#include "problems/detest_c5/planets.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

const std::vector<int> sizes = {1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20};

// Orders that the published runs had; ours are chosen from the tolerance and the cost of a step.
constexpr int published_chain_order = 15, published_planets_order = 20;

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

// One time of Table 1: what was computed, and how long a warm run takes.
struct Timed {
  Solution solution;
  double seconds;
};
Timed timed_chain(int num_rods, double tolerance, std::optional<int> order) {
  const Model model = problems::spring_mass_pendulum(num_rods);
  const SolveOptions options = {.to = 100.0,
                                .tolerance = tolerance,
                                .order = order,
                                .kernel = warm_kernel(),
                                .keep_steps = false};
  Solution last = solve(model, options);
  const double seconds = median_seconds(
      [&] { return integration_seconds(last, [&] { return solve(model, options); }); });
  return {std::move(last), seconds};
}

void times_of_chain(std::optional<int> order) {
  std::vector<std::string> head = {"tolerance", "n = 1"};
  for (std::size_t k = 1; k < sizes.size(); ++k) head.push_back(fmt::format("{}", sizes[k]));
  const MarkdownTable times(head);
  const std::set<int> sizes_of_steps = {1, 4, 8, 20};
  std::vector<std::vector<std::string>> rows_of_steps;
  std::string growth;
  for (const auto& [tolerance, published] : table_1) {
    std::vector<std::string> row = {tolerance_text(tolerance)};
    rows_of_steps.push_back(row);
    std::array<double, 2> two_rods = {};  // seconds, steps
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const auto [last, seconds] = timed_chain(sizes[k], tolerance, order);
      const auto steps = static_cast<double>(last.statistics().steps);
      row.push_back(fmt::format("{:.4f} ({:.0f}){}", seconds, published[k] / seconds,
                                last.ok() ? "" : " FAILED"));
      if (sizes_of_steps.contains(sizes[k]))
        rows_of_steps.back().push_back(fmt::format("{}, {:.5f} to {:.4f}", last.statistics().steps,
                                                   last.statistics().smallest_step,
                                                   last.statistics().largest_step));
      if (sizes[k] == 2) two_rods = {seconds, steps};
      if (k + 1 == sizes.size())
        growth +=
            fmt::format("{}: from 2 to {} rods the time grows like n^{:.2f}, steps n^{:.2f}\n",
                        tolerance_text(tolerance), sizes[k],
                        std::log(seconds / two_rods[0]) / std::log(sizes[k] / 2.0),
                        std::log(steps / two_rods[1]) / std::log(sizes[k] / 2.0));
    }
    times.row(row);
  }
  fmt::print("\nSteps, smallest and largest step\n");
  const MarkdownTable table({"tolerance", "n = 1", "4", "8", "20"});
  for (const auto& row : rows_of_steps) table.row(row);
  fmt::print("\n{}", growth);
}

void chain() {
  fmt::print("\nSpring, mass and n rods from their Lagrangian, to t = 100, warm (Table 1)\n");
  times_of_chain({});
  fmt::print("\nThe same with the published order of {}\n", published_chain_order);
  times_of_chain(published_chain_order);
}

void nodes() {
  const std::vector<int> with = {120, 211, 415, 649, 915, 1213, 1543, 1905, 2299, 2725, 3183};
  const std::vector<int> without = {154,  348,  964,   1884,  3108, 4636,
                                    6468, 8604, 11044, 13788, 16836};
  fmt::print("Nodes of the graph (Table 2): operations, names and numbers that residuals reach\n");
  std::vector<std::string> head = {"rods"};
  std::vector<std::vector<std::string>> rows = {
      {"before sharing"}, {"published"}, {"with sharing"}, {"published"}};
  const auto add = [&](const std::string& name, const Analysis& analysis, int published_without,
                       int published_with) {
    head.push_back(name);
    rows[0].push_back(fmt::format("{}", analysis.nodes_recorded));
    rows[1].push_back(fmt::format("{}", published_without));
    rows[2].push_back(fmt::format("{}", analysis.nodes));
    rows[3].push_back(fmt::format("{}", published_with));
  };
  for (std::size_t k = 0; k < sizes.size(); ++k)
    add(fmt::format("{}", sizes[k]), analyze(problems::spring_mass_pendulum(sizes[k])), without[k],
        with[k]);
  add("planets", analyze(problems::outer_planets()), 1002, 880);
  const MarkdownTable table(head);
  for (const auto& row : rows) table.row(row);
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
  fmt::print("\nPlanets from their Lagrangian\n");
  const MarkdownTable table(
      {"t", "tolerance", "order", "seconds", "steps", "smallest", "largest", "error", "published"});
  const Model model = problems::outer_planets();
  std::vector<std::vector<double>> finals;
  const auto row = [&](const Reference& reference, double tolerance, std::optional<int> order,
                       bool keeps, const std::string& published) {
    Solution solution = solve(
        model, {.to = reference.t, .tolerance = tolerance, .order = order, .keep_steps = keeps});
    table.row({reference.t == 200'000.0 ? "200,000" : fmt::format("{:.0f}", reference.t),
               tolerance_text(tolerance), fmt::format("{}", solution.order()),
               fmt::format("{:.3f}", solution.seconds().integrate),
               fmt::format("{}", solution.statistics().steps),
               fmt::format("{:.2f}", solution.statistics().smallest_step),
               fmt::format("{:.2f}", solution.statistics().largest_step),
               fmt::format("{:.1e}", largest_difference(solution.final(), reference.values)),
               published});
    finals.push_back(solution.final());
    return solution;
  };
  const std::string at_13 = "24.6 s, 40855 steps of 2.66 to 8.32",
                    at_14 = "27.5 s, 45619 steps of 2.39 to 7.65";
  (void)row(near, 1e-13, {}, false, "12 decimals");
  const Solution run = row(far, 1e-13, {}, true, "");
  (void)row(far, 1e-14, {}, false, "");
  (void)row(far, 1e-13, published_planets_order, false, at_13);
  (void)row(far, 1e-14, published_planets_order, false, at_14);
  fmt::print("1e-13 and 1e-14 differ by {:.1e} at t = {}, with order {} by {:.1e}\n",
             largest_difference(finals[1], finals[2]), far.t, published_planets_order,
             largest_difference(finals[3], finals[4]));
  resonance(run, far.t);
}

void divergence(int last_power) {
  fmt::print("\nPlanets: tolerances 1e-13 and 1e-15 at t = 10^k (Figure 8)\n");
  std::vector<std::string> head = {"k"}, differences = {"difference"}, times = {"seconds of both"};
  const Model model = problems::outer_planets();
  for (int k = 1; k <= last_power; ++k) {
    std::vector<double> coarse, fine;
    const double seconds = seconds_of([&] {
      coarse =
          solve(model, {.to = std::pow(10.0, k), .tolerance = 1e-13, .keep_steps = false}).final();
      fine =
          solve(model, {.to = std::pow(10.0, k), .tolerance = 1e-15, .keep_steps = false}).final();
    });
    double difference = 0.0, size = 0.0;
    for (std::size_t j = 0; j < fine.size(); ++j) {
      difference += (coarse[j] - fine[j]) * (coarse[j] - fine[j]);
      size += fine[j] * fine[j];
    }
    head.push_back(fmt::format("{}", k));
    differences.push_back(fmt::format("{:.1e}", std::sqrt(difference / size)));
    times.push_back(fmt::format("{:.2f}", seconds));
  }
  const MarkdownTable table(head);
  table.row(differences);
  table.row(times);
}

// One rod: the largest difference of a position over [0, 40] between the two kinds.
double difference_of_kinds(double tolerance_of_first, double tolerance_of_second) {
  std::vector<double> times;
  for (int k = 1; k <= 400; ++k) times.push_back(0.1 * k);
  const auto run = [&](const Model& model, double tolerance) {
    return solve(model, {.to = 40.0, .tolerance = tolerance, .at = times});
  };
  const Solution first = run(problems::spring_mass_pendulum(1), tolerance_of_first);
  const Solution second = run(problems::spring_mass_pendulum_angle(), tolerance_of_second);
  double largest = 0.0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double x = second.at()[k].values[0], theta = second.at()[k].values[1];
    const std::vector<double> moved = {x, x + 2 * std::sin(theta), -2 * std::cos(theta)};
    const std::vector<double>& values = first.at()[k].values;
    largest = std::max(largest, largest_difference({values.begin(), values.begin() + 3}, moved));
  }
  return largest;
}

void kinds() {
  fmt::print("\nOne rod: largest difference of first and second kind over [0, 40]\n");
  std::vector<std::string> head = {"tolerance"}, differences = {"difference"};
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14}) {
    head.push_back(tolerance_text(tolerance));
    differences.push_back(fmt::format("{:.1e}", difference_of_kinds(tolerance, tolerance)));
  }
  MarkdownTable(head).row(differences);
  constexpr double coarse = 1e-8, fine = 1e-12;  // as published, where ode45 made the fine run
  fmt::print(
      "\nFigure 5: first kind at {}, second kind at {}: {:.1e}, at order {} of the first; "
      "published: of order 1e-6\n",
      tolerance_text(coarse), tolerance_text(fine), difference_of_kinds(coarse, fine),
      solve(problems::spring_mass_pendulum(1), {.to = 1.0, .tolerance = coarse}).order());
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

// Models with modes and events.
//
//   hybrid robot        the parallel robot to t = 5 beside the time of [Nedialkov2009, section 5]
//   hybrid watching     what event functions cost that never fire: 15 of them, against none
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "benchmarks/measure.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

// The medians of the parts of a run.
Seconds median_parts(const std::vector<Seconds>& runs) {
  const auto of = [&](double Seconds::*part) {
    std::vector<double> values;
    for (const Seconds& run : runs) values.push_back(run.*part);
    return median(values);
  };
  return {.analysis = of(&Seconds::analysis),
          .compile = of(&Seconds::compile),
          .initialise = of(&Seconds::initialise),
          .integrate = of(&Seconds::integrate),
          .total = of(&Seconds::total)};
}

// Analysis and preparation of modes happen on the way; what 5 more seconds of motion cost, in which
// no new modes are met, tells them apart.
void robot() {
  constexpr double published = 0.65;  // seconds, DAETS, 2.8 GHz, 2009
  fmt::print("Parallel robot to t = 5, milliseconds; DAETS in 2009: {:.0f} ms, 18 modes\n",
             1e3 * published);
  fmt::print("{:>8} {:>7} {:>8} {:>8} {:>10} {:>14} {:>7} {:>6} {:>7} {:>6} {:>6}\n", "tol", "runs",
             "total", "start", "integrate", "5 s without", "times", "modes", "events", "steps",
             "order");
  for (const double tolerance : {1e-9, 1e-12}) {
    const auto run = [&](double to) {
      return solve(problems::parallel_robot(), {.to = to, .tol = tolerance, .use_cache = false});
    };
    const auto row = [&](const std::string& name, const Solution& solution, const Seconds& s,
                         const std::string& more) {
      fmt::print(
          "{:8.0e} {:>7} {:>8.2f} {:>8.2f} {:>10.2f} {:>14} {:>7.0f} {:>6} {:>7} {:>6} {:>6}{}\n",
          tolerance, name, 1e3 * s.total, 1e3 * (s.analysis + s.compile + s.initialise),
          1e3 * s.integrate, more, published / s.total, solution.modes.size(),
          solution.events.size(), solution.statistics.steps, solution.order,
          solution.ok() ? "" : "  FAILED");
    };
    const Solution first = run(5.0);
    row("first", first, first.seconds, "");
    std::vector<Seconds> all;
    std::vector<double> more;
    for (int k = 0; k < 25; ++k) {
      all.push_back(run(5.0).seconds);
      more.push_back(run(10.0).seconds.integrate - all.back().integrate);
    }
    row("later", first, median_parts(all), fmt::format("{:.2f}", 1e3 * median(more)));
  }
}

// --- event functions that never fire ---

// Conditions that never hold. The steps of a run must resolve the event functions, too: sin(x) of a
// large and fast x costs steps.
struct Watched {
  std::string problem;
  ParameterValues parameters;
  double to;
  std::vector<std::string> linear, polynomial, transcendental;
};

const std::vector<Watched> cases = {
    {.problem = "pendulum",
     .parameters = {},
     .to = 100,
     .linear = {"x > 11", "x < -11", "y > 10.5", "y < -1", "x + y > 15", "der(x) > 20",
                "der(y) > 15"},
     .polynomial = {"x^2 + y^2 > 101", "x*y > 60", "lambda*y > 40", "der(x)^2 + der(y)^2 > 250",
                    "lambda > 4"},
     .transcendental = {"sin(x)*cos(y) > 1.5", "exp(-x^2/50)*y > 11", "sqrt(x^2 + 1) > 11"}},
    {.problem = "car_axis",
     .parameters = {},
     .to = 3,
     .linear = {"xl > 0.5", "xl < -0.5", "yl > 0.8", "yl < -0.2", "xr > 1.5", "xr - xl > 1.2",
                "yr > 0.8"},
     .polynomial = {"(xl - xr)^2 + (yl - yr)^2 > 1.1", "xl^2 + yl^2 > 0.6", "xl*yl > 0.4",
                    "lam2*xr > 1", "xr*yr > 1"},
     .transcendental = {"sin(xr)*cos(yr) > 1.5", "exp(-xl^2)*yl > 1", "sqrt(xl^2 + yl^2) > 0.8"}},
    {.problem = "rod_chain",
     .parameters = {{"n", 5}},
     .to = 20,
     .linear = {"x[2] > 25", "x[4] > 25", "x[5] > 25", "y[3] < -6.5", "y[4] < -8.5", "y[5] < -10.5",
                "x0 > 12"},
     .polynomial = {"(x[5] - x0)^2 + y[5]^2 > 101", "(x[3] - x0)^2 + y[3]^2 > 40",
                    "der(x0)^2 > 250", "x[5]*y[5] > 300", "x[1]*y[2] > 120"},
     .transcendental = {"sin(x[1])*cos(y[2]) > 1.5", "exp(-x0^2/50)*y[5] > 15",
                        "sqrt(x[5]^2 + 1) > 25"}},
};

// The model with these conditions watched.
Model model_of(const Watched& watched, const std::vector<std::string>& conditions) {
  const std::string path =
      fmt::format("{0}/problems/{1}/{1}.mo", DAEDAL_SOURCE_DIR, watched.problem);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::string source = text.str(), clauses;
  for (const std::string& condition : conditions)
    clauses += "  when " + condition + " then end when;\n";
  source.insert(source.rfind("annotation("), clauses);
  return parse_model(source, path, watched.parameters);
}

struct Sweep {
  std::vector<double> seconds;
  long steps = 0;
  std::string kernel;
  bool is_quiet = true;  // nothing failed, nothing fired
};

// Turns of one run each, so that what else the machine does falls on all alike.
std::vector<Sweep> take_turns(const std::vector<Model>& models, const SolveOptions& options) {
  constexpr int num_turns = 41;
  std::vector<Sweep> sweeps(models.size());
  for (int turn = -1; turn < num_turns; ++turn) {  // the first one warms up
    for (std::size_t k = 0; k < models.size(); ++k) {
      Solution solution;
      const double seconds =
          integration_seconds(solution, [&] { return solve(models[k], options); });
      if (turn >= 0) sweeps[k].seconds.push_back(seconds);
      sweeps[k].steps = solution.statistics.steps;
      sweeps[k].kernel = solution.kernel;
      sweeps[k].is_quiet = sweeps[k].is_quiet && solution.ok() && solution.events.empty();
    }
  }
  return sweeps;
}

// The median over the turns.
double ratio(const Sweep& with, const Sweep& without) {
  std::vector<double> ratios;
  for (std::size_t turn = 0; turn < with.seconds.size(); ++turn)
    ratios.push_back(with.seconds[turn] / without.seconds[turn]);
  return median(ratios);
}

void watch(const Watched& watched, double tolerance, const std::string& kernel) {
  std::vector<std::string> all;
  for (const auto& group : {watched.linear, watched.polynomial, watched.transcendental})
    all.insert(all.end(), group.begin(), group.end());
  std::vector<Model> models;
  for (const auto& conditions : {std::vector<std::string>{}, watched.linear, watched.polynomial,
                                 watched.transcendental, all})
    models.push_back(model_of(watched, conditions));
  const std::vector<Sweep> sweeps = take_turns(
      models, {.to = watched.to, .tol = tolerance, .kernel = kernel, .keep_steps = false});
  const auto cell = [&](std::size_t k) {
    return fmt::format("{:.2f} ({})", ratio(sweeps[k], sweeps[0]), sweeps[k].steps);
  };
  const bool is_quiet =
      std::all_of(sweeps.begin(), sweeps.end(), [](const Sweep& s) { return s.is_quiet; });
  fmt::print("{:>10} {:8.0e} {:>12} {:>9.3f} {:>7} {:>13} {:>13} {:>13} {:>13}{}\n",
             watched.problem, tolerance, sweeps[0].kernel, 1e3 * median(sweeps[0].seconds),
             sweeps[0].steps, cell(1), cell(2), cell(3), cell(4),
             is_quiet ? "" : "  FAILED OR FIRED");
}

void watching() {
  fmt::print(
      "15 conditions that never hold, against none: times the time of integration (and steps)\n");
  fmt::print("{:>10} {:>8} {:>12} {:>9} {:>7} {:>13} {:>13} {:>13} {:>13}\n", "problem", "tol",
             "kernel", "ms", "steps", "7 linear", "5 polynomial", "3 others", "all 15");
  for (const std::string& kernel : {warm_kernel(), std::string("interpreter")})
    for (const Watched& watched : cases)
      for (const double tolerance : {1e-6, 1e-9, 1e-12}) watch(watched, tolerance, kernel);
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  using namespace daedal::benchmarks;
  const auto wanted = [&](std::string_view name) {
    bool none = true, named = false;
    for (int k = 1; k < argc; ++k) {
      const std::string_view word = argv[k];
      if (word == "--cpu") continue;
      none = false;
      named = named || word == name;
    }
    return none || named;
  };
  for (int k = 1; k < argc; ++k)
    if (std::string_view(argv[k]) == "--cpu") used_clock = Clock::processor;
  if (wanted("robot")) robot();
  if (wanted("watching")) watching();
}

// Models with modes and events.
//
//   hybrid robot        the parallel robot to t = 5 beside the time of [Nedialkov2009, section 5]
//   hybrid watching     what event functions cost that never fire: 15 of them, against none
//   hybrid scale        what an event costs where conditions are many: rooms, levels, blocks
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

#include "benchmarks/markdown.hpp"
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
          .initialize = of(&Seconds::initialize),
          .integrate = of(&Seconds::integrate),
          .total = of(&Seconds::total)};
}

// Analysis and preparation of modes happen on the way; what 5 more seconds of motion cost, in which
// no new modes are met, tells them apart.
void robot() {
  constexpr double published = 0.65;  // seconds, DAETS, 2.8 GHz, 2009
  fmt::print("Parallel robot to t = 5, milliseconds; DAETS in 2009: {:.0f} ms, 18 modes\n",
             1e3 * published);
  const MarkdownTable table({"tolerance", "total", "start", "integration", "of which steps",
                             "modes prepared on the way", "steps", "order", "published/total"});
  std::string first_runs;
  for (const double tolerance : {1e-9, 1e-12}) {
    const auto run = [&](double to) {
      return solve(problems::parallel_robot(),
                   {.to = to, .tolerance = tolerance, .use_cache = false});
    };
    const Solution first = run(5.0);
    first_runs +=
        fmt::format("first run at {}: {:.1f} ms; {} modes, {} events{}\n",
                    tolerance_text(tolerance), 1e3 * first.seconds().total, first.modes().size(),
                    first.events().size(), first.ok() ? "" : ", FAILED");
    std::vector<Seconds> all;
    std::vector<double> more;
    for (int k = 0; k < 25; ++k) {
      all.push_back(run(5.0).seconds());
      more.push_back(run(10.0).seconds().integrate - all.back().integrate);
    }
    const Seconds s = median_parts(all);
    const double in_steps = median(more);
    table.row({tolerance_text(tolerance), fmt::format("{:.1f}", 1e3 * s.total),
               fmt::format("{:.1f}", 1e3 * (s.analysis + s.compile + s.initialize)),
               fmt::format("{:.1f}", 1e3 * s.integrate), fmt::format("{:.1f}", 1e3 * in_steps),
               fmt::format("{:.1f}", 1e3 * (s.integrate - in_steps)),
               fmt::format("{}", first.statistics().steps), fmt::format("{}", first.order()),
               fmt::format("{:.0f}", published / s.total)});
  }
  fmt::print("\n{}", first_runs);
}

// --- event functions that never fire ---

// Conditions that never hold. The steps of a run must resolve the event functions, too: sin(x) of a
// large and fast x costs steps.
struct Watched {
  std::string title, problem;
  ParameterValues parameters;
  double to;
  std::vector<std::string> linear, polynomial, transcendental;
};

const std::vector<Watched> cases = {
    {.title = "car axis, to 3",
     .problem = "car_axis",
     .parameters = {},
     .to = 3,
     .linear = {"xl > 0.5", "xl < -0.5", "yl > 0.8", "yl < -0.2", "xr > 1.5", "xr - xl > 1.2",
                "yr > 0.8"},
     .polynomial = {"(xl - xr)^2 + (yl - yr)^2 > 1.1", "xl^2 + yl^2 > 0.6", "xl*yl > 0.4",
                    "lam2*xr > 1", "xr*yr > 1"},
     .transcendental = {"sin(xr)*cos(yr) > 1.5", "exp(-xl^2)*yl > 1", "sqrt(xl^2 + yl^2) > 0.8"}},
    {.title = "5 rods, to 20",
     .problem = "rod_chain",
     .parameters = {{"n", 5}},
     .to = 20,
     .linear = {"x[2] > 25", "x[4] > 25", "x[5] > 25", "y[3] < -6.5", "y[4] < -8.5", "y[5] < -10.5",
                "x0 > 12"},
     .polynomial = {"(x[5] - x0)^2 + y[5]^2 > 101", "(x[3] - x0)^2 + y[3]^2 > 40",
                    "der(x0)^2 > 250", "x[5]*y[5] > 300", "x[1]*y[2] > 120"},
     .transcendental = {"sin(x[1])*cos(y[2]) > 1.5", "exp(-x0^2/50)*y[5] > 15",
                        "sqrt(x[5]^2 + 1) > 25"}},
    {.title = "pendulum, to 100",
     .problem = "pendulum",
     .parameters = {},
     .to = 100,
     .linear = {"x > 11", "x < -11", "y > 10.5", "y < -1", "x + y > 15", "der(x) > 20",
                "der(y) > 15"},
     .polynomial = {"x^2 + y^2 > 101", "x*y > 60", "lambda*y > 40", "der(x)^2 + der(y)^2 > 250",
                    "lambda > 4"},
     .transcendental = {"sin(x)*cos(y) > 1.5", "exp(-x^2/50)*y > 11", "sqrt(x^2 + 1) > 11"}},
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
      sweeps[k].steps = solution.statistics().steps;
      sweeps[k].kernel = solution.kernel();
      sweeps[k].is_quiet = sweeps[k].is_quiet && solution.ok() && solution.events().empty();
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

// One row of the table.
std::vector<std::string> watch(const Watched& watched, double tolerance,
                               const std::string& kernel) {
  std::vector<std::string> all;
  for (const auto& group : {watched.linear, watched.polynomial, watched.transcendental})
    all.insert(all.end(), group.begin(), group.end());
  std::vector<Model> models;
  for (const auto& conditions : {std::vector<std::string>{}, watched.linear, watched.polynomial,
                                 watched.transcendental, all})
    models.push_back(model_of(watched, conditions));
  const std::vector<Sweep> sweeps = take_turns(
      models, {.to = watched.to, .tolerance = tolerance, .kernel = kernel, .keep_steps = false});
  const auto cell = [&](std::size_t k) {
    return fmt::format("{:.2f} ({})", ratio(sweeps[k], sweeps[0]), sweeps[k].steps);
  };
  const bool is_quiet =
      std::all_of(sweeps.begin(), sweeps.end(), [](const Sweep& s) { return s.is_quiet; });
  return {watched.title,
          tolerance_text(tolerance),
          fmt::format("{:.2f}", 1e3 * median(sweeps[0].seconds)),
          fmt::format("{}", sweeps[0].steps),
          cell(1),
          cell(2),
          cell(3),
          cell(4) + (is_quiet ? "" : ", FAILED OR FIRED")};
}

void watching() {
  for (const std::string& kernel : {warm_kernel(), std::string("interpreter")}) {
    fmt::print(
        "\n15 conditions that never hold, against none: times the time of integration (and steps); "
        "kernel: {}\n",
        kernel);
    const MarkdownTable table({"problem", "tolerance", "ms without", "steps", "7 linear",
                               "5 polynomial", "3 others", "all 15"});
    for (const Watched& watched : cases)
      for (const double tolerance : {1e-6, 1e-9, 1e-12})
        table.row(watch(watched, tolerance, kernel));
  }
}

// --- many conditions ---

// Spread over [0, 1), the same on every machine.
double spread(int k) { return std::fmod(0.6180339887 * k, 1.0); }

// Rooms with a heater each, which switches at 19 and 21.
std::string thermostats(int n) {
  std::string text = fmt::format(
      "model Thermostats\n  Real T[{0}](each start = 19, each fixed = true);\n"
      "  discrete Real on[{0}](each start = 1);\nequation\n",
      n);
  for (int k = 1; k <= n; ++k)
    text += fmt::format(
        "  der(T[{0}]) = {1}*(10 + 20*on[{0}] - T[{0}]);\n"
        "  when T[{0}] > 21 then on[{0}] = 0;\n"
        "  elsewhen T[{0}] < 19 then on[{0}] = 1;\n  end when;\n",
        k, 0.8 + 0.4 * spread(k));
  return text + "end Thermostats;\n";
}

// The same rooms as most people write them: whether the heater is on is a condition in the
// equation.
std::string thermostats_with_if(int n) {
  std::string text = fmt::format(
      "model Thermostats\n  Real T[{0}](each start = 19, each fixed = true);\n"
      "  discrete Real on[{0}](each start = 1);\nequation\n",
      n);
  for (int k = 1; k <= n; ++k)
    text += fmt::format(
        "  der(T[{0}]) = {1}*(10 + (if on[{0}] > 0.5 then 20 else 0) - T[{0}]);\n"
        "  when T[{0}] > 21 then on[{0}] = 0; end when;\n"
        "  when T[{0}] < 19 then on[{0}] = 1; end when;\n",
        k, 0.8 + 0.4 * spread(k));
  return text + "end Thermostats;\n";
}

// An oscillator that passes many levels, each of which is counted.
std::string levels(int n) {
  std::string text = fmt::format(
      "model Levels\n  Real x(start = {{0, 1}}, fixed = {{true, true}});\n"
      "  discrete Real c[{}](each start = 0);\nequation\n  der(x, 2) + x = 0;\n",
      n);
  for (int k = 1; k <= n; ++k)
    text += fmt::format("  when x > {1} then c[{0}] = pre(c[{0}]) + 1; end when;\n", k,
                        -0.949 + 1.9 * k / n);
  return text + "end Levels;\n";
}

// Blocks on springs on a belt that holds them by friction: they stick and slip, each combination
// is a mode of its own.
std::string blocks(int n, bool is_chain) {
  std::string text = fmt::format("model Blocks\n  Real x[{0}](start = {{", n);
  for (int k = 1; k <= n; ++k) text += fmt::format("{}{}", k > 1 ? ", " : "", 1 + 0.3 * spread(k));
  text += fmt::format(
      "}}, each fixed = true);\n  Real v[{}](each start = 0, each fixed = true);\nequation\n", n);
  for (int k = 1; k <= n; ++k) {
    text += fmt::format("  der(x[{0}]) = v[{0}];\n  der(v[{0}]) = -x[{0}]", k);
    if (is_chain && k > 1) text += fmt::format(" + 0.5*(x[{}] - x[{}])", k - 1, k);
    if (is_chain && k < n) text += fmt::format(" + 0.5*(x[{}] - x[{}])", k + 1, k);
    text += fmt::format(" - {}*sign(v[{}] - 0.1);\n", 0.2 + 0.2 * spread(k), k);
  }
  return text + "end Blocks;\n";
}

void scale_row(const MarkdownTable& table, const std::string& title, int n, const std::string& text,
               double to) {
  const Model model = parse_model(text, title + ".mo");
  Solution solution;
  const double seconds = integration_seconds(solution, [&] {
    return solve(model, {.to = to, .kernel = "interpreter", .keep_steps = false});
  });
  const auto events = static_cast<double>(solution.events().size());
  table.row({title, fmt::format("{}", n),
             fmt::format("{}{}", solution.events().size(), solution.ok() ? "" : ", FAILED"),
             fmt::format("{}", solution.statistics().steps),
             fmt::format("{}", solution.num_modes()), fmt::format("{:.2f}", seconds),
             fmt::format("{:.3f}", 1e3 * seconds / events)});
}

void scale() {
  fmt::print("\nMany conditions; kernel: interpreter\n");
  const MarkdownTable table({"model", "n", "events", "steps", "modes", "seconds", "ms per event"});
  constexpr double rooms_times_time = 2000;  // about 10,000 events
  for (const int n : {30, 100, 300, 1000})
    scale_row(table, "thermostats", n, thermostats(n), rooms_times_time / n);
  for (const int n : {30, 100, 300, 1000})
    scale_row(table, "thermostats with if", n, thermostats_with_if(n), rooms_times_time / n);
  for (const int n : {100, 300, 1000}) scale_row(table, "levels", n, levels(n), 10);
  for (const int n : {30, 100}) {
    scale_row(table, "blocks", n, blocks(n, false), 15);
    scale_row(table, "blocks in a chain", n, blocks(n, true), 15);
  }
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
  if (wanted("scale")) scale();
}

// The cost of a step over the number of unknowns, from 10 to 1000, in five families of models: does
// it jump anywhere? A jump is a growth between neighbouring sizes that the exponent of the family
// does not explain: `largest jump` is the largest ratio of a step's cost to that expected from the
// size before, with the power law of the family. Draws docs/figures/growth.svg if asked to.
//
//   growth [--draw FILE.svg] [family...]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/markdown.hpp"
#include "benchmarks/svg_plot.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

constexpr double tol = 1e-9;
constexpr long num_steps = 12;  // of each run
constexpr int num_runs = 3;     // the quickest counts

struct Family {
  const char* name;
  const char* colour;
  double exponent;  // that its structure allows: 1 for sparse blocks, 3 for dense ones
  double unknowns;  // by unit
  std::function<Model(int)> make;
};

const std::vector<Family>& families() {
  namespace p = problems;
  static const std::vector<Family> all = {
      {"rods", "#1f5fa8", 1.0, 3.0, [](int n) { return p::rod_chain(n); }},
      {"springs", "#b5442d", 1.0, 3.0, [](int n) { return p::pendulum_row_springs(n); }},
      {"inerters", "#3b7d3b", 1.0, 3.0, [](int n) { return p::pendulum_row_inerters(n); }},
      {"trays", "#7a4fa3", 1.0, 10.0, [](int n) { return p::tray_column(std::max(n, 2)); }},
      {"dense", "#777777", 3.0, 1.0, [](int n) { return p::dense_linear(n); }}};
  return all;
}

// About equal ratios, and close together where solvers change or have changed.
constexpr int sizes[] = {10,  14,  20,  24,  26,  30,  40,  60,  80,  100, 120, 132, 144,
                         150, 156, 170, 190, 200, 210, 220, 240, 260, 300, 400, 600, 1000};

struct Point {
  double unknowns = 0.0, microseconds = 0.0;
};

// Processor time of the steps alone, by the interpreter, which does what machine code does.
Point measure(const Family& family, int size) {
  const int units = std::max(1, static_cast<int>(std::lround(size / family.unknowns)));
  const Model model = family.make(units);
  Point point;
  for (int run = 0; run < num_runs; ++run) {
    // The clock begins with the first step: whatever went before is not counted.
    std::clock_t first = 0, last = 0;
    long first_step = 0, last_step = 0;
    SolveOptions options;
    options.tolerance = tol;
    options.kernel = "interpreter";
    options.max_steps = num_steps;
    options.keep_steps = false;
    options.on_step = [&](const Progress& progress) {
      last = std::clock();
      last_step = progress.steps;
      if (first_step == 0) {
        first = last;
        first_step = last_step;
      }
      return true;
    };
    const Solution solution = solve(model, options);
    point.unknowns = static_cast<double>(solution.variables().size());
    if (last_step == first_step) continue;
    const double seconds = static_cast<double>(last - first) / CLOCKS_PER_SEC;
    const double each = 1e6 * seconds / static_cast<double>(last_step - first_step);
    if (run == 0 || each < point.microseconds) point.microseconds = each;
  }
  return point;
}

// How many times more than the power law from the size before.
double jump(const Family& family, const Point& before, const Point& now) {
  const double expected = std::pow(now.unknowns / before.unknowns, family.exponent);
  return now.microseconds / before.microseconds / expected;
}

Series measure(const Family& family, const MarkdownTable& table) {
  Series series{.name = family.name, .colour = family.colour};
  std::vector<Point> points;
  double largest = 0.0, where = 0.0;
  for (const int size : sizes) {
    const Point point = measure(family, size);
    if (!(point.microseconds > 0.0)) continue;
    series.x.push_back(std::log10(point.unknowns));
    series.y.push_back(std::log10(point.microseconds));
    if (!points.empty() && point.unknowns > points.back().unknowns)
      if (const double now = jump(family, points.back(), point); now > largest) {
        largest = now;
        where = point.unknowns;
      }
    points.push_back(point);
  }
  const auto cost_near = [&](double unknowns) {
    const auto nearest = std::ranges::min_element(
        points, {}, [&](const Point& p) { return std::abs(p.unknowns - unknowns); });
    return fmt::format("{:.3g}", nearest->microseconds);
  };
  const double exponent = std::log(points.back().microseconds / points.front().microseconds) /
                          std::log(points.back().unknowns / points.front().unknowns);
  table.row({family.name, cost_near(10), cost_near(30), cost_near(100), cost_near(200),
             cost_near(220), cost_near(400), cost_near(1000), fmt::format("{:.2f}", exponent),
             fmt::format("{:.2f} at {:g}", largest, where)});
  return series;
}

int run(const std::vector<std::string>& words) {
  std::string file;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < words.size(); ++k)
    if (words[k] == "--draw" && k + 1 < words.size())
      file = words[++k];
    else
      names.push_back(words[k]);
  const MarkdownTable table({"family", "10 unknowns", "30", "100", "200", "220", "400", "1000",
                             "exponent", "largest jump"});
  Panel panel{.title = "One step: log10 of microseconds over log10 of unknowns",
              .x_label = "log10 unknowns",
              .y_label = "log10 microseconds",
              .series = {}};
  for (const Family& family : families())
    if (names.empty() || std::ranges::find(names, family.name) != names.end())
      panel.series.push_back(measure(family, table));
  if (!file.empty()) std::ofstream(file) << SvgPlot(720, 420).draw({panel});
  return 0;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  try {
    return daedal::benchmarks::run({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    fmt::print("{}\n", problem.what());
    return 1;
  }
}

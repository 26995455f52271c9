// The pendulum of the lecture on DAE integration (unit mass and length) by backward differentiation
// formulas: how well its constraints are kept in forms of index 3, 2, 1 and 0, and as the ODE that
// the lecture integrates, and how errors converge, with values before the start from the solution
// or with first steps of order 1, 2, as in the lecture.
//
//   index_comparison [FOLDER]      tables; with a folder, also index_comparison.svg there
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

#include "benchmarks/markdown.hpp"
#include "benchmarks/svg_plot.hpp"
#include "daedal/solve.hpp"
#include "run/steppers/bdf_method.hpp"
#include "start/consistent_start.hpp"

namespace daedal::benchmarks {
namespace {

constexpr double g = 9.80665;
constexpr int length_equation = 2;
const std::array<std::string, 4> colours = {"#2e7d32", "#1f5fa8", "#d9822b",
                                            "#c0392b"};  // by index
const std::array<std::string, 3> constraints = {"C", "C'", "C''"};

// From rest, horizontally; y upwards.
Model pendulum() {
  Model model("Pendulum");
  const auto x = model.variable("x", {.start = {1, 0}});
  const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
  const auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + lambda * x == 0);
  model.equation(der(y, 2) + lambda * y + g == 0);
  model.equation("length", sqr(x) + sqr(y) - 1 == 0);
  return model;
}

// The lecture's system of index 0: its multiplier follows from lambda' = -3 g v, which is true on
// the constraints only.
Model pendulum_as_ode() {
  Model model("PendulumAsOde");
  const auto x = model.variable("x", {.start = {1, 0}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
  const auto lambda = model.variable("lambda", {.start = {0}, .fixed = {true}});
  model.equation(der(x, 2) + lambda * x == 0);
  model.equation(der(y, 2) + lambda * y + g == 0);
  model.equation(der(lambda) + 3 * g * der(y) == 0);
  return model;
}

// The same in its angle, to high accuracy.
Solution angle(double to) {
  Model model("Angle");
  const auto phi = model.variable("phi", {.start = {0, 0}, .fixed = {true, true}});
  model.equation(der(phi, 2) + g * cos(phi) == 0);
  return solve(model, {.from = 0.0, .to = to, .tolerance = 1e-14});
}

struct Run {
  Run(double to, const SolveOptions& options, Model of = pendulum())
      : model(std::move(of)),
        plan(plan::make_plan(model.data())),
        method(run::make_bdf(plan, settings::settings_of(model.data(), options), options.bdf)),
        end(to) {
    is_under_way = method->begin(0.0, to, start::consistent_start(plan, 0.0).values);
  }
  bool advance() {
    if (!is_under_way || method->t() == end) return false;
    is_under_way = method->advance();
    return is_under_way;
  }

  Model model;
  plan::Plan plan;
  std::unique_ptr<integrate::Bdf> method;
  double end;
  bool is_under_way = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// Drift

struct Drift {
  std::vector<double> t;
  std::array<std::vector<double>, 3> size;  // of C, C', C''
};

// C and its derivatives along the motion.
std::array<double, 3> constraints_at(const integrate::Bdf& method) {
  const auto x = [&](int order) { return method.derivative(0, order); };
  const auto y = [&](int order) { return method.derivative(1, order); };
  const double lambda = method.derivative(2, 0), square = x(0) * x(0) + y(0) * y(0);
  return {square - 1, 2 * (x(0) * x(1) + y(0) * y(1)),
          2 * (x(1) * x(1) + y(1) * y(1) - lambda * square - g * y(0))};
}

// Of the form of an index, or without one of the lecture's ODE.
Drift drift_of(std::optional<int> index, const std::string& start_up, double to, double step) {
  Run run(to,
          {.from = 0.0,
           .to = to,
           .order = 3,
           .method = "bdf",
           .bdf = {.index = index, .fixed_step = step, .start_up = start_up}},
          index ? pendulum() : pendulum_as_ode());
  Drift drift;
  while (run.advance()) {
    drift.t.push_back(run.method->t());
    const std::array<double, 3> sizes = constraints_at(*run.method);
    for (int l = 0; l < 3; ++l) drift.size[l].push_back(std::abs(sizes[l]));
  }
  return drift;
}

// Largest in the turn of the pendulum before t.
double largest_before(const Drift& drift, int constraint, double t) {
  double largest = 0.0;
  for (std::size_t k = 0; k < drift.t.size(); ++k)
    if (drift.t[k] <= t && drift.t[k] > t - 2.5)
      largest = std::max(largest, drift.size[constraint][k]);
  return largest;
}

std::vector<std::string> row_of(const std::string& name, const Drift& drift) {
  std::vector<std::string> row = {name};
  for (int l = 0; l < 3; ++l)
    for (const double t : {2.5, 10.0})
      row.push_back(fmt::format("{:.1e}", largest_before(drift, l, t)));
  return row;
}

std::vector<Panel> compare_drift(const std::string& start_up) {
  constexpr double to = 10.0, step = 0.01, rounding = 1e-17;
  fmt::print("\nlargest residuals in turns of a pendulum, order 3, steps of {}, start-up: {}\n\n",
             step, start_up);
  const MarkdownTable table({"index", "\\|C\\| at 2.5", "at 10", "\\|C'\\| at 2.5", "at 10",
                             "\\|C''\\| at 2.5", "at 10"});
  std::vector<Panel> panels;
  for (int l = 0; l < 3; ++l)
    panels.push_back({.title = "Residual of " + constraints[l] + ", by index of the form",
                      .x_label = "t",
                      .y_label = "log10 |" + constraints[l] + "|",
                      .series = {}});
  for (int index = 3; index >= 0; --index) {
    const Drift drift = drift_of(index, start_up, to, step);
    table.row(row_of(fmt::format("{}", index), drift));
    for (int l = 0; l < 3; ++l) {
      Series series{.name = fmt::format("index {}", index), .colour = colours[index]};
      series.x = drift.t;
      for (const double size : drift.size[l])
        series.y.push_back(std::log10(std::max(size, rounding)));
      panels[l].series.push_back(std::move(series));
    }
  }
  table.row(row_of("0, lecture", drift_of({}, start_up, to, step)));
  return panels;
}

// ---------------------------------------------------------------------------------------------------------------------
// Convergence

using Errors = std::array<double, 3>;  // position, velocity, multiplier

Errors errors_at(const integrate::Bdf& method, const Solution& exact) {
  const double phi = exact("phi", method.t()), omega = exact("phi", method.t(), 1);
  const auto larger = [&](double of_x, double of_y, int order) {
    return std::max(std::abs(method.derivative(0, order) - of_x),
                    std::abs(method.derivative(1, order) - of_y));
  };
  return {larger(std::cos(phi), std::sin(phi), 0),
          larger(-omega * std::sin(phi), omega * std::cos(phi), 1),
          std::abs(method.derivative(2, 0) - (omega * omega - g * std::sin(phi)))};
}

// The largest in the second half of the run: what the start leaves behind, not the start itself.
Errors largest_errors(double step, const std::string& start_up, const Solution& exact, double to) {
  Run run(to, {.from = 0.0,
               .to = to,
               .order = 3,
               .method = "bdf",
               .bdf = {.fixed_step = step, .start_up = start_up}});
  Errors largest = {};
  while (run.advance()) {
    if (run.method->t() < to / 2) continue;
    const Errors errors = errors_at(*run.method, exact);
    for (int k = 0; k < 3; ++k) largest[k] = std::max(largest[k], errors[k]);
  }
  return largest;
}

Panel study_convergence() {
  constexpr double to = 2.0;
  const std::array<std::string, 3> names = {"x", "u", "lambda"};
  const Solution exact = angle(to);
  Panel panel{.title = "Errors of order 3 at index 3: positions x, velocities u, multiplier",
              .x_label = "log10 h",
              .y_label = "log10 error",
              .series = {}};
  for (const std::string start_up : {"orders", "series"}) {
    fmt::print("\nerrors of order 3 on index 3 in the second half of 0..{}, start-up: {}\n\n", to,
               start_up);
    fmt::print("h          position  order   velocity  order   multiplier  order\n");
    std::vector<Series> series;
    for (int k = 0; k < 3; ++k)
      series.push_back(
          {.name = names[k] + ", " + start_up,
           .colour = colours[k],
           .style = start_up == "series" ? Series::Style::line : Series::Style::dashed});
    Errors last = {};
    for (int halvings = 0; halvings < 6; ++halvings) {
      const double step = 0.02 / (1 << halvings);
      const Errors errors = largest_errors(step, start_up, exact, to);
      fmt::print("{:.3e}", step);
      for (int k = 0; k < 3; ++k) {
        fmt::print("  {:.1e}   {:4.2f} ", errors[k],
                   halvings > 0 ? std::log2(last[k] / errors[k]) : std::nan(""));
        series[k].x.push_back(std::log10(step));
        series[k].y.push_back(std::log10(errors[k]));
      }
      fmt::print("\n");
      last = errors;
    }
    panel.series.insert(panel.series.end(), series.begin(), series.end());
  }
  return panel;
}

void run(const std::string& folder) {
  std::vector<Panel> panels = compare_drift("series");
  compare_drift("orders");
  panels.push_back(study_convergence());
  if (folder.empty()) return;
  const std::string path = folder + "/index_comparison.svg";
  std::ofstream file(path);
  file << SvgPlot(760, 300).draw(panels);
  fmt::print("\n{}{}\n", path, file.good() ? "" : "  NOT WRITTEN");
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  daedal::benchmarks::run(argc > 1 ? argv[1] : "");
  return 0;
}

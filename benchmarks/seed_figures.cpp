// Figures of the five papers that docs/seeds.md goes through, from runs of ours:
// [Pryce2018, Figures 5, 7, 8], [EstevezLamour2019, Figures 2 to 5], the double pendulum of
// [AndrejevicDing2020], [Nedialkov2009, Figures 4 and 5].
//
//   seed_figures FOLDER [NAME...]        writes NAME.svg for all of them, or for those named
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>

#include "benchmarks/svg_plot.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

using enum Series::Style;
constexpr int num_samples = 401;
const std::vector<std::string> colours = {"#1f5fa8", "#d9822b", "#2e7d32", "#c0392b", "#7b4fa3"};

const std::string& colour(std::size_t k) { return colours[k % colours.size()]; }

// A function of time over an interval.
Series curve(const std::string& name, std::size_t k, double from, double to,
             const std::function<double(double)>& f, Series::Style style = line) {
  Series series{.name = name, .colour = colour(k), .style = style};
  for (int i = 0; i < num_samples; ++i) {
    const double t = from + (to - from) * i / (num_samples - 1);
    series.x.push_back(t);
    series.y.push_back(f(t));
  }
  return series;
}

// Variables of a solution over time.
Panel panel_of(const Solution& s, const std::string& title, const std::vector<std::string>& names,
               double from, double to, const std::string& unit = "t") {
  Panel panel{.title = title, .x_label = unit, .y_label = "", .series = {}};
  for (std::size_t k = 0; k < names.size(); ++k)
    panel.series.push_back(curve(names[k], k, from, to, [&](double t) { return s(names[k], t); }));
  return panel;
}

// The condition number along a run by the method "array".
Panel condition_of(const Solution& s, double to, const std::string& unit = "t") {
  Series series{.name = "", .colour = colour(3), .x = {}, .y = {}};
  for (const Indicator& indicator : s.indicators()) {
    if (indicator.t > to) continue;
    series.x.push_back(indicator.t);
    series.y.push_back(std::log10(indicator.condition));
  }
  return {.title = "Condition number of the derivative array",
          .x_label = unit,
          .y_label = "log10",
          .series = {series}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Pryce et al. 2018

std::vector<Panel> kinds_of_one_rod() {
  constexpr double end = 40.0;
  const Solution first = solve(problems::spring_mass_pendulum(1), {.to = end, .tolerance = 1e-8}),
                 second =
                     solve(problems::spring_mass_pendulum_angle(), {.to = end, .tolerance = 1e-12});
  const auto difference = [&](const std::string& name, auto moved) {
    return [&first, &second, name, moved](double t) {
      return 1e6 * (moved(second("x", t), second("theta", t)) - first(name, t));
    };
  };
  Panel panel{.title = "Second kind at 1e-12 minus first kind at 1e-8, in 1e-6",
              .x_label = "t",
              .y_label = "1e-6",
              .series = {}};
  panel.series.push_back(
      curve("x of the mass", 0, 0, end, difference("x0", [](double x, double) { return x; })));
  panel.series.push_back(
      curve("x of the rod", 1, 0, end,
            difference("x[1]", [](double x, double a) { return x + 2 * std::sin(a); })));
  panel.series.push_back(curve("y of the rod", 2, 0, end, difference("y[1]", [](double, double a) {
                                 return -2 * std::cos(a);
                               })));
  return {panel};
}

// A panel for each amplitude and frequency, as printed.
std::vector<Panel> force_on_pendulum() {
  constexpr double end = 20.0;
  std::vector<Panel> panels;
  for (const double faster : {1.0, 1.2})
    for (const double amplitude : {1.0, 5.0, 9.0}) {
      Model model = problems::driven_pendulum();
      model.set_parameter("a", amplitude);
      model.set_parameter("faster", faster);
      const Solution s = solve(model, {.to = end, .tolerance = 1e-12});
      panels.push_back(panel_of(s,
                                fmt::format("Force u for a = {:g}, {} the natural frequency",
                                            amplitude, faster == 1.0 ? "at" : "20 % above"),
                                {"u"}, 0, end));
    }
  return panels;
}

std::vector<Panel> divergence_of_planets() {
  Series series{.name = "|difference| / |positions|", .colour = colour(0), .x = {}, .y = {}};
  Series points = series;
  points.style = Series::Style::points, points.name = "";
  const Model model = problems::outer_planets();
  std::vector<double> times;
  for (int k = 1; k <= 6; ++k) times.push_back(std::pow(10.0, k));
  const auto run = [&](double tolerance) {
    return solve(model,
                 {.to = times.back(), .tolerance = tolerance, .at = times, .keep_steps = false});
  };
  const Solution coarse = run(1e-13), fine = run(1e-15);
  for (std::size_t k = 0; k < times.size(); ++k) {
    double difference = 0.0, size = 0.0;
    for (std::size_t j = 0; j < 15; ++j) {
      const double value = fine.at()[k].values[j];
      difference += std::pow(coarse.at()[k].values[j] - value, 2);
      size += value * value;
    }
    points.x.push_back(std::log10(times[k]));
    points.y.push_back(std::log10(std::sqrt(difference / size)));
  }
  series.x = points.x, series.y = points.y;
  return {{.title = "Planets: runs at 1e-13 and 1e-15",
           .x_label = "log10 t, in units of 100 days",
           .y_label = "log10",
           .series = {series, points}}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Estevez Schwarz and Lamour 2019

const std::vector<std::string> pendulum_names = {"x", "y", "vx", "vy", "lambda"};

std::vector<Panel> pendulum_and_condition() {
  const Solution s =
      solve(problems::pendulum_first_order(), {.to = 12.0, .tolerance = 1e-9, .method = "array"});
  return {panel_of(s, "From the nearest point, x = y = 1/sqrt(2)", pendulum_names, 0, 12),
          condition_of(s, 12)};
}

std::vector<Panel> pendulum_with_a_coordinate_fixed() {
  std::vector<Panel> panels;
  for (const std::string name : {"x", "y"}) {
    Model model = problems::pendulum_first_order();
    model.fix_start(name, 0.5);
    panels.push_back(panel_of(solve(model, {.to = 12.0, .tolerance = 1e-9}),
                              "With " + name + " = 0.5 fixed at the start", pendulum_names, 0, 12));
  }
  return panels;
}

std::vector<Panel> car_axis_and_condition() {
  Model fixed = problems::car_axis_tau();
  fixed.fix_start("yl", 0.5);
  fixed.fix_start("yr", 0.5);
  const Solution s = solve(fixed, {.to = 30.0, .tolerance = 1e-9, .method = "array"});
  const Solution free = solve(problems::car_axis_tau(), {.to = 30.0, .tolerance = 1e-9});
  const std::vector<std::string> names = {"xl", "yl", "xr", "yr"};
  return {panel_of(s, "yl = yr = 0.5 fixed at the start: to t = 3", names, 0, 30, "tau = 10 t"),
          condition_of(s, 30, "tau = 10 t"),
          panel_of(free, "From the nearest point, until the left spring has no length", names, 0,
                   free.t(), "tau = 10 t")};
}

std::vector<Panel> robot_arm_and_condition() {
  const Solution s =
      solve(problems::robot_arm(), {.to = 1.5, .tolerance = 1e-9, .method = "array"});
  return {panel_of(s, "Angles", {"x1", "x2", "x3"}, 0, 1.43),
          panel_of(s, "Torques", {"u1", "u2"}, 0, 1.43), condition_of(s, 1.5)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Andrejevic and Ding 2020

std::vector<Panel> path_of_double_pendulum() {
  const Solution s = solve(problems::double_pendulum_spinning(), {.to = 10.0, .tolerance = 1e-12});
  Panel panel{.title = "Paths of both masses, y upwards",
              .x_label = "x",
              .y_label = "y",
              .series = {},
              .is_true_to_scale = true};
  for (const std::string i : {"1", "2"}) {
    Series path{.name = "mass " + i, .colour = colour(i == "1" ? 0 : 1), .x = {}, .y = {}};
    for (int k = 0; k <= 2000; ++k) {
      path.x.push_back(s("x" + i, 0.005 * k));
      path.y.push_back(s("y" + i, 0.005 * k));
    }
    panel.series.push_back(path);
  }
  return {panel};
}

// ---------------------------------------------------------------------------------------------------------------------
// Nedialkov and Ramdani 2009

double prescribed_x(double t) { return -0.35 * std::sin(2 * std::numbers::pi * t); }
double prescribed_z(double t) { return -0.7 + 0.1 * std::cos(2 * std::numbers::pi * t); }

Solution robot() { return solve(problems::parallel_robot(), {.to = 5.0, .tolerance = 1e-12}); }

std::vector<Panel> trajectories_of_robot() {
  const Solution s = robot();
  const auto panel = [&](const std::string& name, const std::string& label, auto prescribed) {
    return Panel{.title = label,
                 .x_label = "t in s",
                 .y_label = "",
                 .series = {curve("prescribed", 3, 0, 5, prescribed, dashed),
                            curve("computed", 0, 0, 5, [&](double t) { return s(name, t); })}};
  };
  return {panel("x", "x in m", prescribed_x), panel("z", "z in m", prescribed_z),
          panel("q[1]", "q[1]", [&](double t) { return s("qd[1]", t); }),
          panel("q[2]", "q[2]", [&](double t) { return s("qd[2]", t); })};
}

// Events at which an arm turns round.
Series turns_of(const Solution& s, const std::string& name) {
  Series events{.name = "events", .colour = colour(3), .style = points, .x = {}, .y = {}};
  for (const Event& event : s.events()) {
    const double rate = s(name, event.t, 1);
    if (event.t == 0.0 || std::abs(rate) > 1e-8) continue;
    events.x.push_back(event.t);
    events.y.push_back(rate);
  }
  return events;
}

std::vector<Panel> rates_of_robot() {
  const Solution s = robot();
  std::vector<Panel> panels;
  for (const std::string name : {"x", "z", "q[1]", "q[2]"}) {
    Panel panel{.title = "Rate of " + name, .x_label = "t in s", .y_label = "", .series = {}};
    if (name.front() == 'q')
      panel.series.push_back(curve(
          "prescribed", 3, 0, 5, [&](double t) { return s("qd" + name.substr(1), t, 1); }, dashed));
    else
      panel.series.push_back(curve(
          "prescribed", 3, 0, 5,
          [&](double t) {
            const double w = 2 * std::numbers::pi;
            return name == "x" ? -0.35 * w * std::cos(w * t) : -0.1 * w * std::sin(w * t);
          },
          dashed));
    panel.series.push_back(curve("computed", 0, 0, 5, [&](double t) { return s(name, t, 1); }));
    if (name.front() == 'q') panel.series.push_back(turns_of(s, name));
    panels.push_back(panel);
  }
  return panels;
}

struct Figure {
  std::function<std::vector<Panel>()> panels;
  double height;  // of a panel
};
const std::map<std::string, Figure> figures = {
    {"spring_mass_pendulum_kinds", {kinds_of_one_rod, 300}},
    {"driven_pendulum_force", {force_on_pendulum, 190}},
    {"outer_planets_divergence", {divergence_of_planets, 300}},
    {"pendulum_condition", {pendulum_and_condition, 260}},
    {"pendulum_fixed", {pendulum_with_a_coordinate_fixed, 260}},
    {"car_axis_condition", {car_axis_and_condition, 260}},
    {"robot_arm_condition", {robot_arm_and_condition, 260}},
    {"double_pendulum_path", {path_of_double_pendulum, 520}},
    {"parallel_robot_trajectories", {trajectories_of_robot, 230}},
    {"parallel_robot_rates", {rates_of_robot, 230}},
};

int draw(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = figures.find(name);
    if (found == figures.end()) {
      fmt::print(stderr, "no figure has the name {}\n", name);
      return 2;
    }
    const std::string path = fmt::format("{}/{}.svg", folder, name);
    std::ofstream file(path);
    file << SvgPlot(760, found->second.height).draw(found->second.panels());
    fmt::print("{}{}\n", path, file.good() ? "" : "  NOT WRITTEN");
  }
  return 0;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  using namespace daedal::benchmarks;
  if (argc < 2) {
    std::fputs("usage: seed_figures FOLDER [NAME...]\n", stderr);
    return 2;
  }
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty())
    for (const auto& [name, figure] : figures) names.push_back(name);
  return draw(argv[1], names);
}

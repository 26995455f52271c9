// The figures of the parallel robot [Nedialkov2009, section 5]: path and torques (Figure 3), wanted
// torques and their limits with the located events (Figure 6), and the tracking error.
//
//   robot_figures FOLDER        writes parallel_robot.csv, parallel_robot_events.csv and SVG files
#include <array>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "benchmarks/svg_plot.hpp"
#include "daedal/solve.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

constexpr double end = 5.0, alpha = 50.0;
constexpr int num_samples = 1001;
const std::string blue = "#1f5fa8", red = "#c0392b", green = "#2e7d32", orange = "#d9822b";

double prescribed_x(double t) { return -0.35 * std::sin(2 * std::numbers::pi * t); }
double prescribed_z(double t) { return -0.7 + 0.1 * std::cos(2 * std::numbers::pi * t); }

// What the controller asks for, before it is limited.
double wanted_torque(const Solution& robot, int arm, double t) {
  const std::string i = fmt::format("[{}]", arm);
  return 600 * (robot("qd" + i, t) - robot("q" + i, t) + robot("E" + i, t) / 300 +
                0.05 * (robot("qd" + i, t, 1) - robot("q" + i, t, 1)));
}

struct Samples {
  std::vector<double> t, x, z, xd, zd, error_x, error_z;
  std::array<std::vector<double>, 2> wanted, torque, rate;
};

Samples sample(const Solution& robot, double to) {
  Samples s;
  for (int k = 0; k < num_samples; ++k) {
    const double t = to * k / (num_samples - 1);
    s.t.push_back(t);
    s.x.push_back(robot("x", t));
    s.z.push_back(robot("z", t));
    s.xd.push_back(prescribed_x(t));
    s.zd.push_back(prescribed_z(t));
    s.error_x.push_back(s.xd.back() - s.x.back());
    s.error_z.push_back(s.zd.back() - s.z.back());
    for (int i = 0; i < 2; ++i) {
      s.wanted[i].push_back(wanted_torque(robot, i + 1, t));
      s.torque[i].push_back(robot(fmt::format("G[{}]", i + 1), t));
      s.rate[i].push_back(robot(fmt::format("q[{}]", i + 1), t, 1));
    }
  }
  return s;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  fmt::print("{}  {} bytes{}\n", path, text.size(), file.good() ? "" : "  NOT WRITTEN");
}

std::string table_of(const Samples& s) {
  std::string text = "t,x,z,xd,zd,G0_1,G0_2,G_1,G_2,der_q_1,der_q_2\n";
  for (std::size_t k = 0; k < s.t.size(); ++k)
    text += fmt::format(
        "{:.3f},{:.9f},{:.9f},{:.9f},{:.9f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}\n", s.t[k],
        s.x[k], s.z[k], s.xd[k], s.zd[k], s.wanted[0][k], s.wanted[1][k], s.torque[0][k],
        s.torque[1][k], s.rate[0][k], s.rate[1][k]);
  return text;
}

// The event function that is zero.
std::string zero_at(const Solution& robot, double t) {
  if (t == 0.0) return "start: both torques at their limits";
  std::string nearest;
  double least = 1e300;
  const auto look = [&](const std::string& name, double value) {
    if (std::abs(value) < least) nearest = name;
    least = std::min(least, std::abs(value));
  };
  for (int i = 1; i <= 2; ++i) {
    look(fmt::format("der(q[{}])", i), robot(fmt::format("q[{}]", i), t, 1));
    look(fmt::format("G0[{}] - 50", i), wanted_torque(robot, i, t) - alpha);
    look(fmt::format("G0[{}] + 50", i), wanted_torque(robot, i, t) + alpha);
  }
  return nearest;
}

std::string table_of_events(const Solution& robot) {
  std::string text = "t,mode from here on,zero\n";
  for (const Event& event : robot.events())
    text += fmt::format("{:.12f},{},{}\n", event.t, event.mode, zero_at(robot, event.t));
  return text;
}

// Wanted torque minus and plus the largest one; an event is a zero of either.
Panel limits_panel(const Solution& robot, const Samples& s, int i) {
  Series upper = {.name = fmt::format("G0[{}] - 50", i + 1), .colour = blue, .x = s.t};
  Series lower = {.name = fmt::format("G0[{}] + 50", i + 1), .colour = orange, .x = s.t};
  for (const double wanted : s.wanted[i]) {
    upper.y.push_back(wanted - alpha);
    lower.y.push_back(wanted + alpha);
  }
  Series events = {.name = "located events", .colour = red, .style = Series::Style::points};
  for (const Event& event : robot.events()) {
    const double wanted = wanted_torque(robot, i + 1, event.t);
    if (event.t > s.t.back() || std::abs(std::abs(wanted) - alpha) > 1e-5) continue;
    events.x.push_back(event.t);
    events.y.push_back(0.0);
  }
  return {.title = fmt::format("Arm {}: wanted torque and its limits", i + 1),
          .x_label = "t in s",
          .y_label = "N m",
          .series = {upper, lower, events}};
}

int draw(const std::string& folder) {
  const Solution robot = solve(problems::parallel_robot(), {.to = end, .tolerance = 1e-12});
  if (!robot.ok()) {
    fmt::print("{}", robot.problems().at(0).text());
    return 1;
  }
  const Samples s = sample(robot, end), early = sample(robot, 0.4);
  const auto turn = static_cast<std::ptrdiff_t>(s.t.size() / 5);  // one second
  using enum Series::Style;
  write(folder + "/parallel_robot.csv", table_of(s));
  write(folder + "/parallel_robot_events.csv", table_of_events(robot));
  write(
      folder + "/parallel_robot_path.svg",
      SvgPlot(760, 370).draw({{.title = "Path of the plate",
                               .x_label = "x in m",
                               .y_label = "z in m",
                               .series = {{.name = "prescribed",
                                           .colour = red,
                                           .style = dashed,
                                           .x = {s.xd.begin(), s.xd.begin() + turn + 1},
                                           .y = {s.zd.begin(), s.zd.begin() + turn + 1}},
                                          {.name = "computed", .colour = blue, .x = s.x, .y = s.z},
                                          {.name = "start",
                                           .colour = green,
                                           .style = points,
                                           .x = {s.x.front()},
                                           .y = {s.z.front()}}},
                               .is_true_to_scale = true}}));
  write(folder + "/parallel_robot_torques.svg",
        SvgPlot(760, 300).draw(
            {{.title = "Torques of the motors",
              .x_label = "t in s",
              .y_label = "N m",
              .series = {{.name = "G[1]", .colour = blue, .x = s.t, .y = s.torque[0]},
                         {.name = "G[2]", .colour = orange, .x = s.t, .y = s.torque[1]}}}}));
  write(folder + "/parallel_robot_limits.svg",
        SvgPlot(760, 300).draw({limits_panel(robot, s, 0), limits_panel(robot, s, 1)}));
  write(folder + "/parallel_robot_limits_early.svg",
        SvgPlot(760, 300).draw({limits_panel(robot, early, 0), limits_panel(robot, early, 1)}));
  write(folder + "/parallel_robot_error.svg",
        SvgPlot(760, 320).draw(
            {{.title = "Tracking error",
              .x_label = "t in s",
              .y_label = "m",
              .series = {{.name = "xd - x", .colour = blue, .x = s.t, .y = s.error_x},
                         {.name = "zd - z", .colour = green, .x = s.t, .y = s.error_z}}}}));
  return 0;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: robot_figures FOLDER\n", stderr);
    return 2;
  }
  return daedal::benchmarks::draw(argv[1]);
}

// Lesson 3: one model, many values of a parameter. `daedal ensemble` does the same with
// lengths.csv.
#include <cmath>
#include <cstdio>
#include <daedal/daedal.hpp>

int main() {
  daedal::Model model("Pendulum");
  auto g = model.parameter("g", 9.81), L = model.parameter("L", 10.0);
  auto x = model.variable("x", {.start = {L, 0}});
  auto y = model.variable("y", {.start = {0, 1}, .fixed = {true, true}});
  auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));

  std::vector<daedal::ParameterValues> members;
  for (double length : {8.0, 9.0, 10.0, 11.0, 12.0}) members.push_back({{"L", length}});
  const auto swings = daedal::solve_ensemble(model, members, {.to = 10.0, .tolerance = 1e-12});

  for (std::size_t k = 0; k < swings.size(); ++k) {
    const daedal::Solution& swing = swings[k];
    for (const auto& problem : swing.problems()) std::printf("%s", problem.text().c_str());
    if (!swing.ok()) return 1;
    const double x_end = swing("x", 10.0), y_end = swing("y", 10.0);
    std::printf("L = %4.1f  x = %9.6f  y = %9.6f  length %.12f\n", members[k].at("L"), x_end, y_end,
                std::hypot(x_end, y_end));
  }
}

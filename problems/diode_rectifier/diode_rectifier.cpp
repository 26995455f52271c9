#include <numbers>

#include "problems/problems.hpp"

namespace daedal::problems {

Model diode_rectifier() {
  Model model("DiodeRectifier", "half-wave rectifier with an ideal diode");
  const auto U = model.parameter("U", 10);
  const auto f = model.parameter("f", 50);
  const auto R = model.parameter("R", 100);
  const auto C = model.parameter("C", 2e-4);
  const auto u = model.variable("u", {.start = {0}});
  const auto i = model.variable("i", {.start = {0.6}});
  const auto v = model.variable("v", {.start = {0}});
  model.equation(U * sin(2 * std::numbers::pi * f * model.time()) == v + u);
  model.equation(C * der(u) == i - u / R);
  model.equation("diode", 0 == min(i, -v));
  model.set_experiment({.start_time = 0, .stop_time = 0.1, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model controlled_pendulum() {
  Model model("ControlledPendulum", "prescribed-trajectory control of a pendulum");
  const auto g = model.parameter("g", 9.8);
  const auto l = model.parameter("l", 10.0);
  const auto a = model.parameter("a", 5.0);
  const auto w = model.parameter("w", sqrt(g / l));
  const auto x = model.variable("x", {.start = {0, 5}});
  const auto y = model.variable("y", {.start = {10, 0}});
  const auto lambda = model.variable("lambda");
  const auto u = model.variable("u", {.description = "horizontal force"});
  model.equation(der(x, 2) + lambda * x - u == 0);
  model.equation(der(y, 2) + lambda * y - g == 0);
  model.equation(sqr(x) + sqr(y) - sqr(l) == 0);
  model.equation("path", x - a * sin(w * model.time()) == 0);
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

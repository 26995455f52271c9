#include "problems/problems.hpp"

namespace daedal::problems {

Model pendulum() {
  Model model("Pendulum", "simple pendulum in cartesian coordinates");
  const auto g = model.parameter("g", 9.81);
  const auto L = model.parameter("L", 10.0);
  const auto x = model.variable("x", {.start = {10, 0}});
  const auto y = model.variable("y", {.start = {0, 1}, .fixed = {true, true}});
  const auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));
  model.set_experiment({.start_time = 0, .stop_time = 100, .tolerance = 1e-9});
  return model;
}

Model pendulum_spinning() {
  Model model("PendulumSpinning", "pendulum that goes round");
  const auto g = model.parameter("g", 9.81);
  const auto L = model.parameter("L", 1.0);
  const auto w = model.parameter("w", 7.0);
  const auto x = model.variable("x", {.start = {0, L * w}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {L, 0}});
  const auto lambda = model.variable("lambda");
  model.equation(der(x, 2) + x * lambda == 0);
  model.equation(der(y, 2) + y * lambda == g);
  model.equation("length", sqr(x) + sqr(y) == sqr(L));
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model double_pendulum() {
  Model model("DoublePendulum", "double pendulum in cartesian coordinates");
  const VariableOptions at_rest = {.start = {0}, .fixed = {true}};
  const auto g = model.parameter("g", 9.80665);
  const auto x1 = model.variable("x1", {.start = {1}});
  const auto y1 = model.variable("y1", at_rest);
  const auto u1 = model.variable("u1", {.start = {0}});
  const auto v1 = model.variable("v1", at_rest);
  const auto x2 = model.variable("x2", {.start = {2}});
  const auto y2 = model.variable("y2", at_rest);
  const auto u2 = model.variable("u2", {.start = {0}});
  const auto v2 = model.variable("v2", at_rest);
  const auto lambda1 = model.variable("lambda1");
  const auto lambda2 = model.variable("lambda2");
  model.equation(der(x1) == u1);
  model.equation(der(y1) == v1);
  model.equation(der(u1) == -lambda1 * x1 - lambda2 * (x1 - x2));
  model.equation(der(v1) == -lambda1 * y1 - lambda2 * (y1 - y2) - g);
  model.equation(der(x2) == u2);
  model.equation(der(y2) == v2);
  model.equation(der(u2) == -lambda2 * (x2 - x1));
  model.equation(der(v2) == -lambda2 * (y2 - y1) - g);
  model.equation("upper_rod", 0 == sqr(x1) + sqr(y1) - 1);
  model.equation("lower_rod", 0 == sqr(x2 - x1) + sqr(y2 - y1) - 1);
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

Model double_pendulum_spinning() {
  Model model("DoublePendulumSpinning", "double pendulum whose rods go round against each other");
  const auto g = model.parameter("g", 9.80665);
  const auto w1 = model.parameter("w1", -15.0);
  const auto w2 = model.parameter("w2", 18.0);
  const auto x1 = model.variable("x1", {.start = {0, w1}, .fixed = {true, true}});
  const auto y1 = model.variable("y1", {.start = {-1, 0}});
  const auto x2 = model.variable("x2", {.start = {0, w1 + w2}, .fixed = {true, true}});
  const auto y2 = model.variable("y2", {.start = {-2, 0}});
  const auto lambda1 = model.variable("lambda1");
  const auto lambda2 = model.variable("lambda2");
  model.equation(der(x1, 2) == -lambda1 * x1 - lambda2 * (x1 - x2));
  model.equation(der(y1, 2) == -lambda1 * y1 - lambda2 * (y1 - y2) - g);
  model.equation(der(x2, 2) == -lambda2 * (x2 - x1));
  model.equation(der(y2, 2) == -lambda2 * (y2 - y1) - g);
  model.equation("upper_rod", 0 == sqr(x1) + sqr(y1) - 1);
  model.equation("lower_rod", 0 == sqr(x2 - x1) + sqr(y2 - y1) - 1);
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

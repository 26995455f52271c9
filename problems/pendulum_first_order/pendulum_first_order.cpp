#include "problems/problems.hpp"

namespace daedal::problems {

Model pendulum_first_order() {
  Model model("DAEPendulum", "DAE Pendulum");
  const auto g = model.parameter("g", 1.0);
  const auto m = model.parameter("m", 1.0);
  const auto l = model.parameter("l", 1.0);
  const auto x = model.variable("x", {.start = {0.5}});
  const auto y = model.variable("y", {.start = {0.5}});
  const auto vx = model.variable("vx", {.start = {0}});
  const auto vy = model.variable("vy", {.start = {0}});
  const auto lambda = model.variable("lambda", {.start = {0}});
  model.equation(der(x) == vx);
  model.equation(der(y) == vy);
  model.equation(m * der(vx) == 2 * lambda * x);
  model.equation(m * der(vy) == 2 * lambda * y - m * g);
  model.equation(sqr(x) + sqr(y) == sqr(l));
  model.set_experiment({.start_time = 0, .stop_time = 12, .tolerance = 1e-6});
  return model;
}

}  // namespace daedal::problems

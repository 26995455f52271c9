#include "problems/problems.hpp"

namespace daedal::problems {

Model bouncing_ball() {
  Model model("BouncingBall", "bouncing ball");
  const auto g = model.parameter("g", 9.81);
  const auto e = model.parameter("e", 0.8);
  const auto h = model.variable("h", {.start = {1}, .fixed = {true}});
  const auto v = model.variable("v", {.start = {0}, .fixed = {true}});
  model.equation(der(h) == v);
  model.equation(der(v) == -g);
  model.when("bounce", h <= 0, {reinit(v, -e * v)});
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

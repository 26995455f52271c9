#include "daedal/lagrangian.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

Model driven_pendulum() {
  Model model("DrivenPendulum", "prescribed-trajectory control of a pendulum");
  const auto g = model.parameter("g", 9.8);
  const auto l = model.parameter("l", 10.0);
  const auto a = model.parameter("a", 5.0);
  const auto faster = model.parameter("faster", 1.0);
  const auto w = model.parameter("w", faster * sqrt(g / l));
  const auto x = model.variable("x", {.start = {0, a * w}});
  const auto y = model.variable("y", {.start = {l, 0}});
  const auto u = model.variable("u", {.description = "horizontal force"});
  add_lagrangian(model, {.function = 0.5 * (sqr(der(x)) + sqr(der(y))) + g * y,
                         .coordinates = {x, y},
                         .constraints = {{"tension", (sqr(x) + sqr(y) - sqr(l)) / 2 == 0}},
                         .forces = {{x, u}}});
  model.equation("path", x == a * sin(w * model.time()));
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

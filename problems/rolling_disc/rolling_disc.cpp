#include "daedal/lagrangian.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

Model rolling_disc() {
  Model model("RollingDisc", "disc that rolls on an inclined plane");
  const auto g = model.parameter("g", 9.8);
  const auto slope = model.parameter("slope", 0.3);
  const auto m = model.parameter("m", 2.0);
  const auto R = model.parameter("R", 0.5);
  const auto I = model.parameter("I", 0.125);
  const auto J = model.parameter("J", 0.25);
  const auto w = model.parameter("w", 1.5);
  const auto x = model.variable("x", {.start = {0, 0}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {0, 0}, .fixed = {true, true}});
  const auto theta = model.variable("theta", {.start = {0, w}, .fixed = {true, true}});
  const auto phi = model.variable("phi", {.start = {0, 0}, .fixed = {true, false}});
  add_lagrangian(model,
                 {.function = 0.5 * m * (sqr(der(x)) + sqr(der(y))) + 0.5 * I * sqr(der(theta)) +
                              0.5 * J * sqr(der(phi)) + m * g * sin(slope) * x,
                  .coordinates = {x, y, theta, phi},
                  .constraints = {{"grip_x", der(x) == R * cos(theta) * der(phi)},
                                  {"grip_y", der(y) == R * sin(theta) * der(phi)}}});
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

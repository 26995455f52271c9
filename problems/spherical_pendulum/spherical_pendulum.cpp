#include "daedal/lagrangian.hpp"
#include "daedal/vector.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

Model spherical_pendulum() {
  Model model("SphericalPendulum", "pendulum in space");
  const auto g = model.parameter("g", 9.8);
  const auto l = model.parameter("l", 2.0);
  const auto m = model.parameter("m", 1.0);
  const auto x = model.variable("x", {.start = {1.2, 0}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {0, 1.5}, .fixed = {true, true}});
  const auto z = model.variable("z", {.start = {-1.6, 0}});
  const Vector3<Expression> r(x, y, z);
  add_lagrangian(model, {.function = 0.5 * m * sqr(der(r)) - m * g * z,
                         .coordinates = {x, y, z},
                         .constraints = {{"rod", sqr(r) == sqr(l)}}});
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

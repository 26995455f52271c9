#include "problems/problems.hpp"

namespace daedal::problems {

Model dome() {
  Model model("Dome", "mass on a dome");
  const auto g = model.parameter("g", 9.81);
  const auto R = model.parameter("R", 1.0);
  const auto x = model.variable("x", {.start = {0, 0.7}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {1, 0}});
  const auto lambda = model.variable("lambda", {.start = {9}});
  const auto mu = model.variable("mu", {.start = {0}});
  model.equation(der(x, 2) == x * lambda);
  model.equation(der(y, 2) == y * lambda + mu - g);
  model.equation("dome", 0 == min(lambda, sqr(x) + sqr(y) - sqr(R)));
  model.equation("ground", 0 == min(mu, y));
  model.set_experiment({.start_time = 0, .stop_time = 1.5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

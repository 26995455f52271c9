#include "problems/problems.hpp"

namespace daedal::problems {

Model slack_pendulum() {
  Model model("SlackPendulum", "pendulum on a string");
  const auto g = model.parameter("g", 9.81);
  const auto L = model.parameter("L", 1.0);
  const auto x = model.variable("x", {.start = {0, 6.5}, .fixed = {true, true}});
  const auto y = model.variable("y", {.start = {-1, 0}});
  const auto lambda = model.variable("lambda", {.start = {50}});
  model.output("energy", 0.5 * (sqr(der(x)) + sqr(der(y))) + g * y);
  model.equation(der(x, 2) == -x * lambda);
  model.equation(der(y, 2) == -y * lambda - g);
  model.equation("string", 0 == min(lambda, sqr(L) - sqr(x) - sqr(y)));
  model.when("top", der(y) < 0);
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model continuation() {
  Model model("Continuation", "roots of a cubic followed in time");
  const auto s = sin(model.time());
  const auto c = cos(model.time());
  const auto x = model.variable("x", {.start = {0.1}});
  const auto y = model.variable("y", {.start = {2.8}});
  const auto z = model.variable("z", {.start = {-0.9}});
  model.equation(x + y + z == s + 2 * c);
  model.equation(x * y + y * z + z * x == 2 * s * c + sqr(c) - 4);
  model.equation(x * y * z == s * (sqr(c) - 4));
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

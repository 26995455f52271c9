#include "problems/problems.hpp"

namespace daedal::problems {

Model ellipse() {
  Model model("Ellipse", "bead on an ellipse");
  const auto g = model.parameter("g", 9.81);
  const auto x = model.variable("x", {.start = {2, 0}});
  const auto y = model.variable("y", {.start = {1, 0}});
  const auto lambda = model.variable("lambda");
  model.equation(der(x, 2) == -lambda * x);
  model.equation(der(y, 2) == -4 * lambda * y - g);
  model.equation("wire", sqr(x) + 4 * sqr(y) == 1);
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

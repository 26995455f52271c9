#include "problems/problems.hpp"

namespace daedal::problems {

Model arc_length() {
  Model model("ArcLength", "arc-length continuation round two folds");
  const auto x = model.variable("x", {.start = {-2, 0.1}, .fixed = {true, false}});
  const auto y = model.variable("y", {.start = {-2, 1}});
  model.equation("curve", y == pow(x, 3) - 3 * x);
  model.equation("speed", sqr(der(x)) + sqr(der(y)) == 1);
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

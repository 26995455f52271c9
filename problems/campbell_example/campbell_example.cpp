#include "problems/problems.hpp"

namespace daedal::problems {

// Equation (2) of the source with alpha = 2 + sin t.
Model campbell_example() {
  Model model("CampbellExample", "linear system with a coefficient that changes in time");
  const auto t = model.time();
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2");
  const auto x3 = model.variable("x3", {.start = {1}, .fixed = {true}});
  model.equation(der(x2) == x1);
  model.equation(x2 == t + (2 + sin(t)) * x3);
  model.equation(der(x3) == x3 + 1);
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model rotation() {
  Model model("Rotation", "linear system with a rotating matrix");
  const auto t = model.time();
  const auto x1 = model.variable("x1");
  const auto x2 = model.variable("x2");
  model.equation(cos(t) * x1 - sin(t) * x2 == sin(t));
  model.equation(sin(t) * x1 + cos(t) * x2 == cos(t));
  model.set_experiment({.start_time = 3.141592653589793, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

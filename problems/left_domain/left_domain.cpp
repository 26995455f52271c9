#include "problems/problems.hpp"

namespace daedal::problems {

Model left_domain() {
  Model model("LeftDomain", "root of a quantity that becomes negative");
  const auto x = model.variable("x", {.start = {1, 0}, .fixed = {true, true}});
  const auto y = model.variable("y");
  model.equation(der(x, 2) == -x / 4);
  model.equation("root", y == sqrt(x));
  model.set_experiment({.start_time = 0, .stop_time = 4, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model blow_up() {
  Model model("BlowUp", "solution with a pole");
  const auto x = model.variable("x", {.start = {1}, .fixed = {true}});
  model.equation(der(x) == sqr(x));
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include <string>

#include "problems/problems.hpp"

namespace daedal::problems {

Model thresholds(int num_thresholds) {
  Model model("Thresholds", "conditions at many heights of one oscillation");
  const auto x = model.variable("x", {.start = {0}, .fixed = {true}});
  const auto v = model.variable("v", {.start = {1}, .fixed = {true}});
  model.equation(der(x) == v);
  model.equation(der(v) == -x);
  for (int i = 1; i <= num_thresholds; ++i)
    model.when("threshold[" + std::to_string(i) + "]",
               x > static_cast<double>(i) / (num_thresholds + 1), {});
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

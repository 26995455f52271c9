#include "problems/problems.hpp"

namespace daedal::problems {

Model stiff_pendulum() {
  Model model("StiffPendulum", "pendulum on a stiff spring");
  const auto fixed_at = [](double value) {
    return VariableOptions{.start = {value}, .fixed = {true}};
  };
  const auto g = model.parameter("g", 9.80665);
  const auto eps = model.parameter("eps", 1e-3);
  const auto x = model.variable("x", fixed_at(1));
  const auto y = model.variable("y", fixed_at(0));
  const auto u = model.variable("u", fixed_at(0));
  const auto v = model.variable("v", fixed_at(0));
  const auto lambda = model.variable("lambda");
  model.equation(der(x) == u);
  model.equation(der(y) == v);
  model.equation(der(u) == -lambda * x);
  model.equation(der(v) == -lambda * y - g);
  model.equation("spring", eps * lambda == 1 - 1 / sqrt(sqr(x) + sqr(y)));
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

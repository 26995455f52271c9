#include "problems/problems.hpp"

namespace daedal::problems {

Model coupled_pendula(int num_pendula, double coupling) {
  Model model("CoupledPendula", "P pendula with lengths coupled through the multipliers");
  const auto g = model.parameter("g", 1.0);
  const auto l = model.parameter("l", 1.0);
  const auto c = model.parameter("c", coupling);
  const auto x = model.variables("x", num_pendula, {.start = {l, 0}});
  const auto y = model.variables("y", num_pendula, {.start = {0, 0}, .fixed = {true, true}});
  const auto lam = model.variables("lam", num_pendula);
  for (int k = 0; k < num_pendula; ++k) {
    const auto length = k == 0 ? l : l + c * lam[k - 1];
    model.equation(der(x[k], 2) == -2 * lam[k] * x[k]);
    model.equation(der(y[k], 2) == -2 * lam[k] * y[k] - g);
    model.equation(sqr(x[k]) + sqr(y[k]) == sqr(length));
  }
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

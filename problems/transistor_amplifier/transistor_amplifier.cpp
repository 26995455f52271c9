#include <numbers>
#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {

Model transistor_amplifier() {
  Model model("TransistorAmplifier", "two-stage transistor amplifier");
  const auto Ub = model.parameter("Ub", 6);
  const auto UF = model.parameter("UF", 0.026);
  const auto alpha = model.parameter("alpha", 0.99);
  const auto beta = model.parameter("beta", 1e-6);
  const auto R0 = model.parameter("R0", 1000);
  const auto R = model.parameter("R", 9000);
  const double capacities[] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
  std::vector<Expression> C(1);  // C[1] to C[5], as in the source
  for (int k = 1; k <= 5; ++k)
    C.push_back(model.parameter("C[" + std::to_string(k) + "]", capacities[k - 1]));
  const auto y1 = model.variable("y1", {.start = {0}});
  const auto y2 = model.variable("y2", {.start = {3}});
  const auto y3 = model.variable("y3", {.start = {3}});
  const auto y4 = model.variable("y4", {.start = {6}});
  const auto y5 = model.variable("y5", {.start = {3}});
  const auto y6 = model.variable("y6", {.start = {3}});
  const auto y7 = model.variable("y7", {.start = {6}});
  const auto y8 = model.variable("y8", {.start = {0}});

  const auto input = 0.1 * sin(200 * std::numbers::pi * model.time());
  const auto transistor = [&](const Expression& u) { return beta * (exp(u / UF) - 1); };
  model.equation(C[1] * (der(y2) - der(y1)) == (y1 - input) / R0);
  model.equation(C[1] * (der(y1) - der(y2)) ==
                 y2 / R + (y2 - Ub) / R + (1 - alpha) * transistor(y2 - y3));
  model.equation(-C[2] * der(y3) == y3 / R - transistor(y2 - y3));
  model.equation(C[3] * (der(y5) - der(y4)) == (y4 - Ub) / R + alpha * transistor(y2 - y3));
  model.equation(C[3] * (der(y4) - der(y5)) ==
                 y5 / R + (y5 - Ub) / R + (1 - alpha) * transistor(y5 - y6));
  model.equation(-C[4] * der(y6) == y6 / R - transistor(y5 - y6));
  model.equation(C[5] * (der(y8) - der(y7)) == (y7 - Ub) / R + alpha * transistor(y5 - y6));
  model.equation(C[5] * (der(y7) - der(y8)) == y8 / R);
  model.set_experiment({.start_time = 0, .stop_time = 0.2, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

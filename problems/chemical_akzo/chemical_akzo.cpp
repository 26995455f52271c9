#include "problems/problems.hpp"

namespace daedal::problems {

Model chemical_akzo() {
  Model model("ChemicalAkzo", "chemical Akzo Nobel problem");
  const auto k1 = model.parameter("k1", 18.7);
  const auto k2 = model.parameter("k2", 0.58);
  const auto k3 = model.parameter("k3", 0.09);
  const auto k4 = model.parameter("k4", 0.42);
  const auto K = model.parameter("K", 34.4);
  const auto klA = model.parameter("klA", 3.3);
  const auto Ks = model.parameter("Ks", 115.83);
  const auto p = model.parameter("p", 0.9);
  const auto H = model.parameter("H", 737.0);
  const auto unknown = [&](const char* name, double nominal, double start, bool is_fixed = true) {
    return model.variable(name, {.start = {start}, .fixed = {is_fixed}, .nominal = nominal});
  };
  const auto y1 = unknown("y[1]", 0.1, 0.444);
  const auto y2 = unknown("y[2]", 0.001, 0.00123);
  const auto y3 = unknown("y[3]", 0.1, 0);
  const auto y4 = unknown("y[4]", 0.001, 0.007);
  const auto y5 = unknown("y[5]", 0.01, 0);
  const auto y6 = unknown("y[6]", 0.01, 0.36, false);
  const auto r1 = k1 * pow(y1, 4) * sqrt(y2);
  const auto r2 = k2 * y3 * y4;
  const auto r3 = k2 / K * y1 * y5;
  const auto r4 = k3 * y1 * sqr(y4);
  const auto r5 = k4 * sqr(y6) * sqrt(y2);
  model.equation(der(y1) == -2 * r1 + r2 - r3 - r4);
  model.equation(der(y2) == -0.5 * r1 - r4 - 0.5 * r5 + klA * (p / H - y2));
  model.equation(der(y3) == r1 - r2 + r3);
  model.equation(der(y4) == -r2 + r3 - 2 * r4);
  model.equation(der(y5) == r2 - r3 + r5);
  model.equation("complex", 0 == Ks * y1 * y4 - y6);
  model.set_experiment({.start_time = 0, .stop_time = 180, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

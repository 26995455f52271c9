#include "problems/problems.hpp"

namespace daedal::problems {

Model reactor_separator() {
  Model model("ReactorSeparator", "two-phase reactor with condenser on a temperature path");
  const auto R = model.parameter("R", 0.08314);
  const auto FA = model.parameter("FA", 1.0), FB = model.parameter("FB", 0.8);
  const auto Tf = model.parameter("Tf", 320.0);
  const auto kD = model.parameter("kD", 0.15);
  const auto k0 = model.parameter("k0", 4e5), E = model.parameter("E", 5000.0);
  const auto aA = model.parameter("aA", 10.7), bA = model.parameter("bA", 3500.0);
  const auto aC = model.parameter("aC", 11.4), bC = model.parameter("bC", 4000.0);
  const auto Vg = model.parameter("Vg", 5.0), V2 = model.parameter("V2", 3.0);
  const auto k1 = model.parameter("k1", 3.0);
  const auto KA = model.parameter("KA", 3.0), KC = model.parameter("KC", 3.0);
  const auto Tc = model.parameter("Tc", 300.0), Pc = model.parameter("Pc", 1.0);
  const auto cp = model.parameter("cp", 0.15), lam = model.parameter("lam", 35.0);
  const auto dH = model.parameter("dH", 60.0);
  const auto UA = model.parameter("UA", 2.0), Cj = model.parameter("Cj", 1.0);
  const auto T0 = model.parameter("T0", 365.0), dT = model.parameter("dT", 5.0);
  const auto nA = model.variable("nA", {.start = {3}, .fixed = {true}});
  const auto nB = model.variable("nB", {.start = {4}, .fixed = {true}});
  const auto nC = model.variable("nC", {.start = {3}, .fixed = {true}});
  const auto vA = model.variable("vA", {.start = {0.15}}),
             vC = model.variable("vC", {.start = {0.08}});
  const auto T = model.variable("T", {.start = {365}, .nominal = 100});
  const auto Tj = model.variable("Tj", {.start = {390}, .nominal = 100});
  const auto NA = model.variable("NA", {.start = {1}}), NC = model.variable("NC", {.start = {0.5}});
  const auto P1 = model.variable("P1", {.start = {1.4}});
  const auto F1 = model.variable("F1", {.start = {1.3}});
  const auto Q = model.variable("Q", {.start = {50}, .nominal = 10});
  const auto wA = model.variable("wA", {.start = {0.07}, .fixed = {true}});
  const auto wC = model.variable("wC", {.start = {0.05}});
  const auto LA = model.variable("LA", {.start = {0.7}}),
             LC = model.variable("LC", {.start = {0.5}});
  const auto P2 = model.variable("P2", {.start = {1}});
  const auto F2 = model.variable("F2", {.start = {0.1}});

  const auto n = nA + nB + nC, v = vA + vC, w = wA + wC;
  const auto reaction = k0 * exp(-E / T) * nA * nB / n;
  model.equation("liquid_A", der(nA) == FA - reaction - NA + LA - kD * nA);
  model.equation("liquid_B", der(nB) == FB - reaction - kD * nB);
  model.equation("liquid_C", der(nC) == reaction - NC + LC - kD * nC);
  model.equation("vapour_A", der(vA) == NA - F1 * vA / v);
  model.equation("vapour_C", der(vC) == NC - F1 * vC / v);
  model.equation("heat", cp * n * der(T) == cp * (FA + FB) * (Tf - T) + cp * (LA + LC) * (Tc - T) +
                                                dH * reaction - lam * (NA + NC) + UA * (Tj - T));
  model.equation("jacket", Cj * der(Tj) == UA * (T - Tj) + Q);
  model.equation("equilibrium_A", P1 * vA / v == exp(aA - bA / T) * nA / n);
  model.equation("equilibrium_C", P1 * vC / v == exp(aC - bC / T) * nC / n);
  model.equation("gas", P1 * Vg == v * R * T);
  model.equation("pipe", F1 == k1 * (P1 - P2));
  model.equation("path", T == T0 + dT * (1 - exp(-model.time())));
  model.equation("condenser_A", der(wA) == F1 * vA / v - LA - F2 * wA / w);
  model.equation("condenser_C", der(wC) == F1 * vC / v - LC - F2 * wC / w);
  model.equation("condensate_A", LA == KA * (P2 * wA / w - exp(aA - bA / Tc)));
  model.equation("condensate_C", LC == KC * (P2 * wC / w - exp(aC - bC / Tc)));
  model.equation("condenser_gas", P2 * V2 == w * R * Tc);
  model.equation("vent", P2 == Pc);
  model.set_experiment({.start_time = 0, .stop_time = 2, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

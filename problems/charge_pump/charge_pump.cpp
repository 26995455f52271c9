#include "problems/problems.hpp"

namespace daedal::problems {

Model charge_pump() {
  Model model("ChargePump", "charge pump; ns, pC, V, mA");
  const auto VT0 = model.parameter("VT0", 0.20);
  const auto gam = model.parameter("gam", 0.035);
  const auto phi = model.parameter("phi", 1.01);
  const auto COX = model.parameter("COX", 4.0);
  const auto CD = model.parameter("CD", 0.4);
  const auto CS = model.parameter("CS", 1.6);
  const auto Vhigh = model.parameter("Vhigh", 20.0);
  const auto VFB = model.parameter("VFB", VT0 - gam * sqrt(phi) - phi);
  const auto begin = model.discrete("begin", 0);
  const auto y1 = model.variable("y1");
  const auto y2 = model.variable("y2", {.start = {0}, .fixed = {true}});
  const auto y3 = model.variable("y3");
  const auto y4 = model.variable("y4", {.start = {0}, .fixed = {true}});
  const auto y5 = model.variable("y5");
  const auto y6 = model.variable("y6", {.start = {0}});
  const auto y7 = model.variable("y7", {.start = {0}});
  const auto y8 = model.variable("y8", {.start = {0}});
  const auto y9 = model.variable("y9");
  const auto low = model.variable("low", {.start = {0}});
  const auto st = model.variable("st", {.start = {-0.2}});
  const auto dt = model.variable("dt", {.start = {-0.2}});
  const auto W = model.variable("W", {.start = {-0.2}});

  const auto time = model.time();
  const auto pulse =
      if_else(time < begin + 50, 0,
              if_else(time < begin + 60, (time - begin - 50) * 0.1 * Vhigh,
                      if_else(time < begin + 110, Vhigh, (begin + 120 - time) * 0.1 * Vhigh)));
  // By region: accumulation, depletion, inversion.
  const auto by_region = [&](const Expression& a, const Expression& b, const Expression& c) {
    return if_else(y6 <= VFB, a, if_else(st <= 0, b, c));
  };
  const auto depletion = COX * gam * (sqrt(sqr(gam / 2) + y6 - VFB) - gam / 2);
  const auto inversion = COX * (2.0 / 3 * W + gam * sqrt(phi + low));
  model.equation(der(y1) == -y9);
  model.equation(der(y2) + der(y3) == 0);
  model.equation(der(y4) + der(y5) == 0);
  model.equation(y6 == pulse);
  model.equation(y1 == by_region(COX * (y6 - VFB), depletion, inversion));
  model.equation(y2 == CS * y7);
  model.equation(y3 == by_region(0, 0, -COX * W / 3));
  model.equation(y4 == CD * y8);
  model.equation(y5 == by_region(0, 0, -COX * W / 3));
  model.equation(low == min(y7, y8));
  model.equation(st == y6 - low - VT0 - gam * (sqrt(phi + low) - sqrt(phi)));
  model.equation(dt == st - abs(y7 - y8));
  model.equation(W == if_else(dt <= 0, st, st + dt - st * dt / (st + dt)));
  model.when("period", time >= begin + 120, {assign(begin, begin + 120)});
  model.set_experiment({.start_time = 0, .stop_time = 1200, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

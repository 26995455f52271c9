#include <numbers>

#include "problems/problems.hpp"

namespace daedal::problems {

Model shuttle() {
  constexpr double deg = std::numbers::pi / 180;
  Model model("Shuttle", "space shuttle re-entry with prescribed drag");
  const auto mu = model.parameter("mu", 0.1407653916e17);
  const auto ae = model.parameter("ae", 20902900);
  const auto Om = model.parameter("Om", 0.72921159e-4);
  const auto alpha = model.parameter("alpha", 40);
  const auto S = model.parameter("S", 2690);
  const auto m = model.parameter("m", 5964.496499824);
  const auto rho0 = model.parameter("rho0", 0.002378);
  const auto h0 = model.parameter("h0", 23800);
  const auto kL = model.parameter("kL", rho0 * S / (2 * m) * (0.84 - 0.48 * (38 - alpha) / 26));
  const auto kD = model.parameter("kD", rho0 * S / (2 * m) * (0.78 - 0.58 * (38 - alpha) / 26));
  const auto C0 = model.parameter("C0", 3.974960446019);
  const auto C1 = model.parameter("C1", -0.01448947694635);
  const auto C2 = model.parameter("C2", -0.2156171551995e-4);
  const auto C3 = model.parameter("C3", -0.1089609507291e-7);
  const auto V0 = model.parameter("V0", 24317.0798);
  const auto H = model.variable("H", {.start = {264039.328}, .fixed = {true}, .nominal = 1e5});
  const auto xi = model.variable("xi", {.start = {177.718047 * deg}, .fixed = {true}});
  const auto lam = model.variable("lam", {.start = {32.0417885 * deg}, .fixed = {true}});
  const auto V = model.variable("V", {.start = {24317.0798}, .nominal = 1e4});
  const auto gam = model.variable("gam", {.start = {-0.749986488 * deg}});
  const auto A = model.variable("A", {.start = {62.7883367 * deg}, .fixed = {true}});
  const auto b = model.variable("b", {.start = {41.100771834 * deg}});

  const auto r = H + ae;
  const auto gravity = mu / sqr(r);
  const auto lift = kL * exp(-H / h0) * sqr(V);  // per mass
  const auto drag = kD * exp(-H / h0) * sqr(V);  // per mass
  const auto centrifugal = sqr(Om) * r * cos(lam);
  model.equation(der(H) == V * sin(gam));
  model.equation(der(xi) == V * cos(gam) * sin(A) / (r * cos(lam)));
  model.equation(der(lam) == V * cos(gam) * cos(A) / r);
  model.equation(der(V) == -drag - gravity * sin(gam) -
                               centrifugal * (sin(lam) * cos(A) * cos(gam) - cos(lam) * sin(gam)));
  model.equation(der(gam) ==
                 lift * cos(b) / V + cos(gam) * (sqr(V) / r - gravity) / V +
                     2 * Om * cos(lam) * sin(A) +
                     centrifugal * (sin(lam) * cos(A) * sin(gam) + cos(lam) * cos(gam)) / V);
  model.equation(der(A) == lift * sin(b) / (V * cos(gam)) + V * cos(gam) * sin(A) * tan(lam) / r -
                               2 * Om * (cos(lam) * cos(A) * tan(gam) - sin(lam)) +
                               centrifugal * sin(lam) * sin(A) / (V * cos(gam)));
  const auto v = V - V0;
  model.equation("path", 0 == drag - (C0 + C1 * v + C2 * sqr(v) + C3 * pow(v, 3)));
  model.set_experiment(
      {.start_time = 332.868734542, .stop_time = 419.868734542, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

#include "problems/problems.hpp"

namespace daedal::problems {

Model stick_slip() {
  Model model("StickSlip", "block on a belt, with dry friction");
  const auto m = model.parameter("m", 1.0);
  const auto k = model.parameter("k", 1.0);
  const auto F = model.parameter("F", 1.0);
  const auto vb = model.parameter("vb", 0.5);
  const auto A = model.parameter("A", 1.5);
  const auto w = model.parameter("w", 0.5);
  const auto x = model.variable("x", {.start = {0, 0}, .fixed = {true, true}});
  const auto friction = if_else(der(x) < vb, F, -F);
  model.equation(m * der(x, 2) == -k * x + A * cos(w * model.time()) + friction);
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-9});
  return model;
}

Model stick_slip_static() {
  Model model("StickSlipStatic", "block on a belt, with larger friction at rest");
  const auto m = model.parameter("m", 1.0);
  const auto k = model.parameter("k", 2.0);
  const auto Fs = model.parameter("Fs", 1.5);
  const auto Fk = model.parameter("Fk", 1.0);
  const auto vb = model.parameter("vb", 0.4);
  const auto x = model.variable("x", {.start = {0}, .fixed = {true}});
  const auto f = model.variable("f");
  const auto stuck = model.discrete("stuck", 1);
  model.equation(m * der(x, 2) == f - k * x);
  model.equation("friction", 0 == if_else(Condition(stuck), der(x) - vb, f - Fk));
  model.when("slip", f > Fs, {assign(stuck, 0)});
  model.when("stick", der(x) >= vb, {assign(stuck, 1)});
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

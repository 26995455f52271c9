#include "problems/problems.hpp"

namespace daedal::problems {

Model car_axis() {
  Model model("CarAxis", "car axis on a road with bumps");
  const auto L = model.parameter("L", 1.0);
  const auto L0 = model.parameter("L0", 0.5);
  const auto eps = model.parameter("eps", 0.01);
  const auto M = model.parameter("M", 10.0);
  const auto k = model.parameter("k", M * sqr(eps) / 2);
  const auto r = model.parameter("r", 0.1);
  const auto w = model.parameter("w", 10.0);
  const auto g = model.parameter("g", 1.0);
  const auto xl = model.variable("xl", {.start = {0, -0.5}});
  const auto yl = model.variable("yl", {.start = {0.5, 0}});
  const auto xr = model.variable("xr", {.start = {1, -0.5}});
  const auto yr = model.variable("yr", {.start = {0.5, 0}});
  const auto lam1 = model.variable("lam1", {.start = {0}});
  const auto lam2 = model.variable("lam2", {.start = {0}});

  const auto yb = r * sin(w * model.time());
  const auto xb = sqrt(sqr(L) - sqr(yb));
  const auto left_force = L0 / sqrt(sqr(xl) + sqr(yl)) - 1;  // of a spring, per length
  const auto right_force = L0 / sqrt(sqr(xr - xb) + sqr(yr - yb)) - 1;
  model.equation(k * der(xl, 2) == left_force * xl + lam1 * xb + 2 * lam2 * (xl - xr));
  model.equation(k * der(yl, 2) == left_force * yl + lam1 * yb + 2 * lam2 * (yl - yr) - k * g);
  model.equation(k * der(xr, 2) == right_force * (xr - xb) - 2 * lam2 * (xl - xr));
  model.equation(k * der(yr, 2) == right_force * (yr - yb) - 2 * lam2 * (yl - yr) - k * g);
  model.equation("left_spring", 0 == xb * xl + yb * yl);
  model.equation("axle", 0 == sqr(xl - xr) + sqr(yl - yr) - sqr(L));
  model.set_experiment({.start_time = 0, .stop_time = 3, .tolerance = 1e-9});
  return model;
}

Model car_axis_tau() {
  Model model("CarAxisInTau", "car axis from velocities ten times too large");
  const auto L = model.parameter("L", 1.0);
  const auto L0 = model.parameter("L0", 0.5);
  const auto eps = model.parameter("eps", 0.01);
  const auto M = model.parameter("M", 10.0);
  const auto k = model.parameter("k", M * sqr(eps) / 2);
  const auto r = model.parameter("r", 0.1);
  const auto g = model.parameter("g", 1.0);
  const auto xl = model.variable("xl", {.start = {0}});
  const auto yl = model.variable("yl", {.start = {0.5}});
  const auto xr = model.variable("xr", {.start = {1}});
  const auto yr = model.variable("yr", {.start = {0.5}});
  const auto xla = model.variable("xla", {.start = {-5}});
  const auto yla = model.variable("yla", {.start = {0}});
  const auto xra = model.variable("xra", {.start = {-5}});
  const auto yra = model.variable("yra", {.start = {0}});
  const auto lam1 = model.variable("lam1", {.start = {0}});
  const auto lam2 = model.variable("lam2", {.start = {0}});

  const auto yb = r * sin(model.time());
  const auto xb = sqrt(sqr(L) - sqr(yb));
  const auto left_force = L0 / sqrt(sqr(xl) + sqr(yl)) - 1;  // of a spring, per length
  const auto right_force = L0 / sqrt(sqr(xr - xb) + sqr(yr - yb)) - 1;
  model.equation(der(xl) == xla / 10);
  model.equation(der(yl) == yla / 10);
  model.equation(der(xr) == xra / 10);
  model.equation(der(yr) == yra / 10);
  model.equation(k * der(xla) == (left_force * xl + lam1 * xb + 2 * lam2 * (xl - xr)) / 10);
  model.equation(k * der(yla) == (left_force * yl + lam1 * yb + 2 * lam2 * (yl - yr) - k * g) / 10);
  model.equation(k * der(xra) == (right_force * (xr - xb) - 2 * lam2 * (xl - xr)) / 10);
  model.equation(k * der(yra) == (right_force * (yr - yb) - 2 * lam2 * (yl - yr) - k * g) / 10);
  model.equation("left_spring", 0 == xb * xl + yb * yl);
  model.equation("axle", 0 == sqr(xl - xr) + sqr(yl - yr) - sqr(L));
  model.set_experiment({.start_time = 0, .stop_time = 30, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

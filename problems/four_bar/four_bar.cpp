#include "daedal/lagrangian.hpp"
#include "problems/problems.hpp"

namespace daedal::problems {

Model four_bar() {
  Model model("FourBar", "closed four-bar linkage");
  const auto g = model.parameter("g", 9.8);
  const auto a = model.parameter("a", 1.0);
  const auto b = model.parameter("b", 3.0);
  const auto c = model.parameter("c", 2.5);
  const auto d = model.parameter("d", 3.0);
  const auto ma = model.parameter("ma", 1.0);
  const auto mb = model.parameter("mb", 2.0);
  const auto xa = model.variable("xa", {.start = {0, -6}, .fixed = {true, true}});
  const auto ya = model.variable("ya", {.start = {1, 0}});
  const auto xb = model.variable("xb", {.start = {2.6, -5.5}});
  const auto yb = model.variable("yb", {.start = {2.5, -0.9}});
  add_lagrangian(model,
                 {.function = 0.5 * ma * (sqr(der(xa)) + sqr(der(ya))) +
                              0.5 * mb * (sqr(der(xb)) + sqr(der(yb))) - g * (ma * ya + mb * yb),
                  .coordinates = {xa, ya, xb, yb},
                  .constraints = {{"crank", sqr(xa) + sqr(ya) == sqr(a)},
                                  {"coupler", sqr(xb - xa) + sqr(yb - ya) == sqr(b)},
                                  {"rocker", sqr(xb - d) + sqr(yb) == sqr(c)}}});
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

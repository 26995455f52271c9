#include "problems/problems.hpp"

namespace daedal::problems {

Model polynomial(int degree) {
  Model model("Polynomial", "polynomial solution of degree m");
  const double sign = degree % 2 == 0 ? 1 : -1;  // of (-1)^m
  const auto x = model.variable("x");
  const auto y = model.variable("y");
  const auto z = model.variable("z");
  const auto w = model.variable("w", {.start = {sign, -sign * degree}, .fixed = {true, true}});
  model.equation("path", x == pow(model.time() - 1, degree));
  model.equation(der(x) == y);
  model.equation(der(y) == z);
  model.equation(der(w, 2) == z + x - w);
  model.set_experiment({.start_time = 0, .stop_time = 3, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

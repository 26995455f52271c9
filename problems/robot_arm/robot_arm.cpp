#include "problems/problems.hpp"

namespace daedal::problems {

// Equations (21) and (22) of the source; `sign` corrects its (21f).
Model robot_arm() {
  Model model("RobotArm", "prescribed path control of a two-link arm");
  const auto sign_of_u2 = model.parameter("sign", -1);
  const auto x1 = model.variable("x1", {.start = {0}});
  const auto x2 = model.variable("x2", {.start = {1}});
  const auto x3 = model.variable("x3", {.start = {1}});
  const auto x4 = model.variable("x4", {.start = {-1}});
  const auto x5 = model.variable("x5", {.start = {-2.5}});
  const auto x6 = model.variable("x6", {.start = {0}});
  const auto u1 = model.variable("u1", {.start = {-4}});
  const auto u2 = model.variable("u2", {.start = {-1}});

  const auto t = model.time();
  const auto denominator = 2 - sqr(cos(x3));
  const auto a = 2 / denominator;
  const auto b = cos(x3) / denominator;
  const auto c = sin(x3) / denominator;
  const auto d = cos(x3) * sin(x3) / denominator;
  const auto p1 = cos(exp(t) - 1) + cos(t - 1);
  const auto p2 = sin(1 - exp(t)) + sin(1 - t);
  const auto turning = sqr(x4 + x6);
  const auto twist = 2 * x3 - x2;
  model.equation(der(x1) == x4);
  model.equation(der(x2) == x5);
  model.equation(der(x3) == x6);
  model.equation(der(x4) == 2 * c * turning + sqr(x4) * d + twist * (a + 2 * b) + a * u1 - a * u2);
  model.equation(der(x5) == -2 * c * turning - sqr(x4) * d + twist * (1 - 3 * a - 2 * b) - a * u1 +
                                (a + 1) * u2);
  model.equation(der(x6) == -2 * c * turning - sqr(x4) * d + twist * (a - 9 * b) - 2 * sqr(x4) * c -
                                turning * d - (a + b) * (u1 + sign_of_u2 * u2));
  model.equation("path_x", 0 == cos(x1) + cos(x1 + x3) - p1);
  model.equation("path_y", 0 == sin(x1) + sin(x1 + x3) - p2);
  model.set_experiment({.start_time = 0, .stop_time = 1.43, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

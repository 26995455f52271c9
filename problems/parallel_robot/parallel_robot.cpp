#include <array>
#include <numbers>

#include "problems/problems.hpp"

namespace daedal::problems {

// Equations (10) to (15) of the report, in its order and notation.
Model parallel_robot() {
  Model model("ParallelRobot", "parallel robot under PID control, torques limited");
  const auto xp = model.parameter("xp", 0.1);
  const auto L = model.parameter("L", 0.3);
  const auto l = model.parameter("l", 0.7);
  const auto m1 = model.parameter("m1", 0.82);
  const auto m2 = model.parameter("m2", 0.14);
  const auto m3 = model.parameter("m3", 0.5);
  const auto m4 = model.parameter("m4", 5.0);
  const auto Jmot = model.parameter("Jmot", 0.37e-2);
  const auto Jred = model.parameter("Jred", 9.09e-4);
  const auto I = model.parameter("I", 0.018895002);
  const auto Fs = model.parameter("Fs", 3.0);
  const auto Fv = model.parameter("Fv", 0.5);
  const auto alpha = model.parameter("alpha", 50);
  const auto n = model.parameter("n", 5);
  const auto g = model.parameter("g", 9.81);
  const auto Kc = model.parameter("Kc", 600);
  const auto Ti = model.parameter("Ti", 300);
  const auto Td = model.parameter("Td", 0.05);
  const auto x = model.variable("x", {.start = {0, 0}});
  const auto z = model.variable("z", {.start = {-0.6, 0}});
  const auto q = model.variables("q", 2, {.start = {0, 0}});
  const auto qd = model.variables("qd", 2, {.start = {0}});
  const auto y = model.variables("y", 2);
  const auto G = model.variables("G", 2);
  const auto E = model.variables("E", 2, {.start = {0}});

  constexpr std::array<double, 2> side = {1, -1};
  const auto turn = 2 * std::numbers::pi * model.time();
  const auto xd = -0.35 * sin(turn);
  const auto zd = -0.7 + 0.1 * cos(turn);
  // A_i B and the same on the trajectory
  std::array<Expression, 2> forearm_x, forearm_z;
  for (int i = 0; i < 2; ++i) {
    forearm_x[i] = x - side[i] * (xp + L * cos(q[i]));
    forearm_z[i] = z + L * sin(q[i]);
    model.equation(sqr(forearm_x[i]) + sqr(forearm_z[i]) == sqr(l));
  }
  for (int i = 0; i < 2; ++i)
    model.equation(sqr(xd - side[i] * (xp + L * cos(qd[i]))) + sqr(zd + L * sin(qd[i])) == sqr(l));

  const auto plate = m2 + m3 + m4;
  model.equation(2 * (forearm_x[0] * y[0] + forearm_x[1] * y[1]) + plate * der(x, 2) == 0);
  model.equation(2 * (forearm_z[0] * y[0] + forearm_z[1] * y[1]) + plate * (der(z, 2) - g) == 0);
  for (int i = 0; i < 2; ++i) {
    const auto gear = sqr(n) * (Jmot + Jred) * der(q[i], 2);
    const auto friction = Fs * sign(der(q[i])) + Fv * der(q[i]);
    const auto arm = I * der(q[i], 2) - m1 * g * cos(q[i]);
    const auto forearm = 0.5 * m2 * L * (L * der(q[i], 2) - g * cos(q[i]));
    const auto Jq = 2 * L * (forearm_x[i] * side[i] * sin(q[i]) + forearm_z[i] * cos(q[i]));
    model.equation(G[i] == gear + friction + arm + forearm + Jq * y[i]);
  }
  for (int i = 0; i < 2; ++i) {
    const auto G0 = Kc * (qd[i] - q[i] + E[i] / Ti + Td * (der(qd[i]) - der(q[i])));
    model.equation(G[i] == if_else(G0 > alpha, alpha, if_else(G0 < -alpha, -alpha, G0)));
  }
  for (int i = 0; i < 2; ++i) model.equation(der(E[i]) == qd[i] - q[i]);
  model.set_experiment({.start_time = 0, .stop_time = 5, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems

// The parallel robot of problems/parallel_robot by other means: reduced by hand to an ODE in the
// plate's position, its velocity and the integrals of the errors, integrated with the extrapolated
// midpoint rule in short steps, events located by bisection of a step. Shares no code with daedal.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace daedal::test::robot {

constexpr double xp = 0.1, L = 0.3, l = 0.7, m1 = 0.82, m2 = 0.14, m3 = 0.5, m4 = 5.0;
constexpr double Jmot = 0.37e-2, Jred = 9.09e-4, I = 0.018895002, Fs = 3.0, Fv = 0.5, n = 5,
                 g = 9.81;
constexpr double Kc = 600, Ti = 300, Td = 0.05, alpha = 50;
constexpr std::array<double, 2> side = {1, -1};
constexpr double plate = m2 + m3 + m4;                                    // of (12)
constexpr double inertia = n * n * (Jmot + Jred) + I + 0.5 * m2 * L * L;  // of q'' in (13)
constexpr double weight = (m1 + 0.5 * m2 * L) * g;                        // of -cos q in (13)

using State = std::array<double, 6>;  // x, z, x', z', E1, E2

// What the six conditions say: directions of the arms and torques at a limit, -1, 0 or 1.
struct Mode {
  std::array<int, 2> direction = {1, 1}, limit = {0, 0};
  auto operator<=>(const Mode&) const = default;
};

struct Arm {
  double a, b, q, rate;  // A_i B, its angle and q'
  double lever;          // half of dphi/dq
};

// The arm that carries a plate at (x, z) that moves with (vx, vz): phi = 0 is
// X cos q - z sin q = (X^2 + z^2 + L^2 - l^2)/(2L) with X = side x - xp; elbows are outside.
inline Arm arm_at(int i, double x, double z, double vx, double vz) {
  const double X = side[i] * x - xp;
  const double along = (X * X + z * z + L * L - l * l) / (2 * L * std::hypot(X, z));
  Arm arm{.a = 0, .b = 0, .q = -std::atan2(z, X) - std::acos(along), .rate = 0, .lever = 0};
  arm.a = x - side[i] * (xp + L * std::cos(arm.q));
  arm.b = z + L * std::sin(arm.q);
  arm.lever = L * (arm.a * side[i] * std::sin(arm.q) + arm.b * std::cos(arm.q));
  arm.rate = -(arm.a * vx + arm.b * vz) / arm.lever;
  return arm;
}

inline Arm wanted_arm(int i, double t) {
  constexpr double w = 2 * std::numbers::pi;
  return arm_at(i, -0.35 * std::sin(w * t), -0.7 + 0.1 * std::cos(w * t),
                -0.35 * w * std::cos(w * t), -0.1 * w * std::sin(w * t));
}

// The torque that the controller asks for, (9).
inline double wanted_torque(int i, double t, const State& s) {
  const Arm arm = arm_at(i, s[0], s[1], s[2], s[3]), wanted = wanted_arm(i, t);
  return Kc * (wanted.q - arm.q + s[4 + i] / Ti + Td * (wanted.rate - arm.rate));
}

// The event functions: q1', q2', then the distances of each wanted torque from its limits.
inline double event_function(int k, double t, const State& s) {
  if (k < 2) return arm_at(k, s[0], s[1], s[2], s[3]).rate;
  return wanted_torque((k - 2) / 2, t, s) + (k % 2 == 0 ? -alpha : alpha);
}
constexpr int num_functions = 6;
constexpr double smallest_lever = 5e-3;  // m; about 0.3 m times the sine of the angle at A_i

// Twice differentiated, phi = 0 is a x'' + b z'' + lever q'' + r = 0; with q'' from it and y from
// (13), (12) is a linear system for x'' and z''.
inline State rates(double t, const State& s, const Mode& mode) {
  double xx = plate, xz = 0, zz = plate, x = 0, z = plate * g;
  State result = {s[2], s[3], 0, 0, 0, 0};
  for (int i = 0; i < 2; ++i) {
    const Arm arm = arm_at(i, s[0], s[1], s[2], s[3]);
    const double sin_q = std::sin(arm.q), cos_q = std::cos(arm.q);
    const double da = s[2] + side[i] * L * sin_q * arm.rate, db = s[3] + L * cos_q * arm.rate;
    const double r =
        da * da + db * db + L * arm.rate * arm.rate * (arm.a * side[i] * cos_q - arm.b * sin_q);
    const double torque = mode.limit[i] != 0 ? mode.limit[i] * alpha : wanted_torque(i, t, s);
    const double force = (torque - Fs * mode.direction[i] - Fv * arm.rate + weight * cos_q +
                          inertia * r / arm.lever) /
                         arm.lever;
    const double mass = inertia / (arm.lever * arm.lever);
    xx += mass * arm.a * arm.a;
    xz += mass * arm.a * arm.b;
    zz += mass * arm.b * arm.b;
    x -= arm.a * force;
    z -= arm.b * force;
    result[4 + i] = wanted_arm(i, t).q - arm.q;
  }
  const double determinant = xx * zz - xz * xz;
  result[2] = (zz * x - xz * z) / determinant;
  result[3] = (xx * z - xz * x) / determinant;
  return result;
}

inline State sum(const State& a, double factor, const State& b) {
  State result = a;
  for (std::size_t j = 0; j < a.size(); ++j) result[j] += factor * b[j];
  return result;
}

inline State midpoint_rule(double t, const State& s, const Mode& mode, double h, int parts) {
  const double step = h / parts;
  State before = s, now = sum(s, step, rates(t, s, mode));
  for (int k = 1; k < parts; ++k) {
    const State next = sum(before, 2 * step, rates(t + k * step, now, mode));
    before = now;
    now = next;
  }
  return now;
}

// Order 10: five midpoint rules and Neville's scheme in the square of their steps.
inline State advance(double t, const State& s, const Mode& mode, double h) {
  std::array<State, 5> table;
  for (int k = 0; k < 5; ++k) {
    table[k] = midpoint_rule(t, s, mode, h, 2 * (k + 1));
    for (int j = k - 1; j >= 0; --j) {
      const double ratio = (k + 1.0) / (j + 1.0);
      table[j] = sum(table[j + 1], 1 / (ratio * ratio - 1), sum(table[j + 1], -1, table[j]));
    }
  }
  return table[0];
}

struct Crossing {
  double t = 0.0;
  int function = 0;
  bool upwards = false;
};

struct Run {
  std::vector<Crossing> crossings;
  std::vector<Mode> modes;  // one per stretch between crossings
  State final = {};
};

inline void switch_condition(Mode& mode, int function, bool upwards) {
  if (function < 2) {
    mode.direction[function] = upwards ? 1 : -1;
  } else {
    const bool upper = function % 2 == 0;
    mode.limit[(function - 2) / 2] = upper == upwards ? (upper ? 1 : -1) : 0;
  }
}

// By the values at the start; an arm at rest turns where it is pushed against friction.
inline Mode first_mode(double t, const State& s) {
  Mode mode;
  for (int i = 0; i < 2; ++i) {
    const double torque = wanted_torque(i, t, s);
    mode.limit[i] = torque > alpha ? 1 : torque < -alpha ? -1 : 0;
  }
  const double h = 1e-6;
  int num_agreeing = 0;
  Mode found = mode;
  for (const int first : {-1, 1})
    for (const int second : {-1, 1}) {
      mode.direction = {first, second};
      const State next = advance(t, s, mode, h);
      if (first * event_function(0, t + h, next) > 0 &&
          second * event_function(1, t + h, next) > 0) {
        found = mode;
        ++num_agreeing;
      }
    }
  if (num_agreeing != 1) throw std::runtime_error("no unique mode agrees with its solution");
  return found;
}

// On steps of length h. Throws if an arm sticks, or is stretched.
inline Run integrate(double t, State s, double end, double h) {
  Run run;
  Mode mode = first_mode(t, s);
  run.modes.push_back(mode);
  std::array<bool, num_functions> above;
  for (int k = 0; k < num_functions; ++k) above[k] = event_function(k, t, s) > 0;
  for (int i = 0; i < 2; ++i) above[i] = mode.direction[i] > 0;
  const auto first_change = [&](double step) {  // of the functions that change on it; -1 if none
    const State next = advance(t, s, mode, step);
    for (int k = 0; k < num_functions; ++k)
      if ((event_function(k, t + step, next) > 0) != above[k]) return k;
    return -1;
  };
  while (t < end) {
    double step = std::min(h, end - t);
    int changed = first_change(step);
    if (changed >= 0) {
      double low = 0, high = step;
      while (high - low > 1e-15) {
        const double middle = 0.5 * (low + high);
        const int candidate = first_change(middle);
        if (candidate >= 0) changed = candidate;
        (candidate >= 0 ? high : low) = middle;
      }
      step = high;
    }
    s = advance(t, s, mode, step);
    t = end - t <= step ? end : t + step;
    for (int i = 0; i < 2; ++i)
      if (std::abs(arm_at(i, s[0], s[1], s[2], s[3]).lever) < smallest_lever)
        throw std::runtime_error(
            "an arm and its forearm are in line: x and z do not tell its angle");
    if (changed < 0) continue;
    if (!run.crossings.empty() && t - run.crossings.back().t < 1e-9)
      throw std::runtime_error("crossings without end: an arm sticks");
    above[changed] = !above[changed];
    run.crossings.push_back({t, changed, above[changed]});
    switch_condition(mode, changed, above[changed]);
    run.modes.push_back(mode);
  }
  run.final = s;
  return run;
}

}  // namespace daedal::test::robot

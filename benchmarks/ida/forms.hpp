// The benchmark problems in the forms that IDA can integrate, written by hand. A form has
//
//   size             number of unknowns y
//   start, slope     y and y' at t = 0, consistent
//   differential[i]  is y_i a differential variable?
//   residual         F(t, y, y') for double, or Dual for the Jacobian
//   outputs          the positions of the model in problems/, in the order of `names`
//
// The smallest form of each problem is an ODE in its degrees of freedom; the larger ones are there
// to show that it is the fastest, and what IDA makes of the equations as given.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "benchmarks/ida/dual.hpp"

namespace daedal::benchmarks {

// --------------------------------------------------------------------------------------------------------------------
// Car axis. k = M eps^2/2; b(t) is the slope of the line between the wheels, sin b = r sin(w t)/L.

struct CarAxis {
  static constexpr double L = 1, L0 = 0.5, k = 5e-4, r = 0.1, w = 10, g = 1;
  static std::vector<std::string> names() { return {"xl", "yl", "xr", "yr"}; }

  struct Road {
    double sine, cosine, rate, acceleration;  // of the angle b, and b', b''
  };
  static Road road(double t) {
    const double sine = r * std::sin(w * t) / L;
    const double cosine = std::sqrt(1 - sine * sine);
    const double rate = r * w * std::cos(w * t) / (L * cosine);
    return {sine, cosine, rate, sine * (rate * rate - w * w) / cosine};
  }
};

// In the length s of the left spring and the angle phi of the axle. The left spring is at right
// angles to e = (cos b, sin b), along n = (-sin b, cos b):
//   left end  s n,   right end  s n + L a,   a = (cos phi, sin phi),   right wheel  L e.
// Projections of both equations of motion on n, and of the right one on (-sin phi, cos phi), are
// free of the multipliers.
struct CarAxisReduced : CarAxis {
  static constexpr int size = 4;  // s, phi, s', phi'
  static constexpr const char* name = "reduced to 2 coordinates";
  static constexpr std::array<double, size> start = {0.5, 0, 0, 0};
  static constexpr std::array<double, size> slope = {0, 0, -0.5, 0};
  static constexpr std::array<double, size> differential = {1, 1, 1, 1};

  template <typename T>
  static void residual(double t, const std::array<T, size>& y, const std::array<T, size>& yp,
                       std::array<T, size>& f) {
    const Road b = road(t);
    const T &s = y[0], &phi = y[1], &u = y[2], &omega = y[3];
    const T sine_phi = sin(phi), cosine_phi = cos(phi);
    const T S = sine_phi * b.cosine - cosine_phi * b.sine;  // sin(phi - b)
    const T C = cosine_phi * b.cosine + sine_phi * b.sine;
    const T along_n = yp[2] - s * (b.rate * b.rate);        // of the left end's
    const T along_e = 2 * b.rate * u + b.acceleration * s;  // acceleration
    const T spring = L0 / sqrt(s * s + 2 * L * L + 2 * L * (s * S) - 2 * L * L * C) - 1;
    f[0] = yp[0] - u;
    f[1] = yp[1] - omega;
    f[2] = k * (2 * along_n + L * (yp[3] * C - omega * omega * S)) - (L0 - s) +
           2 * k * g * b.cosine - spring * (s + L * S);
    f[3] =
        k * (along_n * C + along_e * S + L * yp[3]) - spring * (s * C + L * S) + k * g * cosine_phi;
  }

  static std::vector<double> outputs(double t, const std::array<double, size>& y) {
    const Road b = road(t);
    const double xl = -y[0] * b.sine, yl = y[0] * b.cosine;
    return {xl, yl, xl + L * std::cos(y[1]), yl + L * std::sin(y[1])};
  }
};

// Both constraints differentiated `level` times: 0 is the problem as given (index 3), 2 is index 1.
template <int level>
struct CarAxisCartesian : CarAxis {
  static constexpr int size = 10;  // positions, velocities, lam1, lam2
  static constexpr const char* name = level == 0   ? "index 3, as given"
                                      : level == 1 ? "index 2"
                                                   : "index 1";
  static constexpr std::array<double, size> start = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0};
  static constexpr std::array<double, size> slope = {-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0};
  static constexpr std::array<double, size> differential = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};

  template <typename T>
  static void residual(double t, const std::array<T, size>& y, const std::array<T, size>& yp,
                       std::array<T, size>& f) {
    const Road b = road(t);
    const double xb = L * b.cosine, yb = L * b.sine;
    const double xb1 = -L * b.sine * b.rate, yb1 = L * b.cosine * b.rate;
    const double xb2 = -L * (b.cosine * b.rate * b.rate + b.sine * b.acceleration);
    const double yb2 = L * (-b.sine * b.rate * b.rate + b.cosine * b.acceleration);
    const T &xl = y[0], &yl = y[1], &xr = y[2], &yr = y[3];
    const T dx = xl - xr, dy = yl - yr, du = y[4] - y[6], dv = y[5] - y[7];
    const T left = L0 / sqrt(xl * xl + yl * yl) - 1;
    const T rx = xr - xb, ry = yr - yb;
    const T right = L0 / sqrt(rx * rx + ry * ry) - 1;
    for (std::size_t i = 0; i < 4; ++i) f[i] = yp[i] - y[i + 4];
    f[4] = k * yp[4] - left * xl - xb * y[8] - 2 * y[9] * dx;
    f[5] = k * yp[5] - left * yl - yb * y[8] - 2 * y[9] * dy + k * g;
    f[6] = k * yp[6] - right * rx + 2 * y[9] * dx;
    f[7] = k * yp[7] - right * ry + 2 * y[9] * dy + k * g;
    if constexpr (level == 0) {
      f[8] = xb * xl + yb * yl;
      f[9] = dx * dx + dy * dy - L * L;
    } else if constexpr (level == 1) {
      f[8] = xb1 * xl + yb1 * yl + xb * y[4] + yb * y[5];
      f[9] = dx * du + dy * dv;
    } else {
      f[8] = xb2 * xl + yb2 * yl + 2 * (xb1 * y[4] + yb1 * y[5]) + xb * yp[4] + yb * yp[5];
      f[9] = du * du + dv * dv + dx * (yp[4] - yp[6]) + dy * (yp[5] - yp[7]);
    }
  }

  static std::vector<double> outputs(double, const std::array<double, size>& y) {
    return {y[0], y[1], y[2], y[3]};
  }
};

// --------------------------------------------------------------------------------------------------------------------
// Coupled pendula, g = l = 1, c = 0.1. In polar coordinates (x, y) = L (cos a, sin a) the equations
// of motion along and across the rod are
//   2 L lam = L a'^2 - L'' - sin a,    L a'' = -cos a - 2 L' a',
// and the length of each is 1 + c lam of the one before. The first length is constant, so that lam1
// and its derivatives are closed forms of a1 and a1'; those of lam2 follow from them. Index 5 and 7
// as given: beyond IDA.
template <int num_pendula>
struct CoupledPendulaReduced {
  static_assert(num_pendula == 2 || num_pendula == 3);
  static constexpr int size = 2 * num_pendula;  // angles, then their rates
  static constexpr double c = 0.1;
  static constexpr const char* name = "reduced to angles";
  static constexpr std::array<double, size> start = {};  // horizontal, at rest

  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for (int k = 1; k <= num_pendula; ++k)
      for (const char* axis : {"x[", "y["}) all.push_back(axis + std::to_string(k) + "]");
    return all;
  }

  template <typename T>
  struct Motion {
    std::array<T, num_pendula> length, acceleration;
  };

  template <typename T>
  static Motion<T> motion(const std::array<T, size>& y) {
    constexpr std::size_t P = num_pendula;
    Motion<T> m;
    const T S1 = sin(y[0]), C1 = cos(y[0]), w1 = y[P];
    m.length[0] = T(1.0);
    m.acceleration[0] = -C1;
    const T L2 = 1 + 0.5 * c * (w1 * w1 - S1);
    const T rate2 = -1.5 * c * (C1 * w1);
    const T C2 = cos(y[1]), w2 = y[P + 1];
    m.length[1] = L2;
    m.acceleration[1] = -(C2 + 2 * (rate2 * w2)) / L2;
    if constexpr (num_pendula == 3) {
      const T S2 = sin(y[1]), a2 = m.acceleration[1];
      const T second = 1.5 * c * (S1 * w1 * w1 + C1 * C1);  // derivatives of the length L2
      const T third = 1.5 * c * (C1 * w1 * (w1 * w1 - 4 * S1));
      const T lam2 = (L2 * w2 * w2 - second - S2) / (2 * L2);
      const T lam2_rate =
          (rate2 * w2 * w2 + 2 * (L2 * w2 * a2) - third - C2 * w2 - 2 * (lam2 * rate2)) / (2 * L2);
      const T L3 = 1 + c * lam2;
      m.length[2] = L3;
      m.acceleration[2] = -(cos(y[2]) + 2 * c * (lam2_rate * y[P + 2])) / L3;
    }
    return m;
  }

  static constexpr std::array<double, size> all_of(double value) {
    std::array<double, size> result = {};
    for (double& entry : result) entry = value;
    return result;
  }
  static constexpr std::array<double, size> differential = all_of(1);
  // at rest and horizontal: a'' = -1/L
  static inline const std::array<double, size> slope = [] {
    std::array<double, size> result = {};
    const Motion<double> m = motion(start);
    for (std::size_t k = 0; k < num_pendula; ++k) result[num_pendula + k] = m.acceleration[k];
    return result;
  }();

  template <typename T>
  static void residual(double, const std::array<T, size>& y, const std::array<T, size>& yp,
                       std::array<T, size>& f) {
    const Motion<T> m = motion(y);
    for (std::size_t k = 0; k < num_pendula; ++k) {
      f[k] = yp[k] - y[num_pendula + k];
      f[num_pendula + k] = yp[num_pendula + k] - m.acceleration[k];
    }
  }

  static std::vector<double> outputs(double, const std::array<double, size>& y) {
    const Motion<double> m = motion(y);
    std::vector<double> positions;
    for (std::size_t k = 0; k < num_pendula; ++k) {
      positions.push_back(m.length[k] * std::cos(y[k]));
      positions.push_back(m.length[k] * std::sin(y[k]));
    }
    return positions;
  }
};

// --------------------------------------------------------------------------------------------------------------------
// Double pendulum

struct DoublePendulum {
  static constexpr double g = 9.80665;
  static std::vector<std::string> names() { return {"x1", "y1", "x2", "y2"}; }
};

// In the angles a, b of the rods with the x axis (Lagrange's equations).
struct DoublePendulumReduced : DoublePendulum {
  static constexpr int size = 4;  // a, b, a', b'
  static constexpr const char* name = "reduced to angles";
  static constexpr std::array<double, size> start = {};
  static constexpr std::array<double, size> slope = {0, 0, -g, 0};
  static constexpr std::array<double, size> differential = {1, 1, 1, 1};

  template <typename T>
  static void residual(double, const std::array<T, size>& y, const std::array<T, size>& yp,
                       std::array<T, size>& f) {
    const T Sa = sin(y[0]), Ca = cos(y[0]), Sb = sin(y[1]), Cb = cos(y[1]);
    const T S = Sa * Cb - Ca * Sb, C = Ca * Cb + Sa * Sb;  // of a - b
    f[0] = yp[0] - y[2];
    f[1] = yp[1] - y[3];
    f[2] = 2 * yp[2] + yp[3] * C + y[3] * y[3] * S + 2 * g * Ca;
    f[3] = yp[3] + yp[2] * C - y[2] * y[2] * S + g * Cb;
  }

  static std::vector<double> outputs(double, const std::array<double, size>& y) {
    const double x1 = std::cos(y[0]), y1 = std::sin(y[0]);
    return {x1, y1, x1 + std::cos(y[1]), y1 + std::sin(y[1])};
  }
};

template <int level>
struct DoublePendulumCartesian : DoublePendulum {
  static constexpr int size = 10;  // x1 y1 x2 y2, their rates, lambda1, lambda2
  static constexpr const char* name = level == 0   ? "index 3, as given"
                                      : level == 1 ? "index 2"
                                                   : "index 1";
  static constexpr std::array<double, size> start = {1, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  static constexpr std::array<double, size> slope = {0, 0, 0, 0, 0, -g, 0, -g, 0, 0};
  static constexpr std::array<double, size> differential = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};

  template <typename T>
  static void residual(double, const std::array<T, size>& y, const std::array<T, size>& yp,
                       std::array<T, size>& f) {
    const T dx = y[2] - y[0], dy = y[3] - y[1], du = y[6] - y[4], dv = y[7] - y[5];
    for (std::size_t i = 0; i < 4; ++i) f[i] = yp[i] - y[i + 4];
    f[4] = yp[4] + y[8] * y[0] - y[9] * dx;
    f[5] = yp[5] + y[8] * y[1] - y[9] * dy + g;
    f[6] = yp[6] + y[9] * dx;
    f[7] = yp[7] + y[9] * dy + g;
    if constexpr (level == 0) {
      f[8] = y[0] * y[0] + y[1] * y[1] - 1;
      f[9] = dx * dx + dy * dy - 1;
    } else if constexpr (level == 1) {
      f[8] = y[0] * y[4] + y[1] * y[5];
      f[9] = dx * du + dy * dv;
    } else {
      f[8] = y[4] * y[4] + y[5] * y[5] + y[0] * yp[4] + y[1] * yp[5];
      f[9] = du * du + dv * dv + dx * (yp[6] - yp[4]) + dy * (yp[7] - yp[5]);
    }
  }

  static std::vector<double> outputs(double, const std::array<double, size>& y) {
    return {y[0], y[1], y[2], y[3]};
  }
};

}  // namespace daedal::benchmarks

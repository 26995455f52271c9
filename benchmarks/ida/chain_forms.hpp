// The chain of rods (problems/rod_chain) in forms that IDA can integrate, written by hand, for any
// number of rods. A form has
//
//   size()                 number of unknowns y
//   start(y, yp)           y and y' at t = 0, consistent
//   is_differential(i)     is y_i a differential variable?
//   half_bandwidth()       of the Jacobian; 0 is dense
//   residual(y, yp, f)     F(y, y')
//   jacobian(alpha, y, yp, add)   add(i, j, value) for the entries of dF/dy + alpha dF/dy'
//   motion(y)              positions and velocities of the model in problems/
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace daedal::benchmarks {

struct ChainConstants {
  static constexpr double g = 9.8, l = 2, M = 5, m = 2, k = 10, x_start = 4;
};

// Points 0 to n of the chain, the slider first.
struct ChainMotion {
  std::vector<double> x, y, u, v;

  explicit ChainMotion(int num_rods) : x(num_rods + 1), y(x), u(x), v(x) {}

  double energy() const {
    using C = ChainConstants;
    double energy = C::M / 2 * u[0] * u[0] + C::k / 2 * x[0] * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double across = u[i - 1] * u[i] + v[i - 1] * v[i];
      energy += C::m / 6 *
                (u[i - 1] * u[i - 1] + v[i - 1] * v[i - 1] + across + u[i] * u[i] + v[i] * v[i]);
      energy += C::m * C::g * (y[i - 1] + y[i]) / 2;
    }
    return energy;
  }
};

// In the position of the slider and the angles of the rods: an implicit ODE, index 0.
//
// Rod j points along -(cos phi_j, sin phi_j); all angles are 0 at the start. The centre of rod k
// moves with slider, whole rods j < k and half of rod k, so that with w_j = n - j + 1/2
//
//   T = (M + n m)/2 x0'^2 + m l x0' sum_j w_j sin(phi_j) phi_j'
//       + m l^2/2 sum_j ((n - j + 1/3) phi_j'^2 + 2 sum_{i<j} w_j cos(phi_i - phi_j) phi_i' phi_j')
//   V = k/2 x0^2 - m g l sum_j w_j sin(phi_j)
//
// and Lagrange's equations, with p_j = (sin phi_j)'' and q_j = -(cos phi_j)'', are
//
//   (M + n m) x0'' + m l sum_j w_j q_j + k x0 = 0
//   m l^2 ((n - i + 1/3) phi_i'' + sum_{j/=i} w_max(i,j) (cos phi_i p_j + sin phi_i q_j))
//       + m l w_i (sin(phi_i) x0'' - g cos(phi_i)) = 0.
class ChainAngles : ChainConstants {
 public:
  static constexpr const char* name = "angles, index 0, dense";

  explicit ChainAngles(int num_rods)
      : n_(num_rods), sine_(n_), cosine_(n_), p_(n_), q_(n_), P_(n_), Q_(n_) {}

  int size() const { return 2 * (n_ + 1); }  // x0, angles, then their rates
  int half_bandwidth() const { return 0; }
  bool is_differential(int) const { return true; }

  void start(double* y, double* yp) const {
    for (int i = 0; i < size(); ++i) y[i] = yp[i] = 0.0;
    y[0] = x_start;
    yp[n_ + 1] = -k * x_start / (M + n_ * m);
    // All angles 0: sum_{j/=i} w_max(i,j) a_j + (n - i + 1/3) a_i = w_i g/l. Differences of
    // neighbouring rows leave a tridiagonal system; Gauss on the full one is as good here.
    std::vector<std::vector<double>> A(n_, std::vector<double>(n_ + 1));
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) A[i][j] = i == j ? own(i) : weight(i > j ? i : j);
      A[i][n_] = weight(i) * g / l;
    }
    for (int c = 0; c < n_; ++c)
      for (int i = c + 1; i < n_; ++i) {
        const double factor = A[i][c] / A[c][c];
        for (int j = c; j <= n_; ++j) A[i][j] -= factor * A[c][j];
      }
    for (int i = n_ - 1; i >= 0; --i) {
      double sum = A[i][n_];
      for (int j = i + 1; j < n_; ++j) sum -= A[i][j] * yp[n_ + 2 + j];
      yp[n_ + 2 + i] = sum / A[i][i];
    }
  }

  void residual(const double* y, const double* yp, double* f) {
    update(y, yp);
    const double *rate = y + n_ + 1, *acceleration = yp + n_ + 1;
    for (int i = 0; i <= n_; ++i) f[i] = yp[i] - rate[i];
    double sum = 0.0;
    for (int j = 0; j < n_; ++j) sum += weight(j) * q_[j];
    f[n_ + 1] = (M + n_ * m) * acceleration[0] + m * l * sum + k * y[0];
    for (int i = 0; i < n_; ++i)
      f[n_ + 2 + i] =
          m * l * l * (own(i) * acceleration[i + 1] + cosine_[i] * P_[i] + sine_[i] * Q_[i]) +
          m * l * weight(i) * (sine_[i] * acceleration[0] - g * cosine_[i]);
  }

  template <typename Add>
  void jacobian(double alpha, const double* y, const double* yp, Add&& add) {
    update(y, yp);
    const double *rate = y + n_ + 2, *acceleration = yp + n_ + 2;
    const int u = n_ + 1, omega = n_ + 2;  // rows of the accelerations, columns of the rates
    for (int i = 0; i <= n_; ++i) {
      add(i, i, alpha);
      add(i, u + i, -1.0);
    }
    add(u, 0, k);
    add(u, u, alpha * (M + n_ * m));
    for (int j = 0; j < n_; ++j) {
      const double w = m * l * weight(j);
      add(u, 1 + j, w * p_[j]);  // d q_j/d phi_j = p_j
      add(u, omega + j, w * (2 * cosine_[j] * rate[j] + alpha * sine_[j]));
      add(omega + j, u, alpha * w * sine_[j]);
    }
    for (int i = 0; i < n_; ++i) {
      const double scale = m * l * l;
      add(omega + i, 1 + i,
          scale * (cosine_[i] * Q_[i] - sine_[i] * P_[i]) +
              m * l * weight(i) * (cosine_[i] * yp[u] + g * sine_[i]));
      add(omega + i, omega + i, scale * alpha * own(i));
      for (int j = 0; j < n_; ++j) {
        if (j == i) continue;
        const double w = scale * weight(i > j ? i : j);
        const double C = cosine_[i] * cosine_[j] + sine_[i] * sine_[j];
        const double S = sine_[i] * cosine_[j] - cosine_[i] * sine_[j];
        add(omega + i, 1 + j, w * (S * acceleration[j] - C * rate[j] * rate[j]));
        add(omega + i, omega + j, w * (2 * S * rate[j] + alpha * C));
      }
    }
  }

  ChainMotion motion(const double* y) const {
    ChainMotion r(n_);
    r.x[0] = y[0];
    r.u[0] = y[n_ + 1];
    for (int i = 1; i <= n_; ++i) {
      const double S = std::sin(y[i]), C = std::cos(y[i]), rate = y[n_ + 1 + i];
      r.x[i] = r.x[i - 1] - l * C;
      r.y[i] = r.y[i - 1] - l * S;
      r.u[i] = r.u[i - 1] + l * S * rate;
      r.v[i] = r.v[i - 1] - l * C * rate;
    }
    return r;
  }

 private:
  double weight(int j) const { return n_ - j - 0.5; }  // j counts from 0
  double own(int j) const { return n_ - j - 1 + 1.0 / 3; }

  // P_i = sum_{j/=i} w_max(i,j) p_j, and Q_i of q_j.
  void update(const double* y, const double* yp) {
    for (int j = 0; j < n_; ++j) {
      const double rate = y[n_ + 2 + j], acceleration = yp[n_ + 2 + j];
      sine_[j] = std::sin(y[1 + j]);
      cosine_[j] = std::cos(y[1 + j]);
      p_[j] = cosine_[j] * acceleration - sine_[j] * rate * rate;
      q_[j] = sine_[j] * acceleration + cosine_[j] * rate * rate;
    }
    double p_before = 0.0, q_before = 0.0;
    for (int i = 0; i < n_; ++i) {
      P_[i] = weight(i) * p_before;
      Q_[i] = weight(i) * q_before;
      p_before += p_[i];
      q_before += q_[i];
    }
    double p_after = 0.0, q_after = 0.0;
    for (int i = n_ - 1; i >= 0; --i) {
      P_[i] += p_after;
      Q_[i] += q_after;
      p_after += weight(i) * p_[i];
      q_after += weight(i) * q_[i];
    }
  }

  int n_;
  std::vector<double> sine_, cosine_, p_, q_, P_, Q_;
};

// In Cartesian coordinates with the rods differentiated twice: index 1, band matrix. The unknowns
// go point by point, (x0, u0), then (lam_i, x_i, u_i, y_i, v_i). Baumgarte's stabilisation replaces
// C'' = 0 by C'' + 2 gamma C' + gamma^2 C = 0; with gamma = 20 the energy of 20 rods drifts 10 to
// 100 times less than without, at the same cost, and less than with 1 or 5.
class ChainCartesian : ChainConstants {
 public:
  static constexpr const char* name = "Cartesian, index 1, band";

  explicit ChainCartesian(int num_rods, double gamma = 20.0) : n_(num_rods), gamma_(gamma) {}

  int size() const { return 2 + 5 * n_; }
  int half_bandwidth() const { return 6; }  // the row of u_i' has x_{i-1}
  bool is_differential(int i) const { return i < 2 || (i - 2) % 5 != 0; }

  void start(double* y, double* yp) const {
    for (int i = 0; i < size(); ++i) y[i] = yp[i] = 0.0;
    const double slide = -k * x_start / (M + n_ * m);  // all points along x
    y[0] = x_start;
    yp[1] = slide;
    for (int i = 1; i <= n_; ++i) {
      y[X(i)] = x_start - l * i;
      yp[U(i)] = slide;
      // the rods below and half of this one are pulled along by the force -2 lam l
      y[L(i)] = m * (n_ - i + 0.5) * slide / (2 * l);
    }
    // along y: m/6 (v'_{i-1} + 4 v'_i + v'_{i+1}) = -m g, and half of it at the end
    std::vector<double> diagonal(n_ + 1), right(n_ + 1);
    for (int i = 1; i <= n_; ++i) {
      diagonal[i] = i < n_ ? 4.0 : 2.0;
      right[i] = i < n_ ? -6 * g : -3 * g;
      if (i == 1) continue;
      right[i] -= right[i - 1] / diagonal[i - 1];
      diagonal[i] -= 1 / diagonal[i - 1];
    }
    for (int i = n_; i >= 1; --i)
      yp[V(i)] = (right[i] - (i < n_ ? yp[V(i + 1)] : 0.0)) / diagonal[i];
  }

  void residual(const double* y, const double* yp, double* f) const {
    f[0] = yp[0] - y[1];
    f[1] = M * yp[1] + k * y[0];
    for (int i = 1; i <= n_; ++i) {
      f[X(i)] = yp[X(i)] - y[U(i)];
      f[U(i)] = 0.0;
      f[Y(i)] = yp[Y(i)] - y[V(i)];
      f[V(i)] = 0.0;
    }
    for (int i = 1; i <= n_; ++i) {
      const Rod r = rod(i, y, yp);
      const double pull_x = 2 * y[L(i)] * r.dx, pull_y = 2 * y[L(i)] * r.dy;
      f[U(i - 1)] += m / 6 * (2 * r.a0 + r.a1) - pull_x;
      f[U(i)] += m / 6 * (2 * r.a1 + r.a0) + pull_x;
      if (i > 1) f[V(i - 1)] += m / 6 * (2 * r.b0 + r.b1) + m * g / 2 - pull_y;
      f[V(i)] += m / 6 * (2 * r.b1 + r.b0) + m * g / 2 + pull_y;
      f[L(i)] = r.dx * (r.a1 - r.a0) + r.dy * (r.b1 - r.b0) + r.du * r.du + r.dv * r.dv +
                2 * gamma_ * (r.dx * r.du + r.dy * r.dv) +
                gamma_ * gamma_ / 2 * (r.dx * r.dx + r.dy * r.dy - l * l);
    }
  }

  template <typename Add>
  void jacobian(double alpha, const double* y, const double* yp, Add&& add) const {
    add(0, 0, alpha);
    add(0, 1, -1.0);
    add(1, 1, alpha * M);
    add(1, 0, k);
    for (int i = 1; i <= n_; ++i) {
      const Rod r = rod(i, y, yp);
      const double pull = 2 * y[L(i)];
      add(X(i), X(i), alpha);
      add(X(i), U(i), -1.0);
      add(Y(i), Y(i), alpha);
      add(Y(i), V(i), -1.0);
      const auto axis = [&](int p0, int p1, int v0, int v1, double d, double dv, double da) {
        // p0 < 0: the end that does not move along this axis
        const bool moves = p0 >= 0;
        add(v1, v1, alpha * m / 3);
        add(v1, p1, pull);
        add(v1, L(i), 2 * d);
        const double by_position = da + 2 * gamma_ * dv + gamma_ * gamma_ * d;
        const double by_velocity = 2 * dv + 2 * gamma_ * d + alpha * d;
        add(L(i), p1, by_position);
        add(L(i), v1, by_velocity);
        if (!moves) return;
        add(v1, v0, alpha * m / 6);
        add(v1, p0, -pull);
        add(v0, v0, alpha * m / 3);
        add(v0, v1, alpha * m / 6);
        add(v0, p1, -pull);
        add(v0, p0, pull);
        add(v0, L(i), -2 * d);
        add(L(i), p0, -by_position);
        add(L(i), v0, -by_velocity);
      };
      axis(X(i - 1), X(i), U(i - 1), U(i), r.dx, r.du, r.a1 - r.a0);
      axis(i > 1 ? Y(i - 1) : -1, Y(i), i > 1 ? V(i - 1) : -1, V(i), r.dy, r.dv, r.b1 - r.b0);
    }
  }

  ChainMotion motion(const double* y) const {
    ChainMotion r(n_);
    for (int i = 0; i <= n_; ++i) {
      r.x[i] = y[X(i)];
      r.u[i] = y[U(i)];
      if (i == 0) continue;
      r.y[i] = y[Y(i)];
      r.v[i] = y[V(i)];
    }
    return r;
  }

 private:
  static int L(int i) { return 5 * i - 3; }
  static int X(int i) { return i == 0 ? 0 : 5 * i - 2; }
  static int U(int i) { return X(i) + 1; }
  static int Y(int i) { return 5 * i; }
  static int V(int i) { return 5 * i + 1; }

  struct Rod {
    double dx, dy, du, dv;  // lower end less upper end
    double a0, a1, b0, b1;  // accelerations of the ends along x and y
  };
  static Rod rod(int i, const double* y, const double* yp) {
    const bool first = i == 1;
    return {y[X(i)] - y[X(i - 1)],
            y[Y(i)] - (first ? 0.0 : y[Y(i - 1)]),
            y[U(i)] - y[U(i - 1)],
            y[V(i)] - (first ? 0.0 : y[V(i - 1)]),
            yp[U(i - 1)],
            yp[U(i)],
            first ? 0.0 : yp[V(i - 1)],
            yp[V(i)]};
  }

  int n_;
  double gamma_;
};

}  // namespace daedal::benchmarks

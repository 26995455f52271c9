// CVODE of SUNDIALS, Adams' method with fixed-point iteration, on DETEST C5: the five outer planets
// as 30 equations of first order, every distance computed once.
#pragma once

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sundials/sundials_context.hpp>
#include <vector>

namespace daedal::benchmarks {

struct Planets {
  static constexpr int num_planets = 5, size = 30;  // positions planet by planet, then velocities
  static constexpr double k2 = 2.95912208286, m0 = 1.00000597682;
  static constexpr std::array<double, num_planets> m = {
      .000954786104043, .000285583733151, .0000437273164546, .0000517759138449, .00000277777777778};

  static void right_side(const double* y, double* slope) {
    double* acceleration = slope + 15;
    std::copy(y + 15, y + 30, slope);
    std::array<double, 3> sun = {};  // sum_k m_k y_k/r_k^3: what the planets do to the Sun
    for (int j = 0; j < num_planets; ++j) {
      const double* r = y + 3 * j;
      const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      const double inverse = 1 / (square * std::sqrt(square));
      for (int i = 0; i < 3; ++i) {
        sun[i] += m[j] * r[i] * inverse;
        acceleration[3 * j + i] = -m0 * r[i] * inverse;
      }
    }
    for (int j = 0; j < num_planets; ++j)
      for (int k = 0; k < j; ++k) {
        std::array<double, 3> d;
        for (int i = 0; i < 3; ++i) d[i] = y[3 * k + i] - y[3 * j + i];
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double inverse = 1 / (square * std::sqrt(square));
        for (int i = 0; i < 3; ++i) {
          acceleration[3 * j + i] += m[k] * d[i] * inverse;
          acceleration[3 * k + i] -= m[j] * d[i] * inverse;
        }
      }
    for (int j = 0; j < num_planets; ++j)
      for (int i = 0; i < 3; ++i) acceleration[3 * j + i] = k2 * (acceleration[3 * j + i] - sun[i]);
  }
};

class CvodePlanets {
 public:
  CvodePlanets(const std::vector<double>& start, double tol)
      : y_(N_VNew_Serial(Planets::size, context_)),
        iteration_(SUNNonlinSol_FixedPoint(y_, 0, context_)),
        memory_(CVodeCreate(CV_ADAMS, context_)) {
    std::copy(start.begin(), start.end(), N_VGetArrayPointer(y_));
    CVodeSetErrFile(memory_, nullptr);
    CVodeInit(memory_, right_side, 0.0, y_);
    CVodeSStolerances(memory_, tol, tol);
    CVodeSetNonlinearSolver(memory_, iteration_);
    CVodeSetMaxNumSteps(memory_, 100'000'000);
  }
  ~CvodePlanets() {
    CVodeFree(&memory_);
    SUNNonlinSolFree(iteration_);
    N_VDestroy(y_);
  }
  CvodePlanets(const CvodePlanets&) = delete;
  CvodePlanets& operator=(const CvodePlanets&) = delete;

  struct Result {
    bool ok = false;
    long steps = 0;
    std::vector<double> y;
  };
  Result integrate(double end) {
    Result result;
    double t = 0.0;
    CVodeSetStopTime(memory_, end);
    result.ok = CVode(memory_, end, y_, &t, CV_NORMAL) >= 0 && t == end;
    CVodeGetNumSteps(memory_, &result.steps);
    result.y.assign(N_VGetArrayPointer(y_), N_VGetArrayPointer(y_) + Planets::size);
    return result;
  }

 private:
  static int right_side(double, N_Vector y, N_Vector slope, void*) {
    Planets::right_side(N_VGetArrayPointer(y), N_VGetArrayPointer(slope));
    return 0;
  }

  sundials::Context context_;
  N_Vector y_;
  SUNNonlinearSolver iteration_;
  void* memory_;
};

}  // namespace daedal::benchmarks

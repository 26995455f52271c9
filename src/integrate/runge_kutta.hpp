// An explicit Runge-Kutta method of order 8 with step control for x' = g(t, x): ARKODE of SUNDIALS.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace daedal::integrate {

struct RungeKuttaOptions {
  double tolerance = 1e-9;
  double max_step = 0.0;         // > 0; may be infinite
  std::vector<double> nominals;  // by component: the error of x_j is kept below tolerance
                                 // (nominal_j + |x_j|)
};

class RungeKutta {
 public:
  // False: g is not defined there.
  using Slope = std::function<bool(double t, std::span<const double> x, std::span<double> slope)>;

  RungeKutta(Slope slope, double t, const std::vector<double>& x, const RungeKuttaOptions& options);
  ~RungeKutta();
  RungeKutta(const RungeKutta&) = delete;
  RungeKutta& operator=(const RungeKutta&) = delete;

  // One accepted step towards `stop`, not beyond it; false if none is possible.
  bool step(double stop);
  double t() const;
  std::span<const double> x() const;
  long num_rejected() const;

  static constexpr int order = 8;

 private:
  class Arkode;
  std::unique_ptr<Arkode> arkode_;
};

}  // namespace daedal::integrate

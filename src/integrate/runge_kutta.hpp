// Explicit Runge-Kutta methods with step control for x' = g(t, x): ARKODE of SUNDIALS. Errors are
// judged by the largest component.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace daedal::integrate {

struct RungeKuttaOptions {
  double tolerance = 1e-9;
  double max_step = 0.0;         // > 0; may be infinite
  std::vector<double> nominals;  // by component: the error of x_j is kept below tolerance
                                 // (nominal_j + |x_j|)
  int order = 8;                 // 2 to 6, or 8
};

class RungeKutta {
 public:
  // False: g is not defined there.
  using Slope = std::function<bool(double t, std::span<const double> x, std::span<double> slope)>;

  RungeKutta(Slope slope, double t, const std::vector<double>& x, const RungeKuttaOptions& options);
  ~RungeKutta();
  RungeKutta(const RungeKutta&) = delete;
  RungeKutta& operator=(const RungeKutta&) = delete;

  // From another point, with other meanings of its components, whose number stays; the first step
  // tried is given.
  void restart(double t, std::span<const double> x, std::span<const double> nominals,
               double first_step);
  // One accepted step towards `stop`, not beyond it; false if none is possible, or if g is not
  // defined at a stage: then restart() with a shorter one.
  bool step(double stop);
  // A limit of the next steps; may be infinite.
  void set_longest_step(double length);
  double t() const;
  std::span<const double> x() const;
  // Errors of the last step by component, as the pair of formulas has them.
  std::span<const double> estimated_errors();
  long num_rejected() const;
  long num_trials() const;    // of steps, since the start or restart
  double last_trial() const;  // its length

 private:
  class Arkode;
  std::unique_ptr<Arkode> arkode_;
};

}  // namespace daedal::integrate

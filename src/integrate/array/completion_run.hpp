// A trajectory of the completion x' = g(t, x) of a DAE by a Runge-Kutta method
// (docs/theory/derivative-array.md, rule A6). Constraints are not restored: the drift is reported.
#pragma once

#include "integrate/runge_kutta.hpp"
#include "reduce/array/completion.hpp"
#include "solution/step_source.hpp"

namespace daedal::integrate {

class CompletionRun : public solution::StepSource {
 public:
  // Holds references. `x` by unknown of the first-order form. Only where the equations depend on
  // time can a slope be a function of t alone.
  CompletionRun(reduce::Completion& completion, double t, const std::vector<double>& x,
                const RungeKuttaOptions& options, bool depends_on_time);

  // A limit of the next steps; may be infinite.
  void set_longest_step(double length) { method_.set_longest_step(length); }
  // One accepted step towards `stop`; false if none is possible.
  bool advance(double stop);

  double t() const override { return method_.t(); }
  solution::StepView accepted() const override { return {begin_, t(), t() - begin_, step_.data()}; }
  const solution::StepLayout& layout() const override { return layout_; }
  double derivative(int unknown, int order) const override;
  int highest_told(int) const override { return 1; }
  solution::StepQuality quality() const override { return {.residual = completion_.residual()}; }

  long num_rejected() const { return method_.num_rejected(); }
  double last_trial() const { return method_.last_trial(); }  // the length tried last
  bool is_defined() const { return is_defined_; }             // x' at t

 private:
  bool find_slope_of_stage(double t, std::span<const double> x, std::span<double> slope);
  bool find_slope();
  bool has_blind_components(double begin, std::span<const double> from,
                            std::span<const double> slope);
  bool are_quadratures_good(double begin, std::span<const double> from,
                            std::span<const double> slope);
  void set_polynomials(double h, std::span<const double> from, std::span<const double> slope);

  reduce::Completion& completion_;
  RungeKutta method_;
  RungeKuttaOptions options_;
  solution::StepLayout layout_;
  double begin_;
  long num_trials_ = 0;        // of steps, when the last stage was computed
  std::vector<double> slope_;  // x' at t
  std::vector<double> step_;   // cubic Hermite polynomials of the last step
  bool is_defined_ = true;
  bool depends_on_time_;
  // By unknown: the method sees no error of it; it moves in a straight line.
  std::vector<bool> is_blind_, is_even_;
  std::vector<double> x_inside_, slope_inside_, integral_;  // at points of a step, and over it
};

}  // namespace daedal::integrate

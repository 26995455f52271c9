// The method dd-erk: explicit Runge-Kutta steps on x_S' = F(t, x_S)
// (docs/theory/dummy-derivatives.md).
#pragma once

#include <algorithm>
#include <memory>

#include "integrate/dummy/state_use.hpp"
#include "integrate/hermite.hpp"
#include "integrate/runge_kutta.hpp"
#include "integrate/step_method.hpp"
#include "reduce/dummy/dummy_derivatives.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::integrate {

class ExplicitDummy : public StepMethod {
 public:
  // The series have `extra` stages above 0. Parameters are looked up at begin().
  ExplicitDummy(const reduce::DummyProblem& problem, taylor::SeriesSolver series,
                const MethodOptions& options, int order);

  // Stages above 0 that the series of an ExplicitDummy must have.
  static constexpr int extra = 5;

  const std::vector<int>& orders() const override { return orders_; }
  // From values of x its last state item would follow only as well as rounding allows.
  int interpolated(int unknown) const override {
    return std::max(0, dummies_.structure().d[unknown] - 1);
  }
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives) override;
  bool advance() override;
  double t() const override { return t_; }
  double derivative(int unknown, int order) const override {
    return known_[first_[unknown] + order];
  }
  int order() const override { return order_; }
  MethodFailure failure() const override { return failure_; }
  double last_trial() const override { return last_trial_; }
  const MethodCounters& counters() const override { return counters_; }
  double constraint_residual() override { return dummies_.residual(t_, items_); }

  std::vector<StateVectorUse> state_vectors() const override { return uses_of(dummies_); }
  long num_switches() const override { return dummies_.counters().switches; }
  void note_use(double length) override { dummies_.note_use(length); }

 private:
  bool slope(double t, std::span<const double> state, std::span<double> slope);
  void guess(double t);
  bool find_series(double t, double scale);
  void restart(double first_step);
  double take_end(double from);
  double error_between(double from);
  double error_at(double s, double from);
  void interpolate_inside(int unknown, double s, double h);
  static double integral(std::span<const double> p, int times, double s, double h,
                         const double* at_begin);
  double defect_of(double h) const;
  double first_step() const;
  void switch_state();
  void count();
  bool fail(MethodFailure failure);

  const std::vector<double>& parameters_;
  MethodOptions options_;
  int order_;
  reduce::DummyDerivatives dummies_;
  taylor::SeriesSolver series_;
  std::unique_ptr<RungeKutta> method_;
  Hermite hermite_;
  std::vector<int> orders_, first_;  // by unknown: highest derivative known; where they begin
  double t_ = 0.0, end_ = 0.0;
  long num_too_long_ = 0;                     // steps that polynomials are not accurate for
  std::vector<double> known_;                 // x_j, ..., x_j^(d_j + extra) at t
  std::vector<double> before_;                // the same at the begin of the step
  std::vector<double> items_, items_before_;  // at t, at the begin of the step
  std::vector<double> trial_, interpolated_;  // items elsewhere
  std::vector<double> state_, nominals_;
  std::vector<double> a_, b_, p_;
  MethodFailure failure_ = MethodFailure::none;
  double last_trial_ = 0.0;
  MethodCounters counters_;
};

}  // namespace daedal::integrate

// Backward differentiation formulas of orders 1 to 5 with variable steps for F(t, z, z') = 0
// (docs/theory/bdf.md). A step reads:
//
//   predict     z at t + h by the polynomial through the last k + 1 points
//   solve       F(t + h, z, z') = 0 with z' the slope of the polynomial through z and the last k
//               points, by Newton's method
//   estimate    the error from the difference of both, component by component
//   decide      accept, or again with a shorter step; order and length of the next step
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "integrate/bdf/bdf_constraints.hpp"
#include "integrate/bdf/bdf_history.hpp"
#include "integrate/bdf/bdf_newton.hpp"
#include "integrate/bdf/bdf_start.hpp"
#include "integrate/step_method.hpp"

namespace daedal::integrate {

enum class BdfStartUp { series, orders };

struct BdfOptions {
  MethodOptions method = {};
  std::optional<int> index = {};  // of the form integrated; none: the equations as written
  int order = highest_bdf_order;  // 1 to 5: the highest; the one of all steps if they are fixed
  // Steps of one length and order without error control.
  std::optional<double> fixed_step = {};
  // How fixed steps start: the points before the start are those of the solution, or there are none
  // and the first steps are of order 1, 2, ...
  BdfStartUp start_up = BdfStartUp::series;
  NewtonSettings newton = {};
  // Without it the points before the start follow only from what begin() is given.
  SeriesContinuation continue_series = {};
};

class Bdf final : public StepMethod {
 public:
  // Keeps a reference to the parameters, whose values may change between runs.
  Bdf(const UserEquations& equations, const std::vector<double>& parameters, BdfOptions options);

  const std::vector<int>& orders() const override { return form_.orders; }
  int degree() const override { return highest_bdf_order; }
  int interpolated(int unknown) const override { return std::max(0, orders()[unknown] - 1); }
  void interpolate(int unknown, std::span<double> coefficients) const override;
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives) override;
  bool advance() override;

  double t() const override { return history_.t(); }
  double derivative(int unknown, int order) const override;
  int order() const override { return last_order_; }
  MethodFailure failure() const override { return failure_; }
  double last_trial() const override { return trial_; }
  const MethodCounters& counters() const override { return counters_; }
  double constraint_residual() override;

  // The value of f_i^(times) at t, if it is a constraint and its derivatives are known.
  std::optional<double> constraint_value(int equation, int times);
  const reduce::IndexForm& form() const { return form_; }

 private:
  bool is_fixed() const { return options_.fixed_step.has_value(); }
  double direction() const { return end_ >= start_ ? 1.0 : -1.0; }

  void find_least_sizes();
  void find_sizes(std::span<const double> z);
  void remember_sizes();
  void find_weights(double h);
  void find_first_time_units(double t);
  void update_time_units();
  void choose_first_step(const Coefficients& series);
  void fill_history(double t, const Coefficients& series);

  double time_of_next_step() const;
  bool is_too_short(double h) const;
  MethodFailure attempt(double t);
  double error_of_order(double t, int order);
  void shorten(MethodFailure failure, int num_failures);
  void accept(double t);
  void choose_next_step(double t);
  void watch_constraints();

  BdfOptions options_;
  reduce::IndexForm form_;
  MethodCounters counters_;
  BdfSystem system_;
  BdfNewton newton_;
  BdfConstraints constraints_;
  BdfHistory history_;
  BdfScales scales_;
  double rounding_ = 0.0;  // a unit of it, in weights
  int lowest_order_ = 1;

  double start_ = 0.0, end_ = 0.0, duration_ = 0.0;
  long num_steps_ = 0;
  int order_ = 1, last_order_ = 1;
  double step_ = 0.0;        // > 0: the next one
  double trial_ = 0.0;       // the last one tried
  double error_ = 0.0;       // of it, in weights
  int num_equal_steps_ = 0;  // of this order and length
  MethodFailure failure_ = MethodFailure::none;

  std::vector<double> least_sizes_, recent_sizes_, sizes_, weights_;
  std::vector<double> time_units_, gains_;
  long num_jacobians_seen_ = 0;
  std::vector<double> z_, slope_;       // of the step that is tried
  std::vector<double> accepted_slope_;  // at t
  std::vector<double> predicted_, extrapolated_;
};

}  // namespace daedal::integrate

// The method dd-ida: the equations (8) and the relations (10) of [Pryce2018] as one implicit ODE in
// all items, by IDA of SUNDIALS with KLU (docs/theory/dummy-derivatives.md, rule D8).
#pragma once

#include <algorithm>
#include <memory>

#include "integrate/dummy/state_use.hpp"
#include "integrate/step_method.hpp"
#include "reduce/dummy/dummy_derivatives.hpp"

namespace daedal::integrate {

class ImplicitDummy : public StepMethod {
 public:
  // Parameters are looked up at begin(). Orders of steps go up to `most_order`, 1 to 5.
  ImplicitDummy(const reduce::DummyProblem& problem, const MethodOptions& options, int most_order);
  ~ImplicitDummy() override;

  const std::vector<int>& orders() const override { return orders_; }
  int degree() const override { return most_order_; }
  int interpolated(int unknown) const override { return orders_[unknown] - 1; }
  void interpolate(int unknown, std::span<double> coefficients) const override;
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives) override;
  bool advance() override;
  double t() const override { return t_; }
  double derivative(int unknown, int order) const override;
  int order() const override;
  MethodFailure failure() const override { return failure_; }
  double last_trial() const override;
  const MethodCounters& counters() const override { return counters_; }
  double constraint_residual() override { return dummies_.residual(t_, items_); }
  std::vector<StateVectorUse> state_vectors() const override { return uses_of(dummies_); }
  long num_switches() const override { return dummies_.counters().switches; }
  void note_use(double length) override { dummies_.note_use(length); }

 private:
  class Ida;
  double first_step(const std::vector<std::vector<double>>& derivatives) const;
  bool fail(MethodFailure failure);

  MethodOptions options_;
  int most_order_;
  reduce::DummyDerivatives dummies_;
  std::vector<int> orders_;
  std::vector<int> columns_;    // of the array, by variable of IDA: the items
  std::vector<int> variables_;  // by column; -1 if it is no item
  std::vector<double> items_;   // at t, by column of the array
  double t_ = 0.0, end_ = 0.0;
  MethodFailure failure_ = MethodFailure::none;
  MethodCounters counters_, former_;  // of all trajectories, of those before this one
  std::unique_ptr<Ida> ida_;
};

}  // namespace daedal::integrate

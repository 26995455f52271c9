// The method "completion" as one that is known by the ends of its steps, for modes: events need
// polynomials that are as accurate as the steps, so the array is larger than x' alone asks for.
#pragma once

#include <memory>
#include <optional>

#include "integrate/array/completion_run.hpp"
#include "integrate/step_method.hpp"
#include "plan/plan.hpp"
#include "run/steppers/array_stepper.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

class CompletionMethod : public integrate::StepMethod {
 public:
  // Keeps references.
  CompletionMethod(plan::Plan& plan, const settings::Settings& settings);

  const std::vector<int>& orders() const override { return orders_; }
  // Slopes are what the completion gives: values that differ by roundings over a short step have
  // none.
  int interpolated(int unknown) const override { return slopes_[unknown]; }
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives) override;
  bool advance() override;

  double t() const override { return run_->t(); }
  double derivative(int unknown, int order) const override;
  int order() const override { return CompletionStepper::fixed_order(); }
  integrate::MethodFailure failure() const override { return integrate::MethodFailure::error_test; }
  double last_trial() const override { return run_ ? run_->last_trial() : 0.0; }
  const integrate::MethodCounters& counters() const override { return counters_; }
  double constraint_residual() override { return completion_->residual(); }

 private:
  void begin_run(double t);
  double defect(double h, const std::vector<double>& before) const;
  void count();

  plan::Plan& plan_;
  const settings::Settings& settings_;
  std::vector<int> orders_, slopes_;  // by unknown; of the model's highest derivatives
  std::unique_ptr<start::StudiedArray> array_;
  std::vector<double> nominals_;  // by unknown of order one
  std::optional<reduce::Completion> completion_;
  std::optional<integrate::CompletionRun> run_;
  double end_ = 0.0, longest_ = 0.0;  // step that may be tried
  integrate::MethodCounters counters_;
  long rejected_before_ = 0, factorisations_before_ = 0;  // the present run, the present array
};

}  // namespace daedal::run

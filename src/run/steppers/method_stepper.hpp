// Steps of the methods that know the ends of their steps: dd-erk, dd-ida, bdf.
#pragma once

#include <memory>
#include <optional>

#include "integrate/method_run.hpp"
#include "integrate/taylor/taylor_integrator.hpp"
#include "plan/plan.hpp"
#include "run/edge_watch.hpp"
#include "run/stepper.hpp"
#include "run/steppers/sign_watch.hpp"

namespace daedal::run {

class MethodStepper : public Stepper {
 public:
  // Keeps references. The plan's graph grows by derivatives.
  MethodStepper(plan::Plan& plan, const settings::Settings& settings, const SolveOptions& options,
                std::vector<double> nominals);

  integrate::MethodRun& run() { return *run_; }
  const integrate::MethodRun& run() const { return *run_; }
  EdgeWatch& edges() { return *edges_; }
  SignWatch& signs() { return *signs_; }

  const solution::StepSource& trajectory() const override { return *run_; }
  const solution::StepSource& start() const override { return series_->run(); }
  bool begin(double t, const Derivatives& values) override;
  // From all derivatives that a series has there, up to some time on the way.
  bool begin_with(double t, double end, const Derivatives& derivatives);
  bool advance() override;
  explain::StopReason explain(const solution::Record& solution) override;

  void note_step(solution::Record& solution) override;
  std::optional<explain::StopReason> objection(const solution::Record& solution) override;
  bool shorten(solution::Record& solution) override;

  std::string kind() const override { return options_.method.name(); }
  bool can_begin_again() const override;
  void save(base::Writer* archive) override;
  void load(base::Reader& archive) override;
  bool begin_again() override;
  // Nothing that was learnt is kept.
  void forget();
  void settle(solution::Record& solution) override;
  void count(solution::Record& solution);          // what the method did, once
  void note_residual(solution::Record& solution);  // of constraints at the present point
  int order() const override { return is_begun_ ? run_->method().order() : 0; }
  void finish(solution::Record& solution) override { solution.order = order(); }

 private:
  // Where a method can be begun again.
  struct State {
    double t = 0.0;
    Derivatives values;
    integrate::Progress progress;
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.progress);
  }
  void count_rejected(solution::Record& solution);
  void look_at_signs(solution::Record& solution);
  bool stand_with_series(double t, const Derivatives& values);

  plan::Plan& plan_;
  const settings::Settings& settings_;
  const SolveOptions& options_;
  std::vector<double> nominals_;
  std::optional<integrate::TaylorIntegrator> series_;  // derivatives to begin with
  std::optional<integrate::MethodRun> run_;
  std::optional<EdgeWatch> edges_;
  std::optional<SignWatch> signs_;
  double longest_ = 0.0;     // that the method may come, while steps are kept short
  long num_factorised_ = 0;  // by the method, when signs were last looked at
  bool has_series_ = true, is_begun_ = false;  // at the point from which it was to begin
  long num_counted_ = 0;                       // of the method's rejected steps
  State state_;
};

}  // namespace daedal::run

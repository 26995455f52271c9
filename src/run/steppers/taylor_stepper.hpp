// Steps of the Taylor method: one lane of an integrator, with what is watched along the way.
#pragma once

#include <functional>
#include <memory>

#include "integrate/taylor/taylor_integrator.hpp"
#include "run/stepper.hpp"
#include "run/steppers/branch_meeting.hpp"
#include "run/steppers/series_engine.hpp"
#include "run/steppers/singular_points.hpp"

namespace daedal::run {

class TaylorStepper : public Stepper, private integrate::BranchJudge {
 public:
  // Keeps references. The plan is the one that the engine's series are of.
  TaylorStepper(const plan::Plan& plan, const settings::Settings& settings,
                std::shared_ptr<SeriesEngine> engine, int lane = 0);
  ~TaylorStepper() override;
  TaylorStepper(const TaylorStepper&) = delete;
  TaylorStepper& operator=(const TaylorStepper&) = delete;

  integrate::TaylorRun& run() { return run_; }
  const integrate::TaylorRun& run() const { return run_; }

  // Whether a guard whose value is not among the unknowns may be zero on a step.
  void mind_guards(std::function<bool(const solution::StepView&)> may_be_zero) {
    guard_bounds_ = std::move(may_be_zero);
  }

  const solution::StepSource& trajectory() const override;
  bool begin(double t, const Derivatives& values) override;
  bool begin(double t, double end, const Derivatives& values);
  bool advance() override;
  explain::StopReason explain(const solution::Record& solution) override;

  void note_start(solution::Record& solution) override;
  void enter(solution::Record& solution) override;
  void note_step(solution::Record& solution) override;
  std::optional<explain::StopReason> obstacle(const solution::Record& solution) override;
  bool cross(StepRecorder& recorder, solution::Record& solution) override;

  std::string kind() const override;
  void save(base::Writer* archive) override;
  void load(base::Reader& archive) override;
  bool begin_again() override;
  void settle(solution::Record& solution) override;
  int order() const override;
  void finish(solution::Record& solution) override;
  const char* kernel() const { return engine_->kernels.name(); }

 private:
  // Where a trajectory can be begun again.
  struct State {
    double t = 0.0;
    Derivatives values;
    integrate::Progress progress;
    std::vector<double> lost;  // by rounding: what the sums of all steps owe
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.progress, state.lost);
  }
  struct Counters {
    long rejected = 0, factorisations = 0, newton_iterations = 0;
  };
  bool may_change_sign(int block, int sign_at_begin, const solution::StepView& step) override;
  void forget_points();
  Counters counters() const;
  void count(solution::Record& solution);

  const plan::Plan& plan_;
  const settings::Settings& settings_;
  std::shared_ptr<SeriesEngine> engine_;
  int lane_;
  integrate::TaylorRun& run_;
  DeterminantWatch determinants_;
  BranchMeeting meeting_;
  SingularPassage passage_;
  std::unique_ptr<SingularTime> sign_changes_;  // built when first needed
  std::function<bool(const solution::StepView&)> guard_bounds_;
  bool is_begun_ = true;  // by the last begin(), if there was one
  Counters counted_;      // that the solution has
  State state_;
};

}  // namespace daedal::run

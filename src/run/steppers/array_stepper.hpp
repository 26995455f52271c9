// Steps on the derivative array: Taylor steps whose ends satisfy it, and a Runge-Kutta method on
// the completion x' = g(t, x) that it defines.
#pragma once

#include <memory>
#include <optional>

#include "integrate/array/array_run.hpp"
#include "integrate/array/completion_run.hpp"
#include "integrate/progress.hpp"
#include "run/edge_watch.hpp"
#include "run/stepper.hpp"
#include "run/steppers/sign_watch.hpp"
#include "start/array_model.hpp"

namespace daedal::run {

// Explicitly.
bool depends_on_time(const plan::Plan& plan);

class ArrayStepper : public Stepper {
 public:
  // Keeps references.
  ArrayStepper(start::StudiedArray& array, const settings::Settings& settings);

  static int order_of(const settings::Settings& settings);

  integrate::ArrayRun& run() { return run_; }
  EdgeWatch& edges() { return edges_; }
  SignWatch& signs() { return signs_; }
  const solution::StepSource& trajectory() const override { return run_; }
  // Begins where the array was studied.
  bool begin(double t, const Derivatives& values) override;
  bool advance() override { return run_.advance(); }
  explain::StopReason explain(const solution::Record& solution) override;
  void enter(solution::Record& solution) override;
  void note_step(solution::Record& solution) override;
  std::optional<explain::StopReason> objection(const solution::Record& solution) override;
  bool shorten(solution::Record& solution) override;

  // All that its steps depend on is kept, so that it need not begin again.
  std::string kind() const override { return "array"; }
  void save(base::Writer* archive) override;
  void load(base::Reader& archive) override;
  bool begin_again() override {
    run_.forget_limit();
    edges_.forget_passed();
    return true;
  }
  void settle(solution::Record& solution) override;
  int order() const override { return order_of(settings_); }
  void finish(solution::Record& solution) override;

 private:
  void count(Statistics& statistics) const;

  start::StudiedArray& array_;
  const settings::Settings& settings_;
  integrate::ArrayRun run_;
  EdgeWatch edges_;
  SignWatch signs_;
  // What was counted before its trajectory.
  long rejected_before_ = 0, factorisations_before_ = 0, iterations_before_ = 0;
  bool is_begun_ = false, is_finished_ = false;
};

class CompletionStepper : public Stepper {
 public:
  // Keeps references.
  CompletionStepper(start::StudiedArray& array, const settings::Settings& settings);

  const solution::StepSource& trajectory() const override { return *run_; }
  bool begin(double t, const Derivatives& values) override;
  bool advance() override;
  explain::StopReason explain(const solution::Record& solution) override;
  void enter(solution::Record& solution) override {
    rejected_before_ = solution.statistics.rejected;
  }
  void note_step(solution::Record& solution) override;
  std::optional<explain::StopReason> objection(const solution::Record& solution) override;
  bool shorten(solution::Record& solution) override;
  std::optional<explain::StopReason> obstacle(const solution::Record& solution) override;

  std::string kind() const override { return "completion"; }
  void save(base::Writer* archive) override;
  void load(base::Reader& archive) override;
  bool begin_again() override;
  void settle(solution::Record& solution) override;
  int order() const override { return fixed_order(); }
  static int fixed_order() { return integrate::RungeKuttaOptions{}.order; }

 private:
  // Where a run can be begun again: x, x', ... as the array has them.
  struct State {
    double t = 0.0;
    std::vector<double> kept;
    long rank = -1;
    integrate::Progress progress;
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.kept, state.rank, state.progress);
  }
  void make_completion();
  void begin_run(double t);
  double next_stop();
  bool is_lost() const;

  start::StudiedArray& array_;
  const settings::Settings& settings_;
  std::vector<double> nominals_;
  bool depends_on_time_;  // the model, explicitly
  std::optional<reduce::Completion> completion_;
  std::optional<integrate::CompletionRun> run_;
  std::optional<EdgeWatch> edges_;
  std::optional<SignWatch> signs_;
  integrate::Progress progress_;
  std::vector<double>::const_iterator next_;  // time wanted
  std::vector<double> kept_before_;           // by the completion, where the last step began
  double longest_;                            // of the next step
  long rejected_before_ = 0;                  // the method was last begun
  State state_;
};

}  // namespace daedal::run

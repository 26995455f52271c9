// The modes of a hybrid model, each built when it is first met and kept: equations, structure,
// series, machine code.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "hybrid/guard_bounds.hpp"
#include "hybrid/mode_model.hpp"
#include "init/impulse.hpp"
#include "plan/plan.hpp"
#include "run/modes/mode_array.hpp"
#include "run/modes/watch_numbers.hpp"
#include "run/original_residual.hpp"
#include "run/steppers/method_stepper.hpp"
#include "run/steppers/taylor_stepper.hpp"
#include "start/formulation.hpp"

namespace daedal::run {

class Mode {
 public:
  // Throws what make_plan throws, for this mode's equations. Where structural analysis fails on
  // them, an equivalent model is made for these values of the parameters; where that fails, too,
  // the mode is on the derivative array, if the ladder leads there.
  Mode(hybrid::ModeModel model, hybrid::Sides sides, const std::vector<double>& parameters,
       start::Ladder ladder);

  const hybrid::ModeModel& model() const { return model_; }
  bool is_relevant(int guard) const { return model_.is_relevant[guard]; }
  hybrid::Side side(int guard) const { return sides_[guard]; }
  // Whether these sides are this mode's, where they matter.
  bool has(const hybrid::Sides& sides) const;

  const hybrid::Sides& sides() const { return sides_; }

  plan::Plan& plan() { return plan_; }
  const plan::Plan& plan() const { return plan_; }
  bool is_converted() const { return regular_.is_converted() && !is_on_array(); }
  // Whether some of its equations are differentiated.
  bool has_constraints() const {
    return std::any_of(plan_.structure.c.begin(), plan_.structure.c.end(),
                       [](int c) { return c > 0; });
  }
  // Whether the conversion brought unknowns that nobody outside of the mode has values of.
  bool has_own_unknowns() const { return plan_.size() > model_.own.variables.size(); }
  // Whether it is this mode with these values of the parameters, too.
  bool holds_for(const std::vector<double>& parameters) const {
    return regular_.holds_for(parameters);
  }
  // Whether what jumps into the mode follows exactly from its equations as written: they are
  // M x' + g(t, x) = 0 with constant M, so that M x is kept where g stays bounded.
  bool keeps_charges();
  // Whether the solution of a converted mode satisfies the equations as they are written; null for
  // other modes.
  OriginalResidual* original();

  // From the model's own guesses, at the start of a run. The start may put the mode on the array.
  ConsistentPoint find_start(double t, const std::vector<plan::OtherStart>& starts,
                             const settings::Settings& settings);
  start::StartSearch& start();
  // Values of the model's unknowns, with those that the integrator in use needs besides; nothing if
  // there are none.
  std::optional<Derivatives> completed(double t, Derivatives values);
  init::ImpulseSearch& impulse();
  // That search with the values of guards among the unknowns.
  init::ImpulseSearch& impulse_of_guards();
  const std::vector<int>& offsets_with_guards();  // d_j
  // Each is built when first needed, and in use from then on: without values of guards, for
  // stretches on which those that are not linear cannot be zero; and with them.
  integrate::TaylorIntegrator& integrator(const settings::Settings& settings,
                                          const SolveOptions& options);
  integrate::TaylorIntegrator& guarded(const settings::Settings& settings,
                                       const SolveOptions& options);
  bool is_guarded() const {
    return is_by_array_ || (guarded_ != nullptr && active_ == &guarded_->series);
  }
  // Whether there is a difference.
  bool has_guards() const { return !bounds_.is_empty(); }
  // The value of a guard that is not linear, given by the unknown that stands for it, where the run
  // in use is. The conditions inside it have the sides of this mode.
  double value_of_guard(int unknown) const;
  // Whether a guard that is not linear may be zero on the last accepted step.
  bool may_be_zero() { return may_be_zero(taylor().run().accepted()); }

  // Steps by a method other than Taylor's, whose series then serve at events only; with values of
  // guards. Null before it is first needed.
  MethodStepper& method(const settings::Settings& settings, const SolveOptions& options);
  MethodStepper* method() const { return method_.get(); }
  // The integrator that such a method's series come from.
  integrate::TaylorIntegrator& series(const settings::Settings& settings,
                                      const SolveOptions& options) {
    return has_guards() ? guarded(settings, options) : integrator(settings, options);
  }

  // On the derivative array: why, or empty if it is not. The mode has no series then.
  bool is_on_array() const { return !why_array_.empty(); }
  const std::string& why_array() const { return why_array_; }
  void put_on_array(std::string why) { why_array_ = std::move(why); }
  // Built when first needed.
  ModeArray& array(const settings::Settings& settings);
  // Steps on the array from the point that it found last; they are in use if they have begun.
  bool begin_on_array(double t, double end);

  // What is in use, if something is: series, or the array.
  bool is_by_array() const { return is_by_array_; }
  const reduce::ArrayFinding& finding() const { return array_->finding(); }  // then
  bool has_series() const { return active_ != nullptr; }
  TaylorStepper& taylor() { return active_->stepper; }
  Stepper& stepper();
  integrate::EventSource& run() { return present_run(); }
  const integrate::EventSource& run() const { return present_run(); }
  const plan::Plan& active_plan() const;
  explain::StopReason explain_no_series() {
    return explain::explain_no_series(active_plan(), active_->stepper.run());
  }
  // By unknown: derivatives below it are what a start needs.
  const std::vector<int>& run_orders() const { return run().orders(); }
  void set_parameters(const std::vector<double>& parameters);
  // Nothing that was learnt in it is kept: it is as if it had just been built.
  void forget();
  // The same, for another run.
  void renew();
  const std::vector<double>& parameters() const { return plan_.parameters; }
  double nominal(int unknown) const;
  // Whether the unknown is the value of a guard.
  bool is_guard(int unknown) const {
    return unknown >= static_cast<int>(model_.own.variables.size()) &&
           unknown < static_cast<int>(model_.data.variables.size());
  }

  // What is watched, for the present values of the parameters.
  const WatchNumbers& watch_numbers() const { return numbers_; }

  int number = 0;  // in the order of first entries, from 1; 0 if it was only tried
  long entries = 0;
  double time = 0.0;

 private:
  integrate::EventSource& present_run() const {
    if (is_by_array_) return array_->stepper().run();
    return active_->stepper.run();
  }
  void set_watch_numbers();
  std::vector<double> unminded_guards(const plan::Plan& plan) const;
  bool may_be_zero(const solution::StepView& step);
  plan::Plan& plan_of_method(const settings::Settings& settings, const SolveOptions& options);

  hybrid::ModeModel model_;
  hybrid::Sides sides_;
  // Graphs grow by derivatives. Who needs some gets a graph of its own, so that the numbers of its
  // nodes, and with them the order of sums, do not depend on who came before.
  const plan::RegularizedModel regular_;
  start::Ladder ladder_;
  const std::string why_array_by_structure_;
  std::string why_array_;
  plan::Plan plan_;
  std::unique_ptr<OriginalResidual> original_;
  std::optional<bool> keeps_charges_;
  struct Search {
    explicit Search(const plan::Plan& pristine) : plan(pristine.copy()), start(plan) {}
    plan::Plan plan;
    start::StartSearch start;
  };
  std::unique_ptr<Search> search_, guarded_search_;
  std::vector<double> nominals_;
  WatchNumbers numbers_;
  std::unique_ptr<plan::Plan> plan_of_impulse_;
  std::unique_ptr<init::ImpulseSearch> impulse_;
  std::unique_ptr<plan::Plan> plan_of_guards_;
  std::unique_ptr<init::ImpulseSearch> impulse_of_guards_;
  hybrid::GuardBounds bounds_;
  // Series of the mode, and steps by them.
  struct Series {
    Series(plan::Plan& plan, const settings::Settings& settings, const SolveOptions& options,
           const std::vector<double>& nominals);
    std::shared_ptr<SeriesEngine> engine;
    TaylorStepper stepper;
  };
  struct Guarded {
    Guarded(const Mode& mode, const settings::Settings& settings, const SolveOptions& options);
    plan::RegularizedModel regular;
    plan::Plan& plan;
    Series series;
  };
  std::unique_ptr<Series> unguarded_;
  std::unique_ptr<Guarded> guarded_;
  Series* active_ = nullptr;
  std::unique_ptr<plan::Plan> plan_of_method_;
  std::unique_ptr<MethodStepper> method_;
  std::unique_ptr<ModeArray> array_;
  bool is_by_array_ = false;
};

class ModeTable {
 public:
  // Keeps references.
  ModeTable(const model::ModelData& model, const hybrid::Guards& guards,
            std::vector<double> nominals, start::Ladder ladder)
      : model_(model), guards_(guards), nominals_(std::move(nominals)), ladder_(ladder) {}

  Mode& at(const hybrid::Sides& sides, const std::vector<double>& parameters);
  // See Mode.
  void forget() {
    for (const auto& mode : modes_) mode->forget();
  }
  // For another run, with these values of the parameters.
  void renew(const std::vector<double>& parameters);
  double seconds() const { return seconds_; }    // spent on building modes, of this run
  long num_built() const { return num_built_; }  // of all runs
  const std::vector<std::unique_ptr<Mode>>& modes() const { return modes_; }
  const std::vector<double>& nominals() const { return nominals_; }

 private:
  Mode& add(const hybrid::Sides& sides, const std::vector<double>& parameters);

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  std::vector<double> nominals_;
  start::Ladder ladder_;
  std::vector<std::unique_ptr<Mode>> modes_;
  double seconds_ = 0.0;
  long num_built_ = 0;
};

// A model with its modes, for one run after the other. One without conditions has a single mode.
struct PreparedModes {
  PreparedModes(const model::ModelData& user_model, const std::vector<double>& parameters,
                start::Ladder ladder)
      : model(model::copy_of(user_model)),
        guards(model),
        table(model, guards, plan::nominals_of(user_model, parameters), ladder) {}
  PreparedModes(const PreparedModes&) = delete;
  PreparedModes& operator=(const PreparedModes&) = delete;

  model::ModelData model;  // a copy: its graph gets differences of guards
  hybrid::Guards guards;
  ModeTable table;
};

// What is reported of a mode: conditions that hold, offsets, index.
ModeMet describe(const Mode& mode, const hybrid::Guards& guards);

}  // namespace daedal::run

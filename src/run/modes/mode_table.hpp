// The modes of a hybrid model, each built when it is first met: equations, structure, series,
// machine code. One mode serves all combinations of sides that differ in switches only
// (hybrid/switches.hpp). Modes are kept as long as they are small together.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hybrid/guard_bounds.hpp"
#include "hybrid/mode_model.hpp"
#include "hybrid/switches.hpp"
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
  // Whether these sides are those that it has now, where they matter.
  bool has(const hybrid::Sides& sides) const;
  // Whether it can have them, with the switches that it has.
  bool can_have(const hybrid::Sides& sides) const;
  // It has these sides and these values of the model's parameters from here on.
  void take(const hybrid::Sides& sides, const std::vector<double>& parameters);
  // Guards that must not be switches: its Jacobian would depend on them.
  std::vector<int> wrong_switches() const;

  const hybrid::Sides& sides() const { return sides_; }
  // What tells it from other modes, combinations of switches included: two have the same key only
  // if they are one.
  std::string key() const;

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
  // Whether it is this mode with these values of the model's parameters, too.
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
                             StartWeighting weighting, const settings::Settings& settings);
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
  // Whether on the last accepted step of the series a guard that is not linear is on another side
  // than the polynomial that stands for it, by more than the tolerance: where tanh is flat to the
  // last bit its series knows nothing of what comes.
  bool has_stray_guard(double tolerance) const;

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
  // Not because of its structure, but of the start of a run.
  bool was_put_on_array() const { return why_array_ != why_array_by_structure_; }
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
  // Nothing that was learnt in it is kept: it is as if it had just been built.
  void forget();
  // As forget(), and the mode gives up the derivative array if only a start has put it there: it is
  // ready for another run.
  void renew();
  // Those of the model, then the inputs that the switches are.
  const std::vector<double>& parameters() const { return plan_.parameters; }
  double nominal(int unknown) const;
  // Whether the unknown is the value of a guard.
  bool is_guard(int unknown) const {
    return unknown >= static_cast<int>(model_.own.variables.size()) &&
           unknown < static_cast<int>(model_.data.variables.size());
  }

  // What is watched, for the present values of the parameters.
  const WatchNumbers& watch_numbers() const { return numbers_; }

  // Nodes of its equations as they were first simplified: what is built of them grows in
  // proportion.
  std::size_t size() const { return size_; }
  // Whether all that its structure solves for occurs linearly.
  bool is_quasilinear() const;

 private:
  std::vector<double> with_inputs(std::vector<double> parameters) const;
  void set_parameters(const std::vector<double>& parameters);
  integrate::EventSource& present_run() const {
    if (is_by_array_) return array_->stepper().run();
    return active_->stepper.run();
  }
  void set_watch_numbers();
  std::vector<double> unminded_guards(const plan::Plan& plan) const;
  bool may_be_zero(const solution::StepView& step);
  double value_of_guard(int guard, const solution::StepView& step, double t) const;
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
  std::size_t size_;
  std::unique_ptr<OriginalResidual> original_;
  std::optional<bool> keeps_charges_;
  mutable std::optional<bool> is_quasilinear_;
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
      : model_(model),
        guards_(guards),
        nominals_(std::move(nominals)),
        ladder_(ladder),
        switches_(model, guards) {}

  // May drop other modes than the one that is kept.
  Mode& at(const hybrid::Sides& sides, const std::vector<double>& parameters);
  // The run is in this mode.
  void keep(const Mode& mode) { kept_ = &mode; }
  // What is counted in modes is asked for before one is dropped.
  void before_drop(std::function<void(Mode&)> count) { count_ = std::move(count); }
  // See Mode.
  void forget() {
    for (const Entry& entry : modes_) entry.mode->forget();
  }
  // For another run, with these values of the parameters.
  void renew(const std::vector<double>& parameters);
  double seconds() const { return seconds_; }    // spent on building modes, of this run
  long num_built() const { return num_built_; }  // of all runs
  bool is_empty() const { return modes_.empty(); }
  Mode& first() { return *modes_.front().mode; }  // that was built, of those that are there
  template <typename Action>
  void for_each(Action action) {
    for (const Entry& entry : modes_) action(*entry.mode);
  }
  const std::vector<double>& nominals() const { return nominals_; }
  // Modes are dropped, those first that were asked for least recently, when their equations have
  // more nodes than this together.
  void set_most_nodes(std::size_t most_nodes) { most_nodes_ = most_nodes; }

 private:
  struct Entry {
    std::unique_ptr<Mode> mode;
    std::vector<bool> possible;  // switches that it was built for, by guard
    long last_asked = 0;
  };
  // A decision on which guards are switches: of those that could be by themselves (`possible`), the
  // ones that can be while guards have these sides (`chosen`).
  struct Choice {
    std::vector<bool> possible;
    hybrid::Sides sides;
    std::vector<bool> chosen;
  };

  Entry& add(const hybrid::Sides& sides, const std::vector<double>& parameters,
             std::vector<bool> possible);
  std::unique_ptr<Mode> built(const hybrid::Sides& sides, const std::vector<double>& parameters,
                              std::vector<bool> switches);
  const Choice* known_choice(const std::vector<bool>& possible, const hybrid::Sides& sides) const;
  void make_room(std::size_t nodes);

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  std::vector<double> nominals_;
  start::Ladder ladder_;
  hybrid::Switches switches_;
  std::vector<Entry> modes_;
  std::vector<Choice> choices_;
  const Mode* kept_ = nullptr;
  std::function<void(Mode&)> count_;
  std::size_t most_nodes_ = most_nodes_by_default;
  long num_asked_ = 0;
  double seconds_ = 0.0;
  long num_built_ = 0;

  static constexpr std::size_t most_nodes_by_default = 200'000;
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

}  // namespace daedal::run

// What happens at the events of a run, and the mode that comes next (docs/theory/hybrid.md). A Run
// makes the steps of the present mode through its stepper; here is decided what its ends mean:
//
//   takes_back   a step was made without the values of guards, and one may be zero on it: it begins
//                again with them
//   refine       the end of a step that another method made is moved to the event, by series
//   after_step   guards that crossed zero, clauses that fire: what jumps, which mode comes next
//   recovers     no step is possible because the mode ends where a guard is zero
//
// Each of these functions may end the run: then take_end() has the reason.
#pragma once

#include <map>
#include <utility>

#include "explain/stop_reason.hpp"
#include "hybrid/accumulation.hpp"
#include "run/modes/fired_clauses.hpp"
#include "run/modes/met_modes.hpp"
#include "run/modes/mode_entry.hpp"
#include "run/stepper.hpp"
#include "run/steppers/methods.hpp"
#include "solution/record.hpp"

namespace daedal::run {

// What somebody outside changes in a run: values of unknowns and their derivatives, and of
// parameters, all of which are listed.
struct StateChange {
  std::vector<plan::OtherStart> values;
  std::vector<double> parameters;
};

class Transitions : public Anchored {
 public:
  // Keeps references. Nothing of earlier runs in these modes counts.
  Transitions(PreparedModes& modes, const settings::Settings& settings, const SolveOptions& options,
              start::Beginning beginning);

  // Finds the first mode. The solution has its start; with a status other than ok there is none.
  solution::Record find_start();
  // Steps, samples and events go to these, from begin() on.
  void write_to(StepRecorder& recorder, solution::Record& solution);
  // Begins at the start that was found.
  void begin();

  Stepper& stepper();  // of the present mode
  const plan::Plan& plan() const { return mode_->active_plan(); }
  // The check of the user's own equations, if those of the present mode are converted; else null.
  OriginalResidual* original() const { return mode_->original(); }

  bool takes_back(bool is_accepted);
  void refine();
  std::optional<explain::StopReason> objection();
  void after_step();
  // The run goes on from a pause as if there had been none.
  void go_on();
  // Steps end at a pause that lies ahead. What a mode is entered by does not depend on it.
  void heed_pause();
  // Changes values and parameters at the present time, as a when clause would.
  void change(const StateChange& change);
  const std::vector<double>& parameters() const { return parameters_; }
  bool recovers();
  std::optional<explain::StopReason> take_end() { return std::exchange(end_, std::nullopt); }

  std::string kind() const override { return "modes by " + options_.method.name(); }
  bool can_begin_again() const override;
  void save(base::Writer* archive) override;
  void load(base::Reader& archive) override;
  bool begin_again() override;
  void settle(solution::Record& solution) override;
  // Puts the modes that were met into the solution.
  void finish();

 private:
  // What happens at one instant.
  struct Happening {
    hybrid::Sides sides;                // after it, by the guards that crossed zero
    hybrid::Sides at_instant;           // the same, but those that touch zero are there
    std::vector<int> crossed, touched;  // guards
    std::vector<int> fired;             // when clauses
  };

  // All that the run is begun again from: a point between events, in one mode.
  struct State {
    double t = 0.0;
    Derivatives values;
    hybrid::Sides sides;
    std::vector<double> parameters;
    bool is_guarded = false;
    integrate::Progress progress;
    double entered_at = 0.0, last_event = 0.0;
    int num_far = 0, num_short = 0;
    std::map<std::string, hybrid::Accumulation> rhythms;
    std::vector<MetModes::Record> modes;
    std::string present;  // key of the mode it is in
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.sides, state.parameters, state.is_guarded, state.progress,
            state.entered_at, state.last_event, state.num_far, state.num_short, state.rhythms,
            state.modes, state.present);
  }

  void log_start(hybrid::Sides guessed, int tries);
  void happen_at_start();
  State state();
  bool is_good(const State& state) const;
  void take(const State& state);
  bool is_by_method() const { return is_step_method_of_modes(options_.method.value()); }
  // Whether every mode's steps are made on its derivative array, series or not.
  bool is_by_array() const { return options_.method == Method::array; }
  void end_before(double t, const Derivatives& values, explain::StopReason reason);
  bool is_over() const { return end_.has_value(); }
  void begin_method();
  void explain_array();
  bool begin_on_array(double t, const Derivatives& values,
                      std::vector<integrate::WatchedFunction> watched);
  bool stand_with_series();
  bool stand_before_event();
  bool stops_at_own_guard();
  bool refine_event();
  bool is_near_guard(double t) const;
  const solution::StepSource& steps() const;
  EdgeWatch& edges() const;
  SignWatch& signs() const;
  const std::vector<integrate::WatchedFunction>& watched() const;
  integrate::Progress progress() const;
  void set_progress(const integrate::Progress& progress);
  // Whether the run is on its way to the limit of an accumulation, by series.
  bool is_resting() const { return resting_.has_value(); }
  bool makes_method_steps() const { return is_by_method() && !is_resting(); }
  double now() const { return makes_method_steps() ? mode_->method()->run().t() : run_now().t(); }
  bool is_without_guards() const {
    return !is_by_method() && !is_resting() && mode_->has_guards() && !mode_->is_guarded();
  }
  void stand_in(Mode& mode);
  void go_back_to(double t, const Derivatives& values);
  bool contradicts_zero() const;
  void enter_zero_side();
  explain::StopReason why_sides_differ() const;
  void use_guards(bool has_step);
  bool has_stray_guard() const;
  void halve_step();
  void leave_out_guards();
  void switch_to(integrate::TaylorIntegrator& integrator, double t, Derivatives values);
  void after_method_step();
  void arrive();
  bool arrives_early();
  void happen(const Happening& now);
  void happen_last(Happening now, std::size_t first_event);
  Happening happening();
  std::vector<int> fired(const hybrid::Sides& before, const hybrid::Sides& at_instant) const;
  bool acts(int when) const;
  bool changes_equations(const Happening& now) const;
  void log(const std::string& name, EventKind kind);
  void log_clauses(const Happening& now);
  void log_changes(const hybrid::Sides& before, const hybrid::Sides& after, const Mode& left);
  EntryRequest request_from_here(const Happening& now);
  void restart(const Happening& now, EntryRequest request, const Derivatives& before,
               std::size_t first_event);
  void follow_up(const Happening& now);
  void apply(const std::vector<int>& whens, EntryRequest& request);
  void report(const Derivatives& before, const std::vector<double>& parameters_before,
              const std::vector<int>& left_orders, const Entered& entered, Event& event) const;
  void report_discretes(const std::vector<double>& before, Event& event) const;
  bool is_accumulating(const Happening& now);
  void come_to_rest(const Happening& now);
  bool go_without_events(double t, double end, const Derivatives& values);
  double end_of_rest() const;
  double up_to_pause(double end) const;
  bool is_at_pause_only(std::span<const integrate::Arrival> arrivals) const;
  void rest();
  void end_at_accumulation();
  bool rests(const Happening& now);
  std::string where_of(const std::vector<std::string>& names) const;
  bool is_chattering(bool is_touch);
  void go_on(const Entered& entered);
  void record_present();
  void leave_mode();
  void fail(const Entered& entered);
  Derivatives values_now();
  integrate::EventSource& run_now() const { return mode_->run(); }

  const model::ModelData& model_;
  const settings::Settings& settings_;
  const SolveOptions& options_;
  const hybrid::Guards& guards_;
  start::Beginning beginning_;
  std::vector<double> parameters_;  // discrete variables included
  ModeTable& modes_;
  ModeEntry entry_;
  FiredClauses clauses_;
  solution::Record* solution_ = nullptr;
  StepRecorder* recorder_ = nullptr;
  Entered first_;          // the mode of the start,
  hybrid::Sides guessed_;  // and the sides that the guesses select
  Mode* mode_ = nullptr;
  hybrid::Sides sides_;  // just after the present time
  MetModes met_;
  double entered_at_ = 0.0;
  AtZero at_zero_;                       // guards: those that crossed did so at the present time
  std::shared_ptr<ZeroSide> zero_side_;  // if guards stay at zero in the present mode
  int num_far_ = 0;                      // steps in a row on which no guard came near zero
  long num_begun_ = 0;                   // times that a method other than Taylor's has begun
  // By what happens: "bounce", "x > 0".
  std::map<std::string, hybrid::Accumulation> rhythms_;
  double last_event_ = 0.0;
  int num_short_ = 0;                          // events in a row with next to no time between them
  bool is_event_ = false, has_series_ = true;  // of the last step by a method: its end, and there
  std::optional<std::vector<int>> resting_;    // guards that will stay at zero
  std::optional<explain::StopReason> end_;
  bool is_recorded_ = false;  // the end of the run
  State state_;               // that was kept or read
};

// The start that a run would have, and the conditions that hold there.
ConsistentPoint initialize_hybrid(const model::ModelData& model, double t, StartWeighting weights);

}  // namespace daedal::run

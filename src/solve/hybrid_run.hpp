// The run of a model with modes and events: steps in one mode up to the next event, what happens
// there, and the mode that comes next (docs/theory/hybrid.md).
#pragma once

#include <map>

#include "hybrid/accumulation.hpp"
#include "solve/checkpoints.hpp"
#include "solve/method_solve.hpp"
#include "solve/mode_entry.hpp"
#include "solve/recorder.hpp"
#include "solve/step_methods.hpp"
#include "solve/stop_reason.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {

class HybridRun {
 public:
  // Keeps references.
  HybridRun(const model::ModelData& model, const Settings& settings, const SolveOptions& options,
            const ParameterValues& overrides = {});

  Solution run();
  ConsistentPoint start();  // of it

 private:
  // What happens at one instant.
  struct Happening {
    hybrid::Sides sides;                // behind it, by the guards that crossed zero
    hybrid::Sides at_instant;           // the same, but those that touch zero are there
    std::vector<int> crossed, touched;  // guards
    std::vector<int> fired;             // when clauses
  };

  // Where the run can be begun again: between events, in one mode.
  struct ModeRecord {
    hybrid::Sides sides;
    int number = 0;
    long entries = 0;
    double time = 0.0;
  };
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
    std::vector<ModeRecord> modes;  // that were entered
  };
  template <typename Archive>
  friend void transfer(Archive& archive, ModeRecord& mode) {
    archive(mode.sides, mode.number, mode.entries, mode.time);
  }
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.sides, state.parameters, state.is_guarded, state.progress,
            state.entered_at, state.last_event, state.num_far, state.num_short, state.rhythms,
            state.modes);
  }

  void begin();
  void begin_at_start(const Entered& entered, const hybrid::Sides& guessed);
  bool can_anchor() const;
  void anchor_if_due();
  State state();
  bool is_good(const State& state) const;
  void take(const State& state);
  void begin_again(const State& state);
  void describe_modes();
  void take_step();
  bool is_by_method() const { return is_step_method(options_.method); }
  void begin_method();
  void take_method_step();
  bool stand_with_series();
  bool stand_before_event();
  bool refine_event();
  std::optional<StopReason> edge_passed(bool is_event);
  bool is_near_guard(double t) const;
  void add_method_statistics();
  double now() const { return is_by_method() ? mode_->method()->t() : run_now().t(); }
  bool is_without_guards() const { return mode_->has_guards() && !mode_->is_guarded(); }
  void use_guards(bool has_step);
  void leave_out_guards();
  void switch_to(integrate::TaylorIntegrator& integrator, double t, Derivatives values);
  void arrive();
  bool arrives_early();
  void happen(const Happening& now);
  Happening happening() const;
  std::vector<int> fired(const hybrid::Sides& before, const hybrid::Sides& at_instant) const;
  void happen_at_start();
  bool acts(int when) const;
  bool changes_equations(const Happening& now) const;
  void log(const std::string& name, EventKind kind);
  void log_clauses(const Happening& now);
  void log_changes(const hybrid::Sides& before, const hybrid::Sides& behind, const Mode& left);
  void log_start(hybrid::Sides guessed, int tries);
  void restart(const Happening& now, std::size_t first_event);
  void follow_up(const Happening& now);
  void apply(const std::vector<int>& whens, EntryRequest& request);
  void report(const Derivatives& before, const std::vector<int>& left_orders,
              const Entered& entered, Event& event) const;
  bool is_accumulating(const Happening& now);
  bool reach(double t, Derivatives values);
  void settle(const Happening& now);
  bool rests(const Happening& now);
  bool is_chattering(bool is_touch);
  void go_on(const Entered& entered);
  void leave_mode();
  void end(const StopReason& reason);
  void fail(const Entered& entered);
  Derivatives values_now();
  integrate::TaylorRun& run_now() const { return mode_->run(); }

  model::ModelData model_;  // a copy: its graph gets differences of guards
  const Settings& settings_;
  const SolveOptions& options_;
  hybrid::Guards guards_;
  std::vector<double> parameters_;  // discrete variables included
  ModeTable modes_;
  ModeEntry entry_;
  Solution solution_;
  std::unique_ptr<Recorder> recorder_;
  Mode* mode_ = nullptr;
  hybrid::Sides sides_;  // just behind the present time
  int num_modes_ = 0;    // entered so far
  double entered_at_ = 0.0;
  std::vector<int> at_event_;  // guards that crossed or touched at the present time
  int num_far_ = 0;            // steps in a row on which no guard came near zero
  bool is_under_way_ = false;
  long num_begun_ = 0;  // times that a method other than Taylor's has begun
  // By what happens: "bounce", "x > 0".
  std::map<std::string, hybrid::Accumulation> rhythms_;
  double last_event_ = 0.0;
  int num_short_ = 0;  // events in a row with next to no time between them
  AnchorRhythm anchors_;
};

// The start that a run would have, and the conditions that hold there.
ConsistentPoint initialize_hybrid(const model::ModelData& model, double t);

}  // namespace daedal::solving

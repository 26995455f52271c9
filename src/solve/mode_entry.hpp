// Which mode comes next, and from where: the loop of [Nedialkov2009, sec. 3.2], and what to do
// when it goes round in circles (docs/theory/hybrid.md).
#pragma once

#include <string>
#include <vector>

#include "init/stage_layout.hpp"
#include "solve/mode_table.hpp"

namespace daedal::solving {

// x_j, x_j', ... by unknown, as far as known.
using Derivatives = std::vector<std::vector<double>>;

// The values of all guards from those of the unknowns.
class GuardValues {
 public:
  GuardValues(const model::ModelData& model, const hybrid::Guards& guards);
  // Not a number where a derivative is not known, or the function not defined.
  double value(int guard, double t, const std::vector<double>& parameters,
               const Derivatives& values);

 private:
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> roots_;
};

struct EntryRequest {
  double t = 0.0;
  bool is_start = false;          // of the whole run: from the model's own start values
  hybrid::Sides before = {};      // t; none at the start
  hybrid::Sides sides;            // that the first mode to be tried has
  std::vector<int> crossed = {};  // guards that led to them
  Derivatives values = {};        // just before t
  std::vector<int> orders = {};   // by unknown: derivatives below it are states of the mode before
  std::vector<init::Coefficient> set = {};  // of them: set by the event, to be kept
  std::vector<double> parameters = {};      // discrete variables included
};

struct Entered {
  Mode* mode = nullptr;  // none: problems say why
  hybrid::Sides sides;   // just behind t
  int tries = 0;
  std::vector<std::string> undetermined = {};
  ConsistentPoint point = {};  // if it is the start of the run
  Status status = Status::ok;
  std::vector<Problem> problems = {};
};

class ModeEntry {
 public:
  // Keeps references.
  ModeEntry(const model::ModelData& model, const hybrid::Guards& guards, ModeTable& modes,
            const Settings& settings, const SolveOptions& options);

  // The mode that agrees with its own solution just behind t. Its integrator is ready to go on from
  // there, up to the next time at which a condition on time alone changes, and watches its guards.
  Entered enter(const EntryRequest& request);

  // A mode near the present one in which these guards stay at zero; none if there is no such mode.
  Entered settle(const EntryRequest& request, const std::vector<int>& guards);

  // After an event that changes no equations, with guards that have crossed or touched.
  void watch(Mode& mode, const hybrid::Sides& sides, const std::vector<int>& at_event) const;
  // The next zero of a guard of time alone behind t; the end of the run if there is none.
  double next_stop(const Mode& mode, double t) const;
  // Those whose zero is t, and their sides behind it.
  struct Due {
    int guard;
    hybrid::Side side;
  };
  std::vector<Due> due_timers(const Mode& mode, double t) const;
  // Those that are watched and are zero at t.
  std::vector<int> guards_at_zero(Mode& mode, double t) const;
  // Those that are as good as zero.
  std::vector<int> guards_near_zero(Mode& mode, const hybrid::Sides& sides) const;
  // Sides by the values that an event has set, where these tell.
  void reconsider(EntryRequest& request);
  // Guards of parameters alone.
  void decide_constant_guards(hybrid::Sides& sides, const std::vector<double>& parameters,
                              const Derivatives& values, double t);

  // By the values, all guards.
  hybrid::Sides sides_at(double t, const std::vector<double>& parameters, const Derivatives& values,
                         const hybrid::Sides& otherwise);

 private:
  struct Attempt {
    Mode* mode = nullptr;
    bool is_begun = false;
    hybrid::Sides found,
        watched;  // just behind t; the same where zero is told from the mode's side
    std::vector<double> impulse = {};  // by unknown, if new constraints made values jump
    std::vector<std::string> undetermined;
    ConsistentPoint point;
    Status status = Status::ok;
    std::vector<Problem> problems;
    bool agrees() const { return is_begun && mode->has(found); }
  };

  Attempt attempt(const EntryRequest& request, const hybrid::Sides& sides);
  bool begin_from(const EntryRequest& request, const hybrid::Sides& sides, Attempt& attempt);
  Derivatives values_behind(const EntryRequest& request, Attempt& attempt) const;
  void heed_impulse(Attempt& attempt) const;
  void accept_either_side(const Mode& mode, hybrid::Sides& found) const;
  static bool slides(const hybrid::Sides& sides);
  bool has_jumped(const EntryRequest& request, Mode& mode) const;
  void suspect(const Mode* mode);
  bool begin_nearby(const EntryRequest& request, const hybrid::Sides& sides, Attempt& attempt);
  bool begin_at(const EntryRequest& request, Attempt& attempt, const ConsistentPoint& point);
  std::optional<Derivatives> continued(const EntryRequest& request,
                                       const hybrid::Sides& sides) const;
  bool keeps_what_was_set(const EntryRequest& request, Mode& mode) const;
  hybrid::Sides sides_behind(const EntryRequest& request, Mode& mode, const hybrid::Sides& sides);
  std::vector<int> disputed(const EntryRequest& request, const std::vector<hybrid::Sides>& tried,
                            bool with_suspects) const;
  std::vector<hybrid::Sides> other_candidates(const EntryRequest& request,
                                              const std::vector<hybrid::Sides>& tried,
                                              bool with_suspects) const;
  Attempt follow(const EntryRequest& request, hybrid::Sides sides,
                 std::vector<hybrid::Sides>& tried);
  Entered entered(const EntryRequest& request, Attempt&& attempt, std::size_t tries) const;
  Entered explain(const EntryRequest& request, const std::vector<hybrid::Sides>& tried,
                  const Attempt& last);
  integrate::WatchedFunction function_of(Mode& mode, const hybrid::Watch& watch,
                                         bool is_at_event) const;
  static bool is_read(const Mode& mode, const hybrid::Watch& watch);
  bool needs_guards(const EntryRequest& request, Mode& mode);
  bool begin_with_guards(const EntryRequest& request, Attempt& attempt);
  Derivatives derivatives_of(Mode& mode) const;
  bool is_near_zero(double value, double size) const;
  static bool is_same_instant(double a, double b);
  double value_of(Mode& mode, const integrate::WatchedFunction& function) const;
  double zero_of(const Mode& mode, const hybrid::Timer& timer) const;
  double slope_of(const Mode& mode, const hybrid::Timer& timer) const;
  double direction() const { return settings_.to >= settings_.from ? 1.0 : -1.0; }

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  ModeTable& modes_;
  const Settings& settings_;
  const SolveOptions& options_;
  GuardValues guard_values_;
  // By guard, of modes tried at this instant: at zero in every one of them, in some of them.
  std::vector<bool> may_slide_, is_near_zero_;
  // Modes that made values jump and ended there: an impact from which bodies part at once.
  struct Passed {
    Derivatives values;
    hybrid::Sides asked_for;
  };
  std::vector<Passed> passed_;
  std::vector<bool> is_suspect_;  // relevant in one that has no solution
};

}  // namespace daedal::solving

// On which side guards are just after the present time, from values and from series; what is
// watched while a mode lasts, and when conditions on time alone change (docs/theory/hybrid.md, H2
// to H4).
#pragma once

#include <memory>
#include <vector>

#include "hybrid/decided_sides.hpp"
#include "hybrid/mode_model.hpp"
#include "run/modes/mode_table.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

// The values of guards from those of the unknowns: all are computed in one sweep over what they are
// made of, each part once.
class GuardValues {
 public:
  GuardValues(const model::ModelData& model, const std::vector<expr::NodeId>& guards);
  GuardValues(const model::ModelData& model, const hybrid::Guards& guards);  // of all
  void evaluate(double t, const std::vector<double>& parameters, const Derivatives& values);
  // That of the last sweep, by number of the guard in the list given. Not a number where a
  // derivative is not known, or the function not defined.
  double operator[](std::size_t guard) const { return evaluator_.value(roots_[guard]); }

 private:
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> roots_;
  expr::SharedEvaluator evaluator_;
};

// Guards that are at zero where a run stands.
struct AtZero {
  std::vector<int> crossed = {};  // at the present time
  std::vector<int> touched = {};  // at the present time, or before without having been away since
};

class GuardReader {
 public:
  // Keeps references.
  GuardReader(const model::ModelData& model, const hybrid::Guards& guards,
              const settings::Settings& settings);

  // By values: all guards whose values are known, the others as given.
  hybrid::Sides sides_at(double t, const std::vector<double>& parameters, const Derivatives& values,
                         const hybrid::Sides& otherwise);
  // Guards with conditions inside them, as far as the sides of these decide.
  void decide_nested_guards(hybrid::Sides& sides, const std::vector<double>& parameters) {
    decided_.decide(sides, parameters);
  }
  bool has_nested_guards() const { return decided_.has_nested(); }
  // Guards that are other functions now that guards inside them have changed their sides: where
  // they went before says nothing. By values that are away from zero; else as before.
  void decide_around(std::vector<int> changed, hybrid::Sides& sides, const hybrid::Sides& before,
                     double t, const std::vector<double>& parameters, const Derivatives& values);
  // Guards that the mode does not watch, because they do not matter in it, have gone unnoticed
  // where they are: their sides by values that are away from zero.
  void look_at_unwatched(const Mode& mode, hybrid::Sides& sides, double t,
                         const std::vector<double>& parameters, const Derivatives& values);
  // Decides only guards of parameters alone, by values.
  void decide_constant_guards(hybrid::Sides& sides, const std::vector<double>& parameters,
                              const Derivatives& values, double t);
  // The value of a guard where it was evaluated last.
  double last_value(int guard) const { return values_[static_cast<std::size_t>(guard)]; }
  // The values of all guards; valid until the next call.
  const GuardValues& values(double t, const std::vector<double>& parameters,
                            const Derivatives& values) {
    values_.evaluate(t, parameters, values);
    return values_;
  }
  // Whether a value of a guard of this size is as good as zero.
  bool is_near_zero(double value, double size) const;

  // By the series that the mode's run has begun with.
  enum class Nearness { unknown, near, away };  // to zero
  struct Reading {
    hybrid::Sides sides;
    std::vector<Nearness> nearness;  // by guard
  };
  // `before`: the sides before the event, empty at the start. A guard that has not crossed and is
  // still on its side, by more than rounding, is there, however near to zero: its event is still to
  // come. One that has touched keeps its side until it is away from zero.
  Reading read(Mode& mode, const hybrid::Sides& sides, const hybrid::Sides& before,
               const AtZero& at_zero);
  // Whether a guard that is not linear is so near to zero that its value does not show its side.
  bool needs_guards(Mode& mode);
  // Those that are watched and are zero at t.
  std::vector<int> guards_at_zero(Mode& mode, double t) const;
  // Those that are as good as zero.
  std::vector<int> guards_near_zero(Mode& mode, const hybrid::Sides& sides) const;

  // Nothing ends the steps of the mode's run.
  void watch_nothing(Mode& mode);
  // The run ends its steps where a guard leaves its side.
  void watch(Mode& mode, const hybrid::Sides& sides, const AtZero& at_zero);
  void watch(Mode& mode, const hybrid::Sides& sides, const hybrid::Sides& before,
             const AtZero& at_zero);
  // Goes on watching a trajectory: guards that have not crossed or touched are where their values
  // say, however near to zero.
  void watch_on(Mode& mode, const hybrid::Sides& sides, const AtZero& at_zero);
  // Guards of the mode that have touched zero and were not away from there since.
  std::vector<int> still_touching(const Mode& mode,
                                  std::span<const integrate::WatchedFunction> watched) const;

  // Times that no step can tell apart.
  static bool is_same_instant(double a, double b);
  // The next zero after t of a guard of time alone; the end of the run if there is none.
  double next_stop(const Mode& mode, double t) const;
  // Those whose zero is t, and their sides after it.
  struct Due {
    int guard;
    hybrid::Side side;
  };
  std::vector<Due> due_timers(const Mode& mode, double t) const;

  // Those of the model's unknowns, at the present time of the mode's run.
  Derivatives derivatives_of(Mode& mode) const;
  // Those at the begin of one of its steps.
  Derivatives derivatives_at_begin(Mode& mode, const solution::StepView& step) const;

 private:
  // A guard where a run stands.
  struct Level {
    double value = 0.0;
    double size = 0.0;  // of its terms, and the value's own
    bool is_near_zero = false, is_at_zero = false;
  };
  Level level_of(Mode& mode, int watch, bool is_at_event) const;
  static void set_level(integrate::WatchedFunction& function, const Level& level);
  int side_behind(Mode& mode, int watch, const Level& level);
  void read_numbers(const Mode& mode, Reading& reading) const;
  // Functions of all watches, in memory that was given back.
  std::vector<integrate::WatchedFunction> functions_of(Mode& mode, const hybrid::Sides& sides,
                                                       const AtZero& at_zero);
  bool is_told_by_value(const hybrid::Watch& watch, const Level& level, const hybrid::Sides& before,
                        const AtZero& at_zero) const;
  // Whether the integrator in use has what the function is made of.
  static bool is_read(const Mode& mode, const hybrid::Watch& watch);
  double direction() const { return settings_.to >= settings_.from ? 1.0 : -1.0; }

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  const settings::Settings& settings_;
  std::vector<int> constant_guards_;  // of parameters alone
  GuardValues values_, constant_values_;
  hybrid::DecidedSides decided_;
  integrate::WatchedFunction function_;  // to work with
  std::vector<integrate::WatchedFunction> spare_;
};

}  // namespace daedal::run

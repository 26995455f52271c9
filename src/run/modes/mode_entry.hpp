// Which mode comes next, and from where: the loop of [Nedialkov2009, sec. 3.2], and what to do
// when it goes round in circles (docs/theory/hybrid.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "init/stage_layout.hpp"
#include "run/modes/guard_reader.hpp"
#include "run/modes/mode_table.hpp"
#include "run/modes/zero_side.hpp"

namespace daedal::run {

struct EntryRequest {
  double t = 0.0;
  bool is_start = false;         // of the whole run: from the model's own start values
  bool is_rest = false;          // at the limit of events that accumulate, or nearly there
  hybrid::Sides before = {};     // t; none at the start
  hybrid::Sides sides;           // that the first mode to be tried has
  AtZero at_zero = {};           // guards that led to them, and those that touch zero
  Derivatives values = {};       // just before t
  std::vector<int> orders = {};  // by unknown: derivatives below it are states of the mode before
  std::vector<init::Coefficient> set = {};  // of them: set by the event, to be kept
  std::vector<double> parameters = {};      // discrete variables included
  // At the start of the run: what takes the place of the model's start values.
  std::vector<plan::OtherStart> starts = {};
};

struct Entered {
  Mode* mode = nullptr;  // none: problems say why
  hybrid::Sides sides;   // just after t
  int tries = 0;
  std::vector<std::string> undetermined = {};
  ConsistentPoint point = {};  // if it is the start of the run
  // If guards stay at zero in a mode of one side: to be asked as long as the mode lasts.
  std::shared_ptr<ZeroSide> zero_side = {};
  Status status = Status::ok;
  std::vector<Problem> problems = {};
};

class ModeEntry {
 public:
  // Keeps references.
  ModeEntry(const model::ModelData& model, const hybrid::Guards& guards, ModeTable& modes,
            const settings::Settings& settings, const SolveOptions& options);

  // The mode that agrees with its own solution just after t. Its integrator is ready to go on from
  // there, up to the next time at which a condition on time alone changes, and watches its guards.
  Entered enter(const EntryRequest& request);

  // A mode near the present one in which these guards stay at zero; none if there is no such mode.
  Entered settle(EntryRequest request, const std::vector<int>& guards);

  GuardReader& reader() { return reader_; }
  const GuardReader& reader() const { return reader_; }
  // Sides by the values that an event has set, where these decide.
  void reconsider(EntryRequest& request);

 private:
  struct Attempt {
    Mode* mode = nullptr;
    bool is_begun = false;
    hybrid::Sides found,
        watched;                       // just after t; those where a zero counts as the mode's side
    std::vector<double> impulse = {};  // by unknown, if new constraints made values jump
    bool has_law = false;              // what jumps follows from the equations
    std::vector<std::string> undetermined;
    ConsistentPoint point;
    std::shared_ptr<ZeroSide> zero_side = {};
    Status status = Status::ok;
    std::vector<Problem> problems;
    bool agrees() const { return is_begun && mode->has(found); }
  };

  Attempt attempt(const EntryRequest& request, const hybrid::Sides& sides);
  bool begin_from(const EntryRequest& request, const hybrid::Sides& sides, Attempt& attempt);
  Derivatives values_behind(const EntryRequest& request, Attempt& attempt) const;
  void heed_impulse(Attempt& attempt) const;
  std::vector<int> guards_that_stay(const Attempt& attempt) const;
  bool agrees_at_zero(Attempt& attempt) const;
  void accept_either_side(const Mode& mode, hybrid::Sides& found) const;
  static bool slides(const hybrid::Sides& sides);
  bool has_jumped(const EntryRequest& request, Mode& mode) const;
  bool has_jumped(const EntryRequest& request, Mode& mode, const std::vector<int>& orders) const;
  EntryRequest with_undecided_guards(EntryRequest request) const;
  void suspect(const Mode* mode);
  ConsistentPoint find_start(const EntryRequest& request, Mode& mode);
  std::vector<plan::OtherStart> all_values(const ConsistentPoint& point) const;
  std::vector<plan::OtherStart> values_not_given(const ConsistentPoint& point) const;
  bool is_fixed(std::size_t variable, std::size_t order) const;
  void say_what_moved(ConsistentPoint& point) const;
  void keep_nearness(const GuardReader::Reading& reading);
  bool needs_guards(Mode& mode);
  double negligible_change(const EntryRequest& request) const;
  bool begin_on_array(const EntryRequest& request, Attempt& attempt) const;
  bool jumps_by_no_law(const EntryRequest& request, Attempt& attempt) const;
  Problem explain_no_law(const EntryRequest& request) const;
  bool begin_nearby(const EntryRequest& request, const hybrid::Sides& sides, Attempt& attempt);
  bool begin_at(const EntryRequest& request, Attempt& attempt, const ConsistentPoint& point);
  std::optional<Derivatives> continued(const EntryRequest& request,
                                       const hybrid::Sides& sides) const;
  bool keeps_what_was_set(const EntryRequest& request, Mode& mode) const;
  // Which guards may be to blame where modes contradict themselves: those that crossed and those on
  // which modes disagree; those near zero, too; and those of modes without a solution.
  enum class Dispute { crossed, near_zero, suspect };
  std::vector<int> disputed(const EntryRequest& request, const std::vector<hybrid::Sides>& tried,
                            Dispute dispute) const;
  std::vector<hybrid::Sides> other_candidates(const EntryRequest& request,
                                              const std::vector<hybrid::Sides>& tried,
                                              Dispute dispute) const;
  hybrid::Sides from_inside(const EntryRequest& request, const hybrid::Sides& sides,
                            const Attempt& attempt);
  std::vector<hybrid::Sides> with_jumping(hybrid::Sides sides, int sliding,
                                          const std::vector<int>& disputed) const;
  Entered enter_another(const EntryRequest& request, std::vector<hybrid::Sides>& tried,
                        std::span<const Dispute> rounds, Attempt& attempt);
  Attempt follow(const EntryRequest& request, hybrid::Sides sides,
                 std::vector<hybrid::Sides>& tried);
  Entered entered(const EntryRequest& request, Attempt&& attempt, std::size_t tries);
  Entered explain(const EntryRequest& request, const std::vector<hybrid::Sides>& tried,
                  const Attempt& last);
  std::vector<int> blamed(const EntryRequest& request,
                          const std::vector<hybrid::Sides>& tried) const;
  std::string contradiction(int guard) const;
  void keep_contradictions(const hybrid::Sides& sides, const hybrid::Sides& found);
  bool begin_with_guards(const EntryRequest& request, Attempt& attempt);

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  ModeTable& modes_;
  const settings::Settings& settings_;
  const SolveOptions& options_;
  GuardReader reader_;
  // By unknown: its highest derivative in the equations, in whatever mode.
  std::vector<int> differentiated_;
  // By guard, of modes tried at this instant: at zero in every one of them, in some of them.
  std::vector<bool> may_slide_, is_near_zero_;
  // Modes that made values jump and ended there: an impact from which bodies part at once.
  struct Passed {
    Derivatives values;
    hybrid::Sides asked_for;
  };
  std::vector<Passed> passed_;
  // By guard: its value in a mode in which it was taken to be positive, and is not; and the other
  // way round.
  struct Contradiction {
    std::optional<double> holding, failing;
  };
  std::vector<Contradiction> contradictions_;
  // At the start of a run, where all guesses weigh: what nobody gave, as the first mode tried has
  // it; and the point of the first mode that is not quasilinear.
  std::vector<plan::OtherStart> values_of_first_mode_, values_kept_;
  ConsistentPoint kept_;
  std::vector<Problem> first_obstacle_;  // why a mode that was tried has no solution
  std::vector<bool> is_suspect_;         // by guard: relevant in one that has no solution,
  std::vector<bool> matters_;            // in any of them
};

}  // namespace daedal::run

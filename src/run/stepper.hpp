// A way to go on from a consistent state, one for each method. A Run makes its steps through this
// interface, and knows nothing else about methods.
//
//   begin         from x_j, x_j', ... at a time, or begin_again from a state that was kept
//   advance       one accepted step; its polynomials are those of trajectory()
//   objection     before the step is recorded: is it good up to its end?
//   shorten       if it is not: takes it back, to make shorter ones
//   note_step     what it adds to statistics and singular points
//   obstacle      after it was recorded: may another one follow?
//   cross         over a singular point ahead, if steps do not arrive there
//   explain       why begin or advance was in vain
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/archive.hpp"
#include "explain/stop_reason.hpp"
#include "run/step_recorder.hpp"
#include "solution/record.hpp"
#include "solution/step_source.hpp"

namespace daedal::run {

// x_j, x_j', ... by unknown, as far as known.
using Derivatives = std::vector<std::vector<double>>;
// Where a trajectory is, as far as its polynomials go.
Derivatives derivatives_of(const solution::StepSource& trajectory);

// What a run can be begun again from (docs/theory/checkpoints.md, rule K1).
class Anchored {
 public:
  virtual ~Anchored() = default;

  virtual std::string kind() const = 0;  // of the state
  // Whether the present state is all that the steps to come depend on.
  virtual bool can_begin_again() const { return true; }
  // Keeps the present state, in the archive too if there is one.
  virtual void save(base::Writer* archive) = 0;
  // Reads such a state. Throws base::BadArchive if it makes no sense.
  virtual void load(base::Reader& archive) = 0;
  // Goes on from the state that was kept or read, with nothing learnt before it.
  virtual bool begin_again() = 0;
  // Before it begins again, and at the end: what was counted on the way, once.
  virtual void settle(solution::Record& solution) = 0;
};

class Stepper : public Anchored {
 public:
  // Where it is, and the last step.
  virtual const solution::StepSource& trajectory() const = 0;
  // The trajectory right after begin(), with all derivatives that are known there.
  virtual const solution::StepSource& start() const;

  // Begins at a consistent point. False if there is no way on from there.
  virtual bool begin(double t, const Derivatives& values) = 0;
  // Makes one accepted step, or the part of one up to the first event. False if none is possible.
  virtual bool advance() = 0;
  // Why begin(), advance() or begin_again() returned false; to be called right after that.
  virtual explain::StopReason explain(const solution::Record& solution) = 0;

  // Adds what the start of the run has to the counters of the solution.
  virtual void note_start(solution::Record& /*solution*/) {}
  // The run goes on with this stepper: after another stepper, an event or an anchor.
  virtual void enter(solution::Record& /*solution*/) {}
  // Adds what the last step has to counters and singular points; statistics.steps counts the step
  // already.
  virtual void note_step(solution::Record& solution) = 0;
  virtual std::optional<explain::StopReason> objection(const solution::Record& solution);
  // The golden section: models are symmetric about halves of the run, where what was passed over
  // may be zero by accident.
  static constexpr double shorter = 0.3819660112501051;
  // Takes the last step, which is not recorded, back; the next is shorter by the factor above at
  // least, and the limit grows from step to step. False if that cannot be: then nothing has
  // changed.
  virtual bool shorten(solution::Record& /*solution*/) { return false; }
  virtual std::optional<explain::StopReason> obstacle(const solution::Record& /*solution*/) {
    return {};
  }
  // Whether the trajectory stands on the other side of a singular point now; what led there is
  // recorded.
  virtual bool cross(StepRecorder& /*recorder*/, solution::Record& /*solution*/) { return false; }

  virtual int order() const = 0;  // of the last step
  // What there is to say when the run is over, whether it got anywhere or not.
  virtual void finish(solution::Record& /*solution*/) {}
};

}  // namespace daedal::run

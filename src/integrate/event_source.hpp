// A trajectory whose steps end at events, and that has polynomials of all unknowns from where it
// stands on: what modes are entered by and left from, whatever equations they are solved on.
#pragma once

#include <span>
#include <vector>

#include "integrate/event_watch.hpp"
#include "solution/step_source.hpp"

namespace daedal::integrate {

class EventSource : public solution::StepSource {
 public:
  virtual double end() const = 0;
  virtual bool is_done() const = 0;
  // Steps go on from t to another end: the solution is smooth at t.
  virtual void go_on_to(double end) = 0;
  // The polynomials at t, of the step to come.
  virtual solution::StepView current() const = 0;
  // Whether they are good for a step that changes t.
  virtual bool can_step() = 0;
  // By unknown: derivatives below it are what a start needs.
  virtual const std::vector<int>& orders() const = 0;

  // Steps end where one of these functions leaves its side.
  virtual void watch(std::vector<WatchedFunction> functions) = 0;
  // Nothing is watched any more; what was, whose memory the caller may use again.
  virtual std::vector<WatchedFunction> take_watched() = 0;
  virtual const std::vector<WatchedFunction>& watched() const = 0;
  // Another method has come to t, where these functions left their sides.
  virtual void arrive(std::span<const Arrival> arrivals) = 0;
  // Those that did at t, with the last step.
  virtual std::span<const Arrival> arrivals() const = 0;
  // See EventWatch.
  virtual int side_behind(const WatchedFunction& function) = 0;
};

}  // namespace daedal::integrate

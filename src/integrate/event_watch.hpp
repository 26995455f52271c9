// Functions that must keep their sign along a trajectory; a step ends where the first of them does
// not. They are unknowns of the equations, so their polynomials on a step are those of the step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hybrid/event_location.hpp"
#include "solution/step.hpp"

namespace daedal::integrate {

struct WatchedFunction {
  int unknown = 0;
  int side = 1;  // +1 or -1: the sign that it has and is to keep; 0: it is zero, and is to stay so
  double size = 1.0;        // values of a tolerance of this size are as good as zero
  bool is_at_zero = false;  // it begins there, and leaves to its side
};

// At the end of a step.
struct Arrival {
  int function = 0;  // its number
  bool touches = false;
  int side = 0;  // that it goes to; of one that touches, that it keeps
};

class EventWatch {
 public:
  explicit EventWatch(double tolerance) : tolerance_(tolerance) {}

  void set_functions(std::vector<WatchedFunction> functions) {
    functions_ = std::move(functions);
    arrivals_.clear();
  }
  bool is_empty() const { return functions_.empty(); }

  // The side that a function is on just behind the beginning of a step: +1, -1, or 0 if it is zero
  // all along. For one that is known to begin at zero, small values do not count.
  int side_behind(const WatchedFunction& function, const solution::StepView& step,
                  const solution::StepLayout& layout, double length) const;

  // The earlier one of t_new and of the first event of a step that would end there. Which functions
  // arrive then is kept.
  double up_to_first(const solution::StepView& step, const solution::StepLayout& layout,
                     double t_new, double shortest);
  // How far t_new is behind the event that it was chosen for, now that the function's value there
  // is known; 0 if it is as near as rounding allows.
  template <typename ValueOf>
  double correction(const solution::StepView& step, const solution::StepLayout& layout,
                    double t_new, ValueOf value_of) const {
    if (arrivals_.empty() || arrivals_.front().touches) return 0.0;
    const WatchedFunction& function = functions_[arrivals_.front().function];
    return distance_to_zero(function, step.polynomial(layout, function.unknown),
                            (t_new - step.begin) / step.scale, value_of(function.unknown)) *
           step.scale;
  }
  // Of the last call.
  std::span<const Arrival> arrivals() const { return arrivals_; }
  void clear_arrivals() { arrivals_.clear(); }
  // A step was made: those that began at zero are away from it.
  void leave_zero() {
    for (WatchedFunction& function : functions_) function.is_at_zero = false;
  }

 private:
  double distance_to_zero(const WatchedFunction& function, solution::Polynomial p, double s,
                          double value) const;
  std::optional<hybrid::Root> first_root(const WatchedFunction& function, solution::Polynomial p,
                                         double end);
  double negligible(const WatchedFunction& function, solution::Polynomial p, double end) const;

  double tolerance_;
  hybrid::RootFinder finder_;
  std::vector<WatchedFunction> functions_;
  std::vector<hybrid::Root> roots_;  // by function; s infinite if there is none
  std::vector<Arrival> arrivals_;
};

}  // namespace daedal::integrate

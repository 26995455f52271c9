// Functions that must keep their sign along a trajectory; a step ends where the first of them does
// not. They are linear in unknowns and derivatives (one that is not is an unknown itself), so their
// polynomials on a step follow from those of the step.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hybrid/event_location.hpp"
#include "hybrid/guard_bounds.hpp"
#include "solution/step.hpp"

namespace daedal::integrate {

// constant + slope*t + sum factor_k x_k^(order_k)
struct WatchedFunction {
  struct Term {
    int unknown = 0;
    int order = 0;
    double factor = 1.0;
  };
  std::vector<Term> terms = {};
  double constant = 0.0;
  double slope = 0.0;

  int side = 1;  // +1 or -1: the sign that it has and is to keep; 0: it is zero, and is to stay so
  double size = 1.0;        // values of a tolerance of this size are as good as zero
  bool is_at_zero = false;  // it begins there, and leaves to its side
  // It is as good as zero; it begins there if it leaves fast enough for that to make no difference.
  bool is_near_zero = false;
  // It has touched zero and has not been away from there since: it is told again only if it comes
  // out on the other side, or comes back.
  bool has_touched = false;
  bool is_own = false;  // an unknown that is there for this purpose: nobody else minds its error

  // derivative(unknown, order): of unknowns, at t.
  template <typename Derivative>
  double value(double t, Derivative derivative) const {
    double sum = constant + slope * t;
    for (const Term& term : terms) sum += term.factor * derivative(term.unknown, term.order);
    return sum;
  }
};

// At the end of a step.
struct Arrival {
  int function = 0;  // its number
  bool touches = false;
  int side = 0;  // that it goes to; of one that touches, that it keeps
};

// Whether the way from an event to a time after it, such as the end of the run, is long enough for
// a step of any method. Where it is not, the event is at that time.
bool leaves_a_step(double t, double end);

class EventWatch {
 public:
  // Coarse: polynomials are only as accurate as the tolerance, and steps may be so short that a
  // function that begins at zero is still as good as zero at their end; then nothing can be said of
  // it yet.
  explicit EventWatch(double tolerance, bool is_coarse = false)
      : tolerance_(tolerance), is_coarse_(is_coarse) {}

  void set_functions(std::vector<WatchedFunction> functions) {
    functions_ = std::move(functions);
    kept_.resize(functions_.size());
    arrivals_.clear();
  }
  std::vector<WatchedFunction> take_functions() {
    arrivals_.clear();
    return std::exchange(functions_, {});
  }
  const std::vector<WatchedFunction>& functions() const { return functions_; }

  // The side that a function is on just after the beginning of a step: +1, -1, or 0 if it is zero
  // all along. For one that is known to begin at zero, small values do not count.
  int side_behind(const WatchedFunction& function, const solution::StepView& step,
                  const solution::StepLayout& layout, double length);

  // The longest step, up to the one given, on which every function that can be zero there is as
  // accurate as the tolerance asks for.
  double longest_accurate_step(const solution::StepView& step, const solution::StepLayout& layout,
                               double length) {
    return functions_.empty() ? length : longest_step_of_own(step, layout, length);
  }

  // The earlier one of t_new and of the first event of a step that would end there. Which functions
  // arrive then is kept.
  double up_to_first(const solution::StepView& step, const solution::StepLayout& layout,
                     double t_new, double shortest) {
    arrivals_.clear();
    return functions_.empty() ? t_new : find_first(step, layout, t_new, shortest);
  }
  // Whether there is an event on the whole step; arrivals are none then.
  bool has_event(const solution::StepView& step, const solution::StepLayout& layout,
                 double shortest) {
    up_to_first(step, layout, step.end, shortest);
    const bool is_found = !arrivals_.empty();
    clear_arrivals();
    return is_found;
  }
  // Those of the last call, or as given.
  std::span<const Arrival> arrivals() const { return arrivals_; }
  void set_arrivals(std::span<const Arrival> arrivals) {
    arrivals_.assign(arrivals.begin(), arrivals.end());
  }
  void clear_arrivals() { arrivals_.clear(); }

  // The function that t_new was chosen for, if it crosses zero there; null if there is none.
  const WatchedFunction* crossing() const {
    if (arrivals_.empty() || arrivals_.front().touches) return nullptr;
    const WatchedFunction& function = functions_[arrivals_.front().function];
    return function.side != 0 ? &function : nullptr;
  }
  // How far t_new is after the zero of that function, now that its value there is known; 0 if it
  // is as near as rounding allows.
  double correction(const solution::StepView& step, const solution::StepLayout& layout,
                    double t_new, double value);

  // Where functions are, so that a step can be taken back.
  void keep_state() {
    for (std::size_t k = 0; k < functions_.size(); ++k)
      kept_[k] = {functions_[k].is_at_zero, functions_[k].is_near_zero, functions_[k].has_touched};
  }
  void return_to_kept() {
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      functions_[k].is_at_zero = kept_[k].is_at_zero;
      functions_[k].is_near_zero = kept_[k].is_near_zero;
      functions_[k].has_touched = kept_[k].has_touched;
    }
    arrivals_.clear();
  }

  // A short step was made: only those functions that are away from zero at its end have left it.
  void leave_zero(const solution::StepView& step, const solution::StepLayout& layout);
  // A step was made, up to t: those that began at zero are away from it.
  void leave_zero(double t) {
    for (WatchedFunction& function : functions_)
      function.is_at_zero = function.is_near_zero = false;
    if (!functions_.empty()) leave_band(t);
  }

 private:
  double longest_step_of_own(const solution::StepView& step, const solution::StepLayout& layout,
                             double length);
  double find_first(const solution::StepView& step, const solution::StepLayout& layout,
                    double t_new, double shortest);
  // The function on the step, in powers of (t - begin)/scale; valid until the next call.
  solution::Polynomial polynomial(const WatchedFunction& function, const solution::StepView& step,
                                  const solution::StepLayout& layout);
  int likely_first(const solution::StepView& step, const solution::StepLayout& layout,
                   double t_new) const;
  double search(int k, const solution::StepView& step, const solution::StepLayout& layout,
                double end, double needed);
  bool is_far(const WatchedFunction& function, const solution::StepView& step,
              const solution::StepLayout& layout, double end);
  // How far x^(order) goes from its value where the step begins, at most.
  struct Motion {
    int unknown = -1, order = 0;
    double end = 0.0;
    double value = 0.0, largest = 0.0;
  };
  const Motion& motion_of(const WatchedFunction::Term& term, const solution::StepView& step,
                          const solution::StepLayout& layout, double end);
  std::optional<hybrid::Root> first_root(const WatchedFunction& function, solution::Polynomial p,
                                         double end);
  // For a function that has touched: where it comes out of its band on the other side, or comes
  // back to zero after it has left the band on its own. `away` becomes where it leaves, if it does.
  std::optional<hybrid::Root> root_after_touch(const WatchedFunction& function,
                                               solution::Polynomial p, double end, double& away);
  double band_of(const WatchedFunction& function) const;
  void leave_band(double t);
  hybrid::Root as_touch(const WatchedFunction& function, solution::Polynomial p, double end,
                        const hybrid::Root& root);
  bool is_undecided(const WatchedFunction& function, solution::Polynomial p, double end) const;
  bool has_sunk(const WatchedFunction& function, solution::Polynomial p, double end) const;
  double negligible(const WatchedFunction& function, solution::Polynomial p, double end) const;
  int side_away(const WatchedFunction& function, solution::Polynomial p, double end) const;

  double tolerance_;
  bool is_coarse_;
  hybrid::RootFinder finder_;
  std::vector<WatchedFunction> functions_;
  struct AtZero {
    bool is_at_zero, is_near_zero, has_touched;
  };
  std::vector<AtZero> kept_;         // by function
  std::vector<hybrid::Root> roots_;  // by function; s infinite if there is none
  std::vector<int> away_;            // by function: the side that it goes to
  // By function that has touched: the time that it takes to be away from zero.
  std::vector<double> time_to_leave_;
  double searched_from_ = 0.0;  // the begin of the step on which that was found
  std::vector<Arrival> arrivals_;
  Motion motion_;  // the last one: neighbours often watch the same unknown
  std::vector<double> coefficients_, shifted_, moved_;
};

}  // namespace daedal::integrate

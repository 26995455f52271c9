// The numbers of what a mode watches, where expressions of parameters have their present values:
// computed again only where a parameter has changed that they depend on.
#pragma once

#include <span>
#include <vector>

#include "expr/evaluate.hpp"
#include "hybrid/mode_model.hpp"
#include "integrate/event_watch.hpp"

namespace daedal::run {

// A guard of time alone: slope*t + at_zero.
struct TimerNumbers {
  double slope = 0.0, at_zero = 0.0;
  double zero() const { return -at_zero / slope; }
};

class WatchNumbers {
 public:
  // Keeps a reference.
  explicit WatchNumbers(const hybrid::ModeModel& model);

  // `nominals`: of the model's unknowns, those that stand for guards included.
  void set(std::span<const double> parameters, const std::vector<double>& nominals);

  // By watch: terms, constant, slope, whether it is an unknown of its own, and the size of its
  // terms at nominal values. What depends on where a run stands is left as it is by default.
  const std::vector<integrate::WatchedFunction>& functions() const { return functions_; }
  const std::vector<TimerNumbers>& timers() const { return timers_; }
  const std::vector<double>& decided() const { return decided_; }  // by decided guard

 private:
  bool depends_on_parameters(const hybrid::Watch& watch) const;
  void set_function(int number);
  double number(expr::NodeId node) const;

  const hybrid::ModeModel& model_;
  expr::SharedEvaluator expressions_;
  std::vector<double> nominals_;
  std::vector<int> dependent_;  // watches whose numbers depend on parameters
  std::vector<integrate::WatchedFunction> functions_;
  std::vector<TimerNumbers> timers_;
  std::vector<double> decided_;
  bool is_set_ = false;
};

}  // namespace daedal::run

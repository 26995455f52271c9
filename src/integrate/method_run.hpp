// A trajectory by a method that knows the ends of its steps: polynomials in between, and the events
// on them. What is left of a step after an event that changes nothing is reported as a step of its
// own.
#pragma once

#include <algorithm>
#include <memory>

#include "integrate/event_watch.hpp"
#include "integrate/hermite.hpp"
#include "integrate/progress.hpp"
#include "integrate/step_method.hpp"
#include "solution/step_source.hpp"

namespace daedal::integrate {

class MethodRun : public solution::StepSource {
 public:
  MethodRun(std::unique_ptr<StepMethod> method, double tolerance);

  // See StepMethod::begin.
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives);
  // A step, or the part of one up to the first event. False if none is possible.
  bool advance();

  // Goes on from the begin of the last step, or from its end, where the derivatives are as for
  // begin(), with steps that come no farther than this. What is watched stays.
  bool go_back(double length, const std::vector<std::vector<double>>& derivatives);
  bool go_on(double length, const std::vector<std::vector<double>>& derivatives);
  // Whether the steps have come that far: to be followed by go_on().
  bool is_at_limit() const { return t_ == limit_ && t_ != end_; }

  // Steps end where one of these functions leaves its side.
  void watch(std::vector<WatchedFunction> functions) {
    events_.set_functions(std::move(functions));
  }
  const std::vector<WatchedFunction>& watched() const { return events_.functions(); }
  std::span<const Arrival> arrivals() const { return events_.arrivals(); }
  // The function that the last step ended for, if it crosses zero there; null if there is none.
  const WatchedFunction* crossing() const { return events_.crossing(); }
  // The last step ends here instead, nearby; not beyond what the method has reached.
  void end_at(double t) {
    t_ = scale_ > 0.0 ? std::min(t, method_->t()) : std::max(t, method_->t());
  }

  bool is_done() const { return t_ == end_; }
  double duration() const { return duration_; }
  // Whether steps were given up because they do not get on, though each is accepted.
  const Progress& progress() const { return progress_; }
  void set_progress(const Progress& progress) { progress_ = progress; }  // of the whole trajectory
  double t() const override { return t_; }
  solution::StepView accepted() const override { return {begin_, t_, scale_, part_.data()}; }
  const solution::StepLayout& layout() const override { return layout_; }
  double derivative(int unknown, int order) const override;
  int highest_reliable(int unknown) const override { return method_->orders()[unknown]; }
  int highest_told(int unknown) const override { return method_->orders()[unknown]; }
  solution::StepQuality quality() const override {
    return {.order = method_->order(), .residual = method_->constraint_residual()};
  }
  // All that is known at t, by unknown.
  std::vector<std::vector<double>> derivatives() const;

  StepMethod& method() { return *method_; }
  const StepMethod& method() const { return *method_; }

 private:
  bool begin_method(double t, double length, const std::vector<std::vector<double>>& derivatives);
  void keep_end(std::vector<double>& derivatives) const;
  bool is_lost() const;
  bool is_finite() const;
  void interpolate(double from);
  void interpolate_ends(int unknown, double factor, double h);
  void shift_to(double t);

  std::unique_ptr<StepMethod> method_;
  EventWatch events_;
  Hermite hermite_;
  solution::StepLayout layout_;
  // By unknown: derivatives from the interpolated one on that are used; where all are in the next.
  std::vector<int> num_known_, first_;
  std::vector<double> at_begin_, at_end_;
  double t_ = 0.0, end_ = 0.0, begin_ = 0.0, scale_ = 1.0;
  double limit_ = 0.0;  // where the method has to stop
  double duration_ = 0.0;
  Progress progress_, progress_before_;
  std::vector<double> part_;  // polynomials from begin_ on
  std::vector<double> a_, b_, p_;
};

}  // namespace daedal::integrate

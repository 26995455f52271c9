// What stops a run from outside, and what is called on its way.
#pragma once

#include <atomic>
#include <chrono>

#include "bindings.hpp"

namespace daedal::python {

// How long Ctrl-C may take to be noticed: short for a person, long for a step.
constexpr auto signal_interval = std::chrono::milliseconds(50);

// Python's callbacks of a run. One that says so or raises stops the run, as a signal such as Ctrl-C
// does. A listener is made and destroyed with the interpreter's lock; its functions take the lock
// themselves.
class Listener {
 public:
  Listener(py::object on_step, py::object on_sample, py::object on_event = py::none());

  // The listener must outlive runs with these options.
  void connect(SolveOptions& options, bool checks_signals);

  // False to stop after this step.
  bool step(const Progress& progress, bool checks_signals);
  void sample(double t, std::span<const double> values);
  void event(const Event& event);
  bool hears_events() const { return !on_event_.is_none(); }
  bool is_stopped() const { return is_stopped_; }
  // Runs what handlers of signals do; only Python's main thread does anything here.
  void check_signals();

  // The exception to raise when the run is over, or none.
  py::object exception() const { return exception_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Keeps an exception of the call, after which nothing is called any more.
  template <typename Call>
  void guarded(Call call);
  void keep(const py::error_already_set& error);

  py::object on_step_, on_sample_, on_event_, exception_ = py::none();
  std::atomic<bool> is_stopped_ = false;
  Clock::time_point last_check_ = Clock::now();
};

}  // namespace daedal::python

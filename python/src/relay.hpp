// Callbacks of runs that are made in pieces.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "listener.hpp"

namespace daedal::python {

// Passes the callbacks of a prepared model and of its simulations on to the listener of the call
// that is under way, so that nothing of Python is kept between calls: what is kept in C++, the
// garbage collector does not see. It also lets one thread at a time work on what they share; a
// callback may begin another call in its own thread.
class Relay {
 public:
  // Options that keep the relay alive. Samples are taken only where somebody asks for them.
  static void connect(const std::shared_ptr<Relay>& relay, SolveOptions& options,
                      bool has_samples) {
    options.on_step = [relay](const Progress& progress) {
      return relay->listener_->step(progress, true);
    };
    if (has_samples)
      options.on_sample = [relay](double t, std::span<const double> values) {
        relay->listener_->sample(t, values);
      };
  }

  // Works without the interpreter's lock.
  template <typename Work>
  decltype(auto) call(Listener& listener, Work work) {
    const py::gil_scoped_release unlocked;
    const std::lock_guard alone(mutex_);
    const Turn turn{listener_, std::exchange(listener_, &listener)};
    return work();
  }
  template <typename Work>
  decltype(auto) call_quietly(Work work) {
    const py::gil_scoped_release unlocked;
    const std::lock_guard alone(mutex_);
    return work();
  }

  Listener& listener() { return *listener_; }

 private:
  struct Turn {
    Listener*& present;
    Listener* before;
    ~Turn() { present = before; }
  };

  std::recursive_mutex mutex_;
  Listener* listener_ = nullptr;
};

}  // namespace daedal::python

#include "listener.hpp"

namespace daedal::python {
namespace {

// None, which a function without return gives, is no answer; anything else that is false is one.
bool says_stop(const py::object& answer) {
  if (answer.is_none()) return false;
  const int truth = PyObject_IsTrue(answer.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 0;
}

}  // namespace

Listener::Listener(py::object on_step, py::object on_sample, py::object on_event)
    : on_step_(std::move(on_step)),
      on_sample_(std::move(on_sample)),
      on_event_(std::move(on_event)) {}

void Listener::connect(SolveOptions& options, bool checks_signals) {
  if (!on_step_.is_none() || checks_signals)
    options.on_step = [this, checks_signals](const Progress& progress) {
      return step(progress, checks_signals);
    };
  else
    options.on_step = [this](const Progress&) { return !is_stopped_; };
  if (!on_sample_.is_none())
    options.on_sample = [this](double t, std::span<const double> values) { sample(t, values); };
}

bool Listener::step(const Progress& progress, bool checks_signals) {
  if (is_stopped_) return false;
  if (checks_signals && Clock::now() - last_check_ > signal_interval) {
    check_signals();
    last_check_ = Clock::now();
  }
  bool goes_on = true;
  if (!on_step_.is_none() && !is_stopped_)
    guarded([&] { goes_on = !says_stop(on_step_(progress)); });
  return goes_on && !is_stopped_;
}

void Listener::sample(double t, std::span<const double> values) {
  if (is_stopped_ || on_sample_.is_none()) return;
  guarded([&] {
    on_sample_(t, py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()));
  });
}

void Listener::event(const Event& event) {
  if (is_stopped_ || on_event_.is_none()) return;
  guarded([&] { on_event_(event); });
}

void Listener::check_signals() {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) keep(py::error_already_set());
}

template <typename Call>
void Listener::guarded(Call call) {
  const py::gil_scoped_acquire locked;
  try {
    call();
  } catch (py::error_already_set& error) {
    keep(error);
  }
}

void Listener::keep(const py::error_already_set& error) {
  if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
  exception_ = error.value();
  is_stopped_ = true;
}

}  // namespace daedal::python

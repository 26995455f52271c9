// Runs and ensembles. They work on a copy of the model without the interpreter's lock, so that
// other threads of Python go on; callbacks take it again.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "solution.hpp"

namespace daedal::python {
namespace {

using Clock = std::chrono::steady_clock;
// How long Ctrl-C may take to be noticed: short for a person, long for a step.
constexpr auto signal_interval = std::chrono::milliseconds(50);

// What a user should have given.
std::string kind_of(OptionType type) {
  switch (type) {
    case OptionType::flag: return "True or False";
    case OptionType::whole_number: return "an integer";
    case OptionType::number: return "a number";
    case OptionType::numbers: return "a sequence of numbers";
    case OptionType::file:
    case OptionType::choice: break;
  }
  return "a string";
}

OptionValue cast(OptionType type, const py::object& object) {
  switch (type) {
    case OptionType::flag: return py::cast<bool>(object);
    case OptionType::whole_number: return py::cast<long>(object);
    case OptionType::number: return py::cast<double>(object);
    case OptionType::numbers: return py::cast<std::vector<double>>(object);
    case OptionType::file:
    case OptionType::choice: break;
  }
  return py::cast<std::string>(object);
}

[[noreturn]] void raise_overflow(const std::string& name) {
  PyErr_SetString(PyExc_OverflowError, (name + " is out of range").c_str());
  throw py::error_already_set();
}

// `name` as it was given, which may be the short one.
OptionValue value_of(const OptionInfo& info, const std::string& name, const py::object& object) {
  const bool is_numeric = info.type == OptionType::whole_number || info.type == OptionType::number;
  try {
    return cast(info.type, object);
  } catch (const py::cast_error&) {
    if (is_numeric && PyLong_Check(object.ptr())) raise_overflow(name);
    throw py::type_error(name + " must be " + kind_of(info.type) + ", not " +
                         py::cast<std::string>(py::repr(object)));
  }
}

struct GivenOptions {
  SolveOptions run;
  EnsembleOptions ensemble;
};

// By name; daedal._options has looked whether there are all of these.
GivenOptions options_of(const py::dict& given) {
  GivenOptions result;
  for (const auto& [key, object] : given) {
    const auto name = py::cast<std::string>(key);
    const OptionInfo& info = *find_option(name);
    const OptionValue value = value_of(info, name, py::reinterpret_borrow<py::object>(object));
    try {
      if (info.group == OptionGroup::ensemble)
        set_option(result.ensemble, name, value);
      else
        set_option(result.run, name, value);
    } catch (const Error& error) {
      if (error.problems().front().id == "E-OPT-001") raise_overflow(name);
      throw;
    }
  }
  return result;
}

// What stops a run from outside: a callback that says so, or raises, or a signal such as Ctrl-C. To
// be made and destroyed with the lock; the functions take it themselves.
class Listener {
 public:
  Listener(py::object on_step, py::object on_sample)
      : on_step_(std::move(on_step)), on_sample_(std::move(on_sample)) {}

  void connect(SolveOptions& options, bool checks_signals) {
    if (!on_step_.is_none() || checks_signals)
      options.on_step = [this, checks_signals](const Progress& progress) {
        return step(progress, checks_signals);
      };
    else
      options.on_step = [this](const Progress&) { return !is_stopped_; };
    if (!on_sample_.is_none())
      options.on_sample = [this](double t, std::span<const double> values) { sample(t, values); };
  }

  // Runs what handlers of signals do; only Python's main thread does anything here.
  void check_signals() {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) keep(py::error_already_set());
  }

  // The exception to raise when the run is over, or none.
  py::object exception() const { return exception_; }

 private:
  // None, which a function without return gives, is no answer; anything else that is false is one.
  static bool says_stop(const py::object& answer) {
    if (answer.is_none()) return false;
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw py::error_already_set();
    return truth == 0;
  }

  bool step(const Progress& progress, bool checks_signals) {
    if (is_stopped_) return false;
    if (checks_signals && Clock::now() - last_check_ > signal_interval) {
      check_signals();
      last_check_ = Clock::now();
    }
    if (!on_step_.is_none() && !is_stopped_) {
      const py::gil_scoped_acquire locked;
      try {
        if (says_stop(on_step_(progress))) return false;
      } catch (py::error_already_set& error) {
        keep(error);
      }
    }
    return !is_stopped_;
  }

  void sample(double t, std::span<const double> values) {
    if (is_stopped_) return;
    const py::gil_scoped_acquire locked;
    try {
      on_sample_(t, py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()));
    } catch (py::error_already_set& error) {
      keep(error);
    }
  }

  void keep(const py::error_already_set& error) {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    exception_ = error.value();
    is_stopped_ = true;
  }

  py::object on_step_, on_sample_, exception_ = py::none();
  std::atomic<bool> is_stopped_ = false;
  Clock::time_point last_check_ = Clock::now();
};

// Does the work in a thread of its own, while this one looks for signals: those of an ensemble
// are not Python's main thread.
void work_and_watch(const std::function<void()>& work, Listener& listener) {
  std::mutex mutex;
  std::condition_variable is_over;
  bool is_done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    is_done = true;
    is_over.notify_one();
  });
  for (std::unique_lock lock(mutex);
       !is_over.wait_for(lock, signal_interval, [&] { return is_done; });) {
    lock.unlock();
    listener.check_signals();
    lock.lock();
  }
  worker.join();
  if (failure) std::rethrow_exception(failure);
}

py::tuple solve_in_python(const Model& model, const ParameterValues& parameters,
                          const py::dict& given, const py::object& on_step,
                          const py::object& on_sample) {
  SolveOptions options = options_of(given).run;
  Listener listener(on_step, on_sample);
  listener.connect(options, true);
  SharedSolution result{nullptr, copy_of(model, parameters)};
  {
    const py::gil_scoped_release unlocked;
    result.solution = std::make_shared<Solution>(solve(*result.model, options));
  }
  return py::make_tuple(result, listener.exception());
}

py::tuple ensemble_in_python(const Model& model, const std::vector<ParameterValues>& members,
                             const py::dict& given, const py::object& on_step,
                             const py::object& on_sample) {
  auto [options, ensemble] = options_of(given);
  Listener listener(on_step, on_sample);
  listener.connect(options, false);
  const SharedModel copy = copy_of(model);
  std::vector<Solution> solutions;
  {
    const py::gil_scoped_release unlocked;
    work_and_watch([&] { solutions = solve_ensemble(*copy, members, options, ensemble); },
                   listener);
  }
  std::vector<SharedSolution> shared;
  for (std::size_t k = 0; k < solutions.size(); ++k)
    shared.push_back({std::make_shared<Solution>(std::move(solutions[k])), copy, members[k]});
  return py::make_tuple(shared, listener.exception());
}

}  // namespace

void bind_solve(py::module_& module) {
  Record<Progress>(module, "Progress", "How far a run has come; `on_step` is called with it.")
      .field("from_", &Progress::from, "Where the run began.")
      .field("to", &Progress::to, "Where it shall end.")
      .field("t", &Progress::t, "Reached.")
      .field("steps", &Progress::steps, "Accepted so far.")
      .field("rejected", &Progress::rejected, "Given up so far.");
  Record<MethodInfo>(module, "MethodInfo",
                     "A method that a run may be made by, and what it accepts.")
      .field("name", &MethodInfo::name, "What `method=` takes.")
      .field("summary", &MethodInfo::summary, "One line.")
      .field("orders", &MethodInfo::orders, "That `order=` may ask for.")
      .field("smallest_tolerance", &MethodInfo::smallest_tolerance,
             "Below this, double precision does not give what `tolerance` asks for.")
      .field("is_multistep", &MethodInfo::is_multistep, "Steps depend on those before them.")
      .field("accepts_modes", &MethodInfo::accepts_modes, "Models with events and branches.")
      .field("accepts_ensembles", &MethodInfo::accepts_ensembles, "`Model.ensemble`.")
      .field("has_lanes", &MethodInfo::has_lanes, "Members are solved side by side.")
      .field("has_checkpoints", &MethodInfo::has_checkpoints, "`checkpoint=` and `resume=`.")
      .field("uses_structure", &MethodInfo::uses_structure, "The equations that structure gives.")
      .field("uses_array", &MethodInfo::uses_array, "The derivative array.")
      .field("has_series", &MethodInfo::has_series, "A step is a Taylor series.")
      .field("dense_degree", &MethodInfo::dense_degree,
             "Of polynomials between the ends of steps; 0: as accurate as the steps.")
      .field("steps_between_anchors", &MethodInfo::steps_between_anchors,
             "After which a run can be continued, if the options do not say.");
  Record<OptionInfo>(module, "OptionInfo", "An option of `Model.solve` or `Model.ensemble`.")
      .field("name", &OptionInfo::name, "The keyword.")
      .field("short_name", &OptionInfo::short_name, "Another keyword, if there is one.")
      .property(
          "group", [](const OptionInfo& info) { return to_string(info.group); },
          "'run', 'method', 'bdf', 'resources', 'checkpoints' or 'ensemble'.")
      .property(
          "type", [](const OptionInfo& info) { return to_string(info.type); },
          "'flag', 'whole number', 'number', 'numbers', 'file' or 'choice'.")
      .field("default", &OptionInfo::default_value, "Its value if it is not given, or None.")
      .field("default_text", &OptionInfo::default_text, "The same in words.")
      .field("range", &OptionInfo::range, "Which values it takes, if not all of its type.")
      .field("choices", &OptionInfo::choices, "If it takes one of a few words.")
      .field("help", &OptionInfo::help, "What it does.")
      .field("details", &OptionInfo::details, "More lines about it.")
      .field("flag", &OptionInfo::flag, "Of the command line, if it has one.")
      .field("value_name", &OptionInfo::value_name, "What the command line calls its value.");
  module.def("methods", &methods);
  module.def("options", &options);
  module.def("solve", &solve_in_python);
  module.def("solve_ensemble", &ensemble_in_python);
}

}  // namespace daedal::python

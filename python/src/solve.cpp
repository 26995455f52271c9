// Runs and ensembles. They work on a copy of the model without the interpreter's lock, so that
// other threads of Python go on; callbacks take it again.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "listener.hpp"
#include "options.hpp"
#include "solution.hpp"

namespace daedal::python {
namespace {

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

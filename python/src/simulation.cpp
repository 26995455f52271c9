// Simulations and prepared models. They work without the interpreter's lock; callbacks are given to
// each call anew.
#include "daedal/simulation.hpp"

#include <optional>
#include <thread>

#include "options.hpp"
#include "relay.hpp"
#include "solution.hpp"

namespace daedal::python {
namespace {

struct Callbacks {
  py::object on_step, on_sample, on_event = py::none();
};
Callbacks callbacks_of(const py::tuple& given) {
  Callbacks callbacks{given[0], given[1]};
  if (given.size() > 2) callbacks.on_event = given[2];
  return callbacks;
}

// A simulation, the model that it is of, and who may use it at this moment: a thread that makes
// steps keeps it to itself, and shares it with the callbacks at events that run in this thread.
class DrivenSimulation {
 public:
  DrivenSimulation(std::shared_ptr<Relay> relay, SharedModel model, ParameterValues parameters)
      : relay_(std::move(relay)), model_(std::move(model)), parameters_(std::move(parameters)) {}
  ~DrivenSimulation() {
    relay_->call_quietly([this] { simulation_.reset(); });
  }
  DrivenSimulation(const DrivenSimulation&) = delete;
  DrivenSimulation& operator=(const DrivenSimulation&) = delete;

  // `make` gives a daedal::Simulation; without the interpreter's lock.
  template <typename Make>
  void begin(Make make) {
    simulation_.emplace(make());
    simulation_->on_event([this](Simulation&, const Event& event) { happen(event); });
  }

  // For reading and changing. Throws what becomes a RuntimeError if another one makes steps.
  Simulation& use() {
    const bool is_mine = user_ == User::callback && thread_ == std::this_thread::get_id();
    if (user_ == User::nobody || is_mine) return *simulation_;
    throw std::runtime_error(
        "the simulation makes steps at this moment; it can be used between "
        "steps, and in callbacks at events");
  }

  // (what the work gives, the exception of a callback or None).
  template <typename Work>
  py::tuple drive(const py::tuple& callbacks, Work work) {
    if (user_ != User::nobody)
      throw std::runtime_error(
          "the simulation makes steps at this moment: callbacks cannot make "
          "other ones, nor can other threads");
    auto [on_step, on_sample, on_event] = callbacks_of(callbacks);
    Listener listener(on_step, on_sample, on_event);
    const Turn turn(*this);
    bool is_under_way = false;
    try {
      is_under_way = relay_->call(listener, [&] { return work(*simulation_); });
    } catch (const Stopped&) {  // between steps
    }
    return py::make_tuple(is_under_way, listener.exception());
  }

  SharedSolution solution() {
    return {std::make_shared<Solution>(use().solution()), model_, parameters_};
  }
  const Model& model() const { return *model_; }

 private:
  enum class User { nobody, steps, callback };
  // Thrown where a callback at an event has raised: the listener keeps what.
  struct Stopped {};
  struct Turn {
    explicit Turn(DrivenSimulation& simulation) : driven(simulation) { driven.user_ = User::steps; }
    ~Turn() { driven.user_ = User::nobody; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    DrivenSimulation& driven;
  };

  void happen(const Event& event) {
    Listener& listener = relay_->listener();
    if (!listener.hears_events()) return;
    const py::gil_scoped_acquire locked;
    thread_ = std::this_thread::get_id();
    user_ = User::callback;
    listener.event(event);
    user_ = User::steps;
    if (listener.is_stopped()) throw Stopped();
  }

  std::shared_ptr<Relay> relay_;
  SharedModel model_;
  ParameterValues parameters_;
  std::optional<Simulation> simulation_;
  // Read and written with the interpreter's lock.
  User user_ = User::nobody;
  std::thread::id thread_;
};

using SharedSimulation = std::shared_ptr<DrivenSimulation>;

// (a simulation, the exception of a callback at its start or None).
template <typename Make>
py::tuple begin(const std::shared_ptr<Relay>& relay, const SharedModel& model,
                const ParameterValues& parameters, const py::tuple& callbacks, Make make) {
  auto driven = std::make_shared<DrivenSimulation>(relay, model, parameters);
  auto [on_step, on_sample, on_event] = callbacks_of(callbacks);
  Listener listener(on_step, on_sample, on_event);
  relay->call(listener, [&] { driven->begin(make); });
  return py::make_tuple(driven, listener.exception());
}

bool has_samples(const py::tuple& callbacks) { return !callbacks[1].is_none(); }

py::tuple simulate(const Model& user_model, const RunInput& input, const py::dict& given,
                   const py::tuple& callbacks) {
  SolveOptions options = options_of(given).run;
  const auto relay = std::make_shared<Relay>();
  Relay::connect(relay, options, has_samples(callbacks));
  const SharedModel model = copy_of(user_model);
  return begin(relay, model, input.parameters, callbacks,
               [&] { return Simulation(*model, options, input); });
}

class Preparation {
 public:
  Preparation(const Model& model, const py::dict& given, bool has_samples)
      : relay_(std::make_shared<Relay>()), model_(copy_of(model)) {
    SolveOptions options = options_of(given).run;
    Relay::connect(relay_, options, has_samples);
    relay_->call_quietly([&] { prepared_.emplace(*model_, options); });
  }
  ~Preparation() {
    relay_->call_quietly([this] { prepared_.reset(); });
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  // (solution, the exception of a callback or None).
  py::tuple solve(const RunInput& input, const py::tuple& callbacks) {
    auto [on_step, on_sample, on_event] = callbacks_of(callbacks);
    Listener listener(on_step, on_sample);
    SharedSolution result{nullptr, model_, input.parameters};
    result.solution =
        relay_->call(listener, [&] { return std::make_shared<Solution>(prepared_->solve(input)); });
    return py::make_tuple(result, listener.exception());
  }
  py::tuple simulate(const RunInput& input, const py::tuple& callbacks) {
    return begin(relay_, model_, input.parameters, callbacks,
                 [&] { return prepared_->simulate(input); });
  }
  long num_analyses() {
    return relay_->call_quietly([this] { return prepared_->num_analyses(); });
  }

 private:
  std::shared_ptr<Relay> relay_;
  SharedModel model_;
  std::optional<PreparedModel> prepared_;
};

RunInput input_of(const py::tuple& given) {
  return {.parameters = py::cast<ParameterValues>(given[0]),
          .start = py::cast<StartValues>(given[1]),
          .fixed = py::cast<StartValues>(given[2])};
}

py::dict parameter_values(DrivenSimulation& driven) {
  py::dict values;
  const Simulation& simulation = driven.use();
  for (const model::Parameter& parameter : driven.model().data().parameters)
    if (!parameter.is_discrete)
      values[py::str(parameter.name)] = simulation.parameter(parameter.name);
  return values;
}

py::list parameter_names(const DrivenSimulation& driven) {
  py::list names;
  for (const model::Parameter& parameter : driven.model().data().parameters)
    if (!parameter.is_discrete) names.append(parameter.name);
  return names;
}

void bind_driving(py::class_<DrivenSimulation, SharedSimulation>& type) {
  type.def("step",
           [](DrivenSimulation& driven, const py::tuple& callbacks) {
             return driven.drive(callbacks, [](Simulation& s) { return s.step(); });
           })
      .def("step_until",
           [](DrivenSimulation& driven, const py::tuple& callbacks, double t) {
             return driven.drive(callbacks, [t](Simulation& s) { return s.step_until(t); });
           })
      .def("finish",
           [](DrivenSimulation& driven, const py::tuple& callbacks) {
             return driven.drive(callbacks, [](Simulation& s) { return s.finish(); });
           })
      .def("restore",
           [](DrivenSimulation& driven, const py::tuple& callbacks, const py::bytes& state) {
             const std::string text = state;
             return driven.drive(callbacks, [&](Simulation& s) {
               s.restore(text);
               return true;
             });
           })
      .def("save", [](DrivenSimulation& driven) { return py::bytes(driven.use().save()); });
}

void bind_reading(py::class_<DrivenSimulation, SharedSimulation>& type) {
  type.def("model_name", [](const DrivenSimulation& driven) { return driven.model().name(); })
      .def("status", [](DrivenSimulation& driven) { return to_string(driven.use().status()); })
      .def("problems", [](DrivenSimulation& driven) { return driven.use().problems(); })
      .def("is_over", [](DrivenSimulation& driven) { return driven.use().is_over(); })
      .def("t", [](DrivenSimulation& driven) { return driven.use().t(); })
      .def("num_steps", [](DrivenSimulation& driven) { return driven.use().num_steps(); })
      .def("variables", [](DrivenSimulation& driven) { return driven.use().variables(); })
      .def("values", [](DrivenSimulation& driven) { return driven.use().values(); })
      .def("value",
           [](DrivenSimulation& driven, const std::string& name) { return driven.use()(name); })
      .def("solution", &DrivenSimulation::solution);
}

void bind_changing(py::class_<DrivenSimulation, SharedSimulation>& type) {
  type.def("set", [](DrivenSimulation& driven, const std::string& name,
                     double value) { driven.use().set(name, value); })
      .def("parameter_names", &parameter_names)
      .def("parameter_values", &parameter_values)
      .def("set_parameter", [](DrivenSimulation& driven, const std::string& name, double value) {
        driven.use().set_parameter(name, value);
      });
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<DrivenSimulation, SharedSimulation> simulation(module, "Simulation");
  bind_driving(simulation);
  bind_reading(simulation);
  bind_changing(simulation);
  module.def("simulate", [](const Model& model, const py::tuple& input, const py::dict& given,
                            const py::tuple& callbacks) {
    return simulate(model, input_of(input), given, callbacks);
  });
  py::class_<Preparation>(module, "PreparedModel")
      .def(py::init<const Model&, const py::dict&, bool>())
      .def("solve",
           [](Preparation& prepared, const py::tuple& input, const py::tuple& callbacks) {
             return prepared.solve(input_of(input), callbacks);
           })
      .def("simulate",
           [](Preparation& prepared, const py::tuple& input, const py::tuple& callbacks) {
             return prepared.simulate(input_of(input), callbacks);
           })
      .def("num_analyses", &Preparation::num_analyses);
}

}  // namespace daedal::python

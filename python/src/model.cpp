// The builder of models, and what can be read from a model. Places in messages are the caller's
// file and line in Python, which python/daedal/_model.py finds.
#include <algorithm>
#include <iterator>

#include "bindings.hpp"
#include "expr/print.hpp"

namespace daedal::python {
namespace {

using Place = std::pair<std::string, unsigned>;  // file, line

Location location_of(const Place& place) { return {place.first.c_str(), place.second}; }

std::vector<Expression> expressions_of(const std::vector<SharedExpression>& shared) {
  std::vector<Expression> result;
  for (const SharedExpression& a : shared) result.push_back(a.expression);
  return result;
}

VariableOptions options_of(const py::list& start, const std::vector<bool>& fixed,
                           const py::object& nominal, const std::string& unit,
                           const std::string& description) {
  VariableOptions options{.start = {},
                          .fixed = fixed,
                          .nominal = to_expression(nominal, "a nominal value").expression,
                          .unit = unit,
                          .description = description};
  for (const py::handle value : start)
    options.start.push_back(to_expression(value, "a start value").expression);
  return options;
}

Equality equality_of(const SharedEquality& equality) {
  return {equality.left.expression, equality.right.expression};
}

std::string text_of(const model::ModelData& data, model::NodeId node) {
  return expr::to_text(*data.graph, node);
}

py::list variable_names(const Model& model) {
  py::list names;
  for (const model::Variable& variable : model.data().variables)
    if (!variable.is_auxiliary) names.append(variable.name);
  return names;
}

py::list parameter_names(const Model& model) {
  py::list names;
  for (const model::Parameter& parameter : model.data().parameters)
    if (!parameter.is_discrete) names.append(parameter.name);
  return names;
}

py::list output_names(const Model& model) {
  py::list names;
  for (const model::Output* output : model::outputs_of(model.data())) names.append(output->name);
  return names;
}

py::list equation_names(const Model& model) {
  py::list names;
  const model::ModelData& data = model.data();
  for (std::size_t i = 0; i < data.equations.size(); ++i)
    names.append(data.label(model::EquationId(static_cast<std::uint32_t>(i))));
  return names;
}

std::string text_of(const model::ModelData& data, const model::Equation& equation) {
  return text_of(data, equation.left) + " = " + text_of(data, equation.right);
}

py::list equation_texts(const Model& model) {
  py::list texts;
  for (const model::Equation& equation : model.data().equations)
    texts.append(text_of(model.data(), equation));
  return texts;
}

// name -> (unit, description) of everything that has a name.
py::dict labels(const Model& model) {
  py::dict result;
  const model::ModelData& data = model.data();
  for (const auto& each : data.variables)
    if (!each.is_auxiliary)
      result[py::str(each.name)] = py::make_tuple(each.unit, each.description);
  for (const auto& each : data.parameters)
    result[py::str(each.name)] = py::make_tuple(each.unit, each.description);
  for (const model::Output* each : model::outputs_of(data))
    result[py::str(each->name)] = py::make_tuple(each->unit, each->description);
  return result;
}

// None for a parameter without value.
py::dict parameter_values(const Model& model) {
  py::dict result;
  const model::ModelData& data = model.data();
  try {
    const std::vector<double> values = model::parameter_values(data);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!data.parameters[k].is_discrete) result[py::str(data.parameters[k].name)] = values[k];
  } catch (const Error&) {  // one without value; the others as far as they are numbers
    for (const model::Parameter& parameter : data.parameters) {
      if (parameter.is_discrete) continue;
      py::object value = py::none();
      if (parameter.override_value)
        value = py::float_(*parameter.override_value);
      else if (parameter.binding && data.graph->is_constant(*parameter.binding))
        value = py::float_(data.graph->number(*parameter.binding));
      result[py::str(parameter.name)] = value;
    }
  }
  return result;
}

// The variable or parameter of this name; none if there is no such one.
py::object find(const SharedModel& model, const std::string& name) {
  const model::ModelData& data = model->data();
  const auto handle = [&](model::NodeId node) {
    return py::cast(SharedExpression{Expression::of(data.graph.get(), node.value), model});
  };
  for (const model::Variable& variable : data.variables)
    if (!variable.is_auxiliary && variable.name == name) return handle(variable.node);
  for (const model::Parameter& parameter : data.parameters)
    if (parameter.name == name) return handle(parameter.node);
  return py::none();
}

py::list start_values(const Model& model) {
  py::list result;
  const model::ModelData& data = model.data();
  for (const model::Variable& variable : data.variables) {
    if (variable.is_auxiliary) continue;
    py::list starts;
    for (const model::Start& start : variable.start)
      starts.append(py::make_tuple(start.value ? text_of(data, *start.value) : "", start.fixed));
    result.append(starts);
  }
  return result;
}

py::list whens(const Model& model) {
  py::list result;
  const model::ModelData& data = model.data();
  for (const model::When& when : data.whens)
    result.append(py::make_tuple(data.label(when), text_of(data, when.condition)));
  return result;
}

std::vector<SharedExpression> lagrangian(
    const SharedModel& model, const py::object& function,
    const std::vector<SharedExpression>& coordinates,
    const std::vector<std::pair<std::string, SharedEquality>>& constraints,
    const std::vector<std::pair<SharedExpression, SharedExpression>>& forces,
    const py::object& dissipation, bool allow_redundant, const Place& place) {
  Lagrangian parts{.function = to_expression(function, "the Lagrangian").expression,
                   .coordinates = expressions_of(coordinates),
                   .dissipation = to_expression(dissipation, "the dissipation").expression,
                   .allow_redundant = allow_redundant};
  for (const auto& [name, equality] : constraints)
    parts.constraints.emplace_back(name, equality_of(equality), location_of(place));
  for (const auto& [coordinate, force] : forces)
    parts.forces.push_back({coordinate.expression, force.expression});
  std::vector<SharedExpression> multipliers;
  for (const Expression& multiplier : add_lagrangian(*model, parts, location_of(place)))
    multipliers.push_back({multiplier, model});
  return multipliers;
}

Shape shape_of(const std::string& kind, const py::list& points, const std::string& color,
               double width, const py::object& radius) {
  const std::pair<const char*, Shape::Kind> kinds[] = {{"line", Shape::Kind::line},
                                                       {"polygon", Shape::Kind::polygon},
                                                       {"circle", Shape::Kind::circle},
                                                       {"trace", Shape::Kind::trace}};
  Shape shape{
      .color = color, .width = width, .radius = to_expression(radius, "a radius").expression};
  const auto* const found = std::find_if(std::begin(kinds), std::end(kinds),
                                         [&](const auto& each) { return kind == each.first; });
  if (found == std::end(kinds))
    throw py::value_error("a drawing is a 'line', 'polygon', 'circle' or 'trace', not '" + kind +
                          "'");
  shape.kind = found->second;
  for (const py::handle point : points) {
    shape.points.emplace_back();
    for (const py::handle coordinate : point)
      shape.points.back().push_back(to_expression(coordinate, "a coordinate").expression);
  }
  return shape;
}

void bind_actions(py::module_& module) {
  py::class_<SharedAction>(module, "Action",
                           "What a `when` clause does: made by `reinit`, `assign`, `terminate`.")
      .def("__repr__", [](const SharedAction& shared) {
        const auto text = [&](const Expression& e) {
          return py::cast<std::string>(py::repr(py::cast(SharedExpression{e, shared.model})));
        };
        const Action& action = shared.action;
        if (action.kind == Action::Kind::terminate)
          return "terminate(" + py::cast<std::string>(py::repr(py::str(action.message))) + ")";
        return (action.kind == Action::Kind::reinit ? "reinit(" : "assign(") + text(action.target) +
               ", " + text(action.value) + ")";
      });
  const auto of_two = [](Action (*make)(const Expression&, const Expression&)) {
    return [make](const SharedExpression& target, const py::object& value) {
      const SharedExpression shared = to_expression(value, "a value");
      return SharedAction{make(target.expression, shared.expression), target.model};
    };
  };
  module.def("reinit", of_two(&reinit));
  module.def("assign", of_two(&assign));
  module.def("terminate",
             [](const std::string& message) { return SharedAction{terminate(message)}; });
}

void bind_builder(py::class_<Model, SharedModel>& type) {
  type.def(py::init<std::string, std::string>())
      .def("variable",
           [](const SharedModel& model, const std::string& name, const py::list& start,
              const std::vector<bool>& fixed, const py::object& nominal, const std::string& unit,
              const std::string& description, const Place& place) {
             return SharedExpression{
                 model->variable(name, options_of(start, fixed, nominal, unit, description),
                                 location_of(place)),
                 model};
           })
      .def("parameter",
           [](const SharedModel& model, const std::string& name, const py::object& value,
              const std::string& unit, const std::string& description, const Place& place) {
             if (value.is_none())
               return SharedExpression{model->parameter(name, location_of(place)), model};
             return SharedExpression{
                 model->parameter(name, to_expression(value, "the value of a parameter").expression,
                                  {.unit = unit, .description = description}, location_of(place)),
                 model};
           })
      .def("discrete",
           [](const SharedModel& model, const std::string& name, const py::object& start,
              const Place& place) {
             return SharedExpression{
                 model->discrete(name, to_expression(start, "a start value").expression,
                                 location_of(place)),
                 model};
           })
      .def("equation",
           [](Model& model, const std::string& name, const SharedEquality& equality,
              const Place& place) {
             model.equation(name, equality_of(equality), location_of(place));
           })
      .def("initial_equation",
           [](Model& model, const std::string& name, const SharedEquality& equality,
              const Place& place) {
             model.initial_equation(name, equality_of(equality), location_of(place));
           })
      .def("when",
           [](Model& model, const std::string& name, const py::object& condition,
              const std::vector<SharedAction>& actions, const Place& place) {
             std::vector<Action> plain;
             for (const SharedAction& action : actions) plain.push_back(action.action);
             model.when(name, to_condition(condition).condition, plain, location_of(place));
           })
      .def("output",
           [](Model& model, const std::string& name, const py::object& expression,
              const std::string& unit, const std::string& description, const Place& place) {
             model.output(name, to_expression(expression).expression,
                          {.unit = unit, .description = description}, location_of(place));
           })
      .def(
          "draw",
          [](Model& model, const std::string& kind, const py::list& points,
             const std::string& color, double width, const py::object& radius, const Place& place) {
            model.draw(shape_of(kind, points, color, width, radius), location_of(place));
          })
      .def("lagrangian", &lagrangian)
      .def("set_parameter", &Model::set_parameter)
      .def("set_start", &Model::set_start)
      .def("fix_start", &Model::fix_start)
      .def("set_nominal", &Model::set_nominal)
      .def("set_experiment", [](Model& model, std::optional<double> start_time,
                                std::optional<double> stop_time, std::optional<double> tolerance) {
        model.set_experiment({start_time, stop_time, tolerance});
      });
}

void bind_reading(py::class_<Model, SharedModel>& type) {
  type.def("time",
           [](const SharedModel& model) {
             return SharedExpression{model->time(), model};
           })
      .def("experiment",
           [](const Model& model) {
             const Experiment experiment = model.experiment();
             return py::make_tuple(experiment.start_time, experiment.stop_time,
                                   experiment.tolerance);
           })
      .def("name", &Model::name)
      .def("description", [](const Model& model) { return model.data().description; })
      .def("variable_names", &variable_names)
      .def("parameter_names", &parameter_names)
      .def("output_names", &output_names)
      .def("equation_names", &equation_names)
      .def("equation_texts", &equation_texts)
      .def("initial_equation_texts",
           [](const Model& model) {
             py::list texts;
             for (const model::Equation& equation : model.data().initial_equations)
               texts.append(text_of(model.data(), equation));
             return texts;
           })
      .def("start_values", &start_values)
      .def("whens", &whens)
      .def("labels", &labels)
      .def("parameter_values", &parameter_values)
      .def("find", &find)
      .def("copy", [](const Model& model) { return copy_of(model); });
}

}  // namespace

SharedModel copy_of(const Model& model, const ParameterValues& parameters) {
  auto copy = std::make_shared<Model>(model::copy_of(model.data()));
  for (const auto& [name, value] : parameters) copy->set_parameter(name, value);
  return copy;
}

void bind_model(py::module_& module) {
  bind_actions(module);
  py::class_<Model, SharedModel> type(module, "Model");
  bind_builder(type);
  bind_reading(type);
  const auto limits_of = [](std::optional<long> max_elements) {
    ModelLimits limits;
    limits.max_elements = max_elements.value_or(limits.max_elements);
    return limits;
  };
  module.def("load_model", [=](const std::string& path, const ParameterValues& parameters,
                               std::optional<long> max_elements) {
    const py::gil_scoped_release unlocked;
    return std::make_shared<Model>(load_model(path, parameters, limits_of(max_elements)));
  });
  module.def("parse_model", [=](const std::string& text, const std::string& file,
                                const ParameterValues& parameters,
                                std::optional<long> max_elements) {
    const py::gil_scoped_release unlocked;
    return std::make_shared<Model>(parse_model(text, file, parameters, limits_of(max_elements)));
  });
}

}  // namespace daedal::python

#include "model/model_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "daedal/error.hpp"
#include "expr/evaluate.hpp"
#include "expr/print.hpp"

namespace daedal::model {
namespace {

// "steelblue", "#4682b4": nothing that could mean more than a colour.
bool is_color(const std::string& text) {
  const auto all = [&](std::size_t first, auto is_right) {
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(), is_right);
  };
  if (text.starts_with('#'))
    return (text.size() == 4 || text.size() == 7) &&
           all(1, [](unsigned char ch) { return std::isxdigit(ch) != 0; });
  return text.size() <= 30 && all(0, [](unsigned char ch) { return std::isalpha(ch) != 0; });
}

Problem missing_value(const Parameter& parameter) {
  return {
      .id = "E-MOD-002",
      .what = fmt::format("parameter '{}' has no value", parameter.name),
      .where = parameter.place.text(),
      .why = "it was declared without a default, and no value was given",
      .todo = fmt::format(
          "give one: -p {}=VALUE on the command line, set_parameter(\"{}\", value) in C++, or a "
          "default in the declaration",
          parameter.name, parameter.name)};
}

Problem not_finite(const Parameter& parameter, double value) {
  return {.id = "E-MOD-003",
          .what = fmt::format("parameter '{}' is {}", parameter.name, value),
          .where = parameter.place.text(),
          .why = parameter.override_value
                     ? "the value that was given is not a finite number"
                     : "its default, evaluated with the other parameters' values, is not finite",
          .todo = "give a finite value, or correct the parameters that it is computed from"};
}

}  // namespace

std::string Place::text() const {
  if (line == 0) return file;
  return column == 0 ? fmt::format("{}:{}", file, line)
                     : fmt::format("{}:{}:{}", file, line, column);
}

std::string derivative_name(const std::string& name, int order) {
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

NamedDerivative read_derivative_name(const std::string& text) {
  if (!text.starts_with("der(") || !text.ends_with(')')) return {text};
  const std::string inside = text.substr(4, text.size() - 5);
  const std::size_t comma = inside.rfind(','), bracket = inside.rfind(']');
  const bool has_order =
      comma != std::string::npos && (bracket == std::string::npos || bracket < comma);
  int order = 1;
  if (has_order) {
    std::istringstream number(inside.substr(comma + 1));
    if (!(number >> order) || order < 0 || !(number >> std::ws).eof()) return {text};
  }
  NamedDerivative below = read_derivative_name(has_order ? inside.substr(0, comma) : inside);
  return {std::move(below.name), below.order + order};
}

std::string ModelData::label(EquationId equation) const {
  const std::string& given = equations[equation.index()].name;
  return given.empty() ? fmt::format("equation {}", equation.index() + 1) : given;
}

std::string ModelData::label(UnknownId unknown) const {
  const Variable& variable = variables[unknown.index()];
  return variable.stands_for.empty() ? variable.name : variable.stands_for;
}

std::string ModelData::place_of(EquationId equation) const {
  const std::string at = equations[equation.index()].place.text();
  return at.empty() ? fmt::format("'{}'", label(equation))
                    : fmt::format("{} '{}'", at, label(equation));
}

std::string ModelData::place_of(UnknownId unknown) const {
  const Variable& variable = variables[unknown.index()];
  const std::string at = variable.place.text();
  return at.empty() ? fmt::format("'{}'", variable.name)
                    : fmt::format("{} '{}'", at, variable.name);
}

std::string ModelData::label(const When& when) const {
  constexpr std::size_t longest = 80;
  return when.name.empty() ? expr::to_text(*graph, when.condition, longest) : when.name;
}

ModelData copy_of(const ModelData& model) {
  ModelData copy;
  copy.name = model.name;
  copy.description = model.description;
  copy.graph = model.graph->copy();
  copy.variables = model.variables;
  copy.parameters = model.parameters;
  copy.equations = model.equations;
  copy.initial_equations = model.initial_equations;
  copy.whens = model.whens;
  copy.outputs = model.outputs;
  copy.drawings = model.drawings;
  copy.mechanics = model.mechanics;
  copy.experiment = model.experiment;
  copy.place = model.place;
  return copy;
}

std::vector<const Output*> outputs_of(const ModelData& model) {
  const auto is_taken = [&](const Output& output) {
    const auto has_name = [&](const auto& item) { return item.name == output.name; };
    return std::any_of(model.variables.begin(), model.variables.end(), has_name) ||
           std::any_of(model.parameters.begin(), model.parameters.end(), has_name) ||
           std::any_of(model.outputs.begin(), model.outputs.end(), [&](const Output& other) {
             return !other.is_implied && other.name == output.name;
           });
  };
  std::vector<const Output*> outputs;
  for (const Output& output : model.outputs)
    if (!output.is_implied || !is_taken(output)) outputs.push_back(&output);
  return outputs;
}

std::vector<Output> reported_of(const ModelData& model) {
  std::vector<Output> reported;
  for (const Parameter& parameter : model.parameters)
    if (parameter.is_discrete)
      reported.push_back({.name = parameter.name,
                          .node = parameter.node,
                          .unit = parameter.unit,
                          .description = parameter.description,
                          .place = parameter.place,
                          .is_discrete = true});
  for (const Output* output : outputs_of(model)) reported.push_back(*output);
  return reported;
}

std::optional<DrawingFault> fault_of(const Drawing& drawing, const ModelData& model) {
  const std::size_t dimension = !model.drawings.empty()   ? model.drawings[0].points[0].size()
                                : !drawing.points.empty() ? drawing.points[0].size()
                                                          : 0;
  if (drawing.points.empty())
    return DrawingFault{"a shape has no points", "there is nothing to draw", "give it a point"};
  for (const std::vector<NodeId>& point : drawing.points) {
    if (point.size() < 2 || point.size() > 3)
      return DrawingFault{
          fmt::format("a point of a shape has {}", base::plural(point.size(), "coordinate")),
          "points lie in the plane or in space", "write {x, y} or {x, y, z}"};
    if (point.size() != dimension)
      return DrawingFault{"the points of the drawing differ in their number of coordinates",
                          fmt::format("one has {}, another {}", dimension, point.size()),
                          "give all of them 2, or all of them 3"};
  }
  if (!is_color(drawing.color))
    return DrawingFault{fmt::format("'{}' is no colour", drawing.color),
                        "a colour is a name such as steelblue, or #rgb or #rrggbb",
                        "write it so, or leave it out"};
  if (!(drawing.width > 0.0 && drawing.width <= 100.0))
    return DrawingFault{fmt::format("a line cannot be {} pixels wide", drawing.width),
                        "the width must be above 0, and at most 100", "leave it out, or write 2"};
  return std::nullopt;
}

Place place_of(const Location& location) {
  return {.file = location.file, .line = location.line, .column = 0};
}

NodeId node_of(ModelData& model, const Expression& expression, const Place& place) {
  if (expression.is_number()) return model.graph->constant(expression.number());
  if (expression.graph() != model.graph.get())
    throw Error(Problem{
        .id = "E-MOD-006",
        .what = "an expression of another model",
        .where = place.text(),
        .why = fmt::format("it was built from variables that model '{}' does not own", model.name),
        .todo = "build it from variables and parameters of this model"});
  return NodeId(expression.node());
}

std::vector<double> parameter_values(const ModelData& model) { return parameter_values(model, {}); }

std::vector<double> parameter_values(const ModelData& model, const ParameterValues& overrides) {
  std::vector<std::optional<double>> given;
  for (const Parameter& parameter : model.parameters) given.push_back(parameter.override_value);
  for (const auto& [name, value] : overrides) given[parameter_to_set(model, name, value)] = value;
  std::vector<double> values(model.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<Problem> problems;
  expr::Evaluator evaluator(*model.graph);
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    if (given[k]) {
      values[k] = *given[k];
    } else if (parameter.binding) {
      values[k] =
          evaluator.value(*parameter.binding, {.time = 0.0, .parameters = values, .unknown = {}});
    } else {
      problems.push_back(missing_value(parameter));
      values[k] = 1.0;  // so that parameters computed from it are not reported too
      continue;
    }
    if (!std::isfinite(values[k])) {
      problems.push_back(not_finite(parameter, values[k]));
      values[k] = 1.0;
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return values;
}

std::size_t parameter_to_set(const ModelData& model, const std::string& name, double value) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    names.push_back(parameter.name);
    if (parameter.name != name) continue;
    if (!std::isfinite(value))
      throw Error(Problem{.id = "E-MOD-003",
                          .what = fmt::format("parameter '{}' is {}", name, value),
                          .where = parameter.place.text(),
                          .why = "the value that was given is not a finite number",
                          .todo = "give a finite value"});
    if (parameter.structural)
      throw Error(
          Problem{.id = "E-MOD-011",
                  .what = fmt::format("parameter '{}' shapes the model", name),
                  .where = parameter.place.text(),
                  .why = "it sets an array size, an exponent or a loop bound, so the equations "
                         "were built for its value",
                  .todo = "give the value when the model is loaded: load_model(path, {{\"" + name +
                          "\", value}})"});
    return k;
  }
  const std::string hint = base::did_you_mean(name, names);
  throw Error(Problem{
      .id = "E-MOD-007",
      .what = fmt::format("model '{}' has no parameter '{}'", model.name, name),
      .where = "",
      .why = names.empty() ? "it has no parameters" : "its parameters are " + base::listed(names),
      .todo = hint.empty() ? "give the name of one of its parameters" : hint});
}

StartToSet start_to_set(const ModelData& model, const std::string& name, double value) {
  if (!std::isfinite(value))
    throw Error({.id = "E-SIM-006",
                 .what = fmt::format("'{}' was to get the value {}", name, value),
                 .where = fmt::format("model '{}'", model.name),
                 .why = "no equation holds with a value that is not a finite number",
                 .todo = "give a finite value"});
  const NamedDerivative named = read_derivative_name(name);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    if (model.variables[j].name == named.name && named.order <= expr::largest_order)
      return {.variable = j, .order = named.order};
    if (!model.variables[j].is_auxiliary) names.push_back(model.variables[j].name);
  }
  const std::string hint = base::did_you_mean(named.name, names);
  throw Error({.id = "E-SIM-002",
               .what = fmt::format("there is no variable '{}'", named.name),
               .where = fmt::format("model '{}'", model.name),
               .why = fmt::format("'{}' was to get the value {}, and '{}' has no variable of that "
                                  "name",
                                  name, value, model.name),
               .todo = hint.empty() ? "give a variable of the model, or a derivative of one such "
                                      "as der(x)"
                                    : hint});
}

}  // namespace daedal::model

#include "model/model_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "daedal/error.hpp"
#include "expr/evaluate.hpp"

namespace daedal::model {
namespace {

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

std::string ModelData::label(EquationId equation) const {
  const std::string& given = equations[equation.index()].name;
  return given.empty() ? fmt::format("equation {}", equation.index() + 1) : given;
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

std::vector<double> parameter_values(const ModelData& model) {
  std::vector<double> values(model.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<Problem> problems;
  expr::Evaluator evaluator(*model.graph);
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    if (parameter.override_value) {
      values[k] = *parameter.override_value;
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

}  // namespace daedal::model

// Short ways to read a model and to look at what came out.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "daedal/error.hpp"
#include "expr/print.hpp"
#include "lang/load.hpp"
#include "model/model_data.hpp"

namespace daedal::lang {

inline constexpr std::string_view pendulum_text =
    R"(model Pendulum "simple pendulum in cartesian coordinates"
  parameter Real g = 9.81;
  parameter Real L = 10;
  Real x(start = {10, 0});                         // {x, x', ...}: guesses
  Real y(start = {0, 1}, fixed = {true, true});    // fixed: must hold at the start
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;                        // extension: der(expr, k); der(der(x)) is the same
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;                         // extension: an equation may carry a name
annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-9));
end Pendulum;
)";

inline model::ModelData parsed(std::string_view text, const ParameterValues& values = {}) {
  return model_from({.file = "model.mo", .text = std::string(text)}, values);
}

// A model M with these declarations and equations.
inline std::string model_text(std::string_view declarations, std::string_view equations = "") {
  return fmt::format("model M\n{}\nequation\n{}\nend M;\n", declarations, equations);
}

inline std::vector<Problem> problems_of(std::string_view text, const ParameterValues& values = {}) {
  try {
    parsed(text, values);
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

// "E-LNG-002 3:5" for each problem.
inline std::vector<std::string> findings(std::string_view text,
                                         const ParameterValues& values = {}) {
  std::vector<std::string> found;
  for (const Problem& problem : problems_of(text, values)) {
    const std::size_t colon = problem.where.find(':');
    found.push_back(problem.id +
                    (colon == std::string::npos ? "" : " " + problem.where.substr(colon + 1)));
  }
  return found;
}

inline Problem only_problem(std::string_view text, const ParameterValues& values = {}) {
  const std::vector<Problem> problems = problems_of(text, values);
  return problems.size() == 1 ? problems[0]
                              : Problem{.id = fmt::format("{} problems", problems.size()),
                                        .what = {},
                                        .why = {},
                                        .todo = {}};
}

inline const model::Variable* find_variable(const model::ModelData& model, std::string_view name) {
  for (const model::Variable& variable : model.variables)
    if (variable.name == name) return &variable;
  return nullptr;
}

inline const model::Parameter* find_parameter(const model::ModelData& model,
                                              std::string_view name) {
  for (const model::Parameter& parameter : model.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

// "0! 1": the start values of a variable, fixed ones with a mark.
inline std::string start_text(const model::ModelData& model, std::string_view name) {
  std::string text;
  for (const model::Start& start : find_variable(model, name)->start) {
    text += text.empty() ? "" : " ";
    text += expr::to_text(*model.graph, *start.value) + (start.fixed ? "!" : "");
  }
  return text;
}

inline std::vector<std::string> equation_texts(const model::ModelData& model) {
  std::vector<std::string> texts;
  for (const model::Equation& equation : model.equations)
    texts.push_back(expr::to_text(*model.graph, equation.left) + " = " +
                    expr::to_text(*model.graph, equation.right));
  return texts;
}

inline std::vector<std::string> equation_names(const model::ModelData& model) {
  std::vector<std::string> names;
  for (const model::Equation& equation : model.equations) names.push_back(equation.name);
  return names;
}

inline std::vector<std::string> variable_names(const model::ModelData& model) {
  std::vector<std::string> names;
  for (const model::Variable& variable : model.variables) names.push_back(variable.name);
  return names;
}

// The value of a parameter with its present overrides.
inline double value_of(const model::ModelData& model, std::string_view name) {
  const std::vector<double> values = model::parameter_values(model);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (model.parameters[k].name == name) return values[k];
  return -1e300;
}

}  // namespace daedal::lang

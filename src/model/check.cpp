#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "daedal/error.hpp"
#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "model/followers.hpp"

namespace daedal::model {
namespace {

void check_nominals(const ModelData& model, const std::vector<double>& values,
                    std::vector<Problem>& problems) {
  expr::Evaluator evaluator(*model.graph);
  for (const Variable& variable : model.variables) {
    if (!variable.nominal) continue;
    const double nominal =
        evaluator.value(*variable.nominal, {.time = 0.0, .parameters = values, .unknown = {}});
    if (std::isfinite(nominal) && nominal > 0.0) continue;
    problems.push_back(
        {.id = "E-MOD-010",
         .what = fmt::format("the nominal value of '{}' is {}", variable.name, nominal),
         .where = variable.place.text(),
         .why = "a nominal value is a typical size and must be positive and finite",
         .todo = "give the size that the variable usually has, such as 1e5 for a pressure in Pa"});
  }
}

void check_starts(const ModelData& model, const std::vector<double>& values,
                  std::vector<Problem>& problems) {
  expr::Evaluator evaluator(*model.graph);
  for (const Variable& variable : model.variables) {
    for (std::size_t k = 0; k < variable.start.size(); ++k) {
      if (!variable.start[k].value) continue;
      const double value = evaluator.value(*variable.start[k].value,
                                           {.time = 0.0, .parameters = values, .unknown = {}});
      if (std::isfinite(value)) continue;
      problems.push_back(
          {.id = "E-MOD-013",
           .what = fmt::format("the start value of '{}' is {}",
                               derivative_name(variable.name, static_cast<int>(k)),
                               std::isnan(value) ? "not a number" : "infinite"),
           .where = variable.place.text(),
           .why = "its expression, evaluated with the parameters' values, is not a finite number",
           .todo = "give a finite value, or correct the parameters that it is computed from"});
    }
  }
}

class Checker {
 public:
  explicit Checker(const ModelData& model) : model_(model), cone_(*model.graph) {}

  std::vector<double> run(const ParameterValues& overrides) {
    check_sizes();
    check_names();
    for (std::size_t i = 0; i < model_.equations.size(); ++i) check_has_unknowns(EquationId(i));
    const std::vector<Problem> faults = faults_of_given_unknowns(model_);
    problems_.insert(problems_.end(), faults.begin(), faults.end());
    std::vector<double> values;
    try {
      values = parameter_values(model_, overrides);
      check_nominals(model_, values, problems_);
      check_starts(model_, values, problems_);
    } catch (const Error& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
    if (!problems_.empty()) throw Error(std::move(problems_));
    return values;
  }

 private:
  void check_sizes() {
    if (!model_.equations.empty() && !model_.variables.empty()) return;
    problems_.push_back({.id = "E-MOD-004",
                         .what = fmt::format("model '{}' has nothing to solve", model_.name),
                         .where = model_.place.text(),
                         .why = fmt::format("it has {} equations and {} unknowns",
                                            model_.equations.size(), model_.variables.size()),
                         .todo = "declare at least one unknown and one equation"});
  }

  void check_names() {
    std::unordered_map<std::string_view, const Place*> first;
    const auto check_all = [&](const auto& items, const char* kind) {
      for (const auto& item : items) {
        if (item.name.empty()) continue;
        const auto [entry, is_new] = first.emplace(item.name, &item.place);
        if (!is_new) report_duplicate(kind, item.name, item.place, *entry->second);
      }
    };
    check_all(model_.variables, "variable");
    check_all(model_.parameters, "parameter");
    check_outputs(first);
    first.clear();  // an equation may share its name with a variable, as in 'x: x = sin(time)'
    check_all(model_.equations, "equation");
  }

  void check_outputs(std::unordered_map<std::string_view, const Place*>& first) {
    for (const Output* output : outputs_of(model_)) {
      const auto [entry, is_new] = first.emplace(output->name, &output->place);
      if (!is_new) report_duplicate("output", output->name, output->place, *entry->second);
    }
  }

  void report_duplicate(const char* kind, const std::string& name, const Place& place,
                        const Place& first) {
    problems_.push_back({.id = "E-MOD-005",
                         .what = fmt::format("the {} name '{}' is used twice", kind, name),
                         .where = place.text(),
                         .why = fmt::format("it was first used at {}", first.text()),
                         .todo = "rename one of the two"});
  }

  void check_has_unknowns(EquationId id) {
    const Equation& equation = model_.equations[id.index()];
    const auto nodes = cone_.below(equation.residual);
    const bool has_unknown = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
      return model_.graph->op(node) == expr::Op::unknown;
    });
    if (has_unknown) return;
    const std::string given_name = equation.name.empty() ? " " + std::to_string(id.index() + 1)
                                                         : fmt::format(" '{}'", equation.name);
    problems_.push_back(
        {.id = "E-MOD-001",
         .what = fmt::format("equation{} contains no unknown", given_name),
         .where = model_.place_of(id),
         .why = fmt::format("after simplification it reads {} = 0, in which no unknown is left",
                            expr::to_text(*model_.graph, equation.residual)),
         .todo = "remove it, or let it depend on an unknown; a relation between parameters belongs "
                 "in a parameter's default"});
  }

  const ModelData& model_;
  expr::Cone cone_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<double> check(const ModelData& model, const ParameterValues& overrides) {
  return Checker(model).run(overrides);
}

std::vector<double> checked_values(const ModelData& model, const ParameterValues& overrides) {
  std::vector<double> values = parameter_values(model, overrides);
  std::vector<Problem> problems;
  check_nominals(model, values, problems);
  check_starts(model, values, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  return values;
}

}  // namespace daedal::model

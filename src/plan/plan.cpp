#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expr/evaluate.hpp"
#include "model/check.hpp"
#include "plan/balanced_model.hpp"
#include "plan/findings.hpp"
#include "plan/jacobian_verdict.hpp"

namespace daedal::plan {

std::vector<int> Plan::local_orders() const {
  std::vector<int> orders(structure.d.size());
  for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b)
    for (const int j : structure.fine_blocks[b].unknowns) orders[j] = structure.d[j] - leads[b];
  return orders;
}

std::vector<double> Plan::nominals() const { return nominals_of(model, parameters); }

std::vector<double> nominals_of(const model::ModelData& model,
                                const std::vector<double>& parameters) {
  expr::Evaluator evaluator(*model.graph);
  std::vector<double> nominals;
  for (const model::Variable& variable : model.variables)
    nominals.push_back(variable.nominal
                           ? evaluator.value(*variable.nominal,
                                             {.time = 0.0, .parameters = parameters, .unknown = {}})
                           : 1.0);
  return nominals;
}

bool Plan::is_quasilinear() const {
  const std::vector<int> tops(structure.fine_blocks.size(), 0);
  const std::vector<bool> is_linear_at_top =
      structure::linear_blocks(*equations.graph, residuals(), structure, tops);
  return std::all_of(is_linear_at_top.begin(), is_linear_at_top.end(),
                     [](bool linear) { return linear; });
}

std::vector<std::string> Plan::variable_names() const {
  std::vector<std::string> names;
  for (const model::Variable& variable : model.variables)
    if (!variable.is_auxiliary) names.push_back(variable.name);
  return names;
}

Plan Plan::copy() const {
  return {.model = model,
          .parameters = parameters,
          .equations = {equations.graph->copy(), equations.roots},
          .structure = structure,
          .leads = leads,
          .is_linear = is_linear,
          .regularity = regularity,
          .outputs = outputs,
          .starts = starts,
          .weights = weights,
          .conversion_obstacle = conversion_obstacle};
}

namespace {

reduce::GenericJacobian jacobian_of(Plan& plan) {
  return {plan.model, *plan.equations.graph, plan.residuals(), plan.structure, plan.parameters};
}

}  // namespace

Plan make_plan(const model::ModelData& model) { return make_plan(model, model::check(model)); }

Plan make_plan(const model::ModelData& model, const std::vector<double>& parameters) {
  reduce::StructuralAnalysis found = reduce::analyse_structure(model, reduce::Purpose::to_solve);
  if (!found.is_structurally_regular())
    throw Error(joined(
        explain_singular_structure(model, {found.graph(), found.residuals()}, found.diagnosis),
        explain_dependent_constraints(model, parameters)));
  std::vector<int> leads = structure::lead_times(found.structure);
  std::vector<bool> is_linear = found.linear_blocks(leads);
  Plan plan{.model = model,
            .parameters = parameters,
            .equations = std::move(found.equations),
            .structure = std::move(found.structure),
            .leads = std::move(leads),
            .is_linear = std::move(is_linear),
            .regularity = {},
            .outputs = std::make_shared<solution::Outputs>(model),
            .starts = {},
            .weights = StartWeighting::choosable,
            .conversion_obstacle = {}};
  plan.regularity = jacobian_of(plan).judged_at(parameters);
  return plan;
}

std::vector<Problem> explain_regularity(Plan& plan) {
  reduce::GenericJacobian jacobian = jacobian_of(plan);
  std::vector<Problem> problems = explain_regularity(
      plan.model, {*plan.equations.graph, plan.residuals()}, plan.structure, plan.regularity,
      blamed_parameters(jacobian, plan.regularity, plan.parameters));
  if (plan.conversion_obstacle.empty()) return problems;
  for (Problem& problem : problems)
    problem.todo += "; `init` and `run` cannot do it by themselves: " + plan.conversion_obstacle;
  return problems;
}

RegularizedModel::RegularizedModel(const model::ModelData& model)
    : RegularizedModel(model, model::check(model)) {}

RegularizedModel::RegularizedModel(const model::ModelData& model,
                                   const std::vector<double>& parameters)
    : original_(make_plan(model, parameters)) {
  convert_if_singular();
}

void RegularizedModel::convert_if_singular() {
  const model::ModelData& model = original_.model;
  if (original_.regularity.singular.empty()) return;
  if (!explain_dependent_constraints(model, original_.parameters).empty()) return;
  conversion_ = reduce::convert(model, original_.parameters);
  original_.conversion_obstacle = conversion_.reason;
  if (conversion_.model)
    converted_ =
        std::make_unique<Plan>(make_plan(conversion_.model->data, conversion_.model->parameters));
}

bool RegularizedModel::holds_for(const std::vector<double>& parameters) const {
  return std::all_of(
      conversion_.fixed.begin(), conversion_.fixed.end(), [&](model::ParameterId parameter) {
        return parameters[parameter.index()] == original_.parameters[parameter.index()];
      });
}

std::string RegularizedModel::fixed_values() const {
  std::string bytes;
  for (const model::ParameterId parameter : conversion_.fixed) {
    const double value = original_.parameters[parameter.index()];
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

void tell_conversion(std::vector<Problem>& problems, const reduce::ConversionResult& result) {
  for (Problem& problem : problems) {
    if (!result.model)
      problem.todo += "; daedal found no equivalent model by itself: " + result.reason;
    else
      problem.todo =
          "nothing, if this is meant: `init` and `run` solve an equivalent model, which "
          "the conversion shows; otherwise " +
          problem.todo;
  }
}

}  // namespace daedal::plan

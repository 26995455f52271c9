#include "plan/plan.hpp"

#include "expr/evaluate.hpp"
#include "model/check.hpp"
#include "plan/balanced_model.hpp"
#include "plan/findings.hpp"
#include "plan/jacobian_verdict.hpp"
#include "structure/quasilinear.hpp"
#include "structure/signature.hpp"

namespace daedal::plan {
namespace {

std::vector<expr::NodeId> all_residuals(const model::ModelData& model) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.equations) residuals.push_back(equation.residual);
  for (const model::Equation& equation : model.initial_equations)
    residuals.push_back(equation.residual);
  return residuals;
}

// c*f = 0 is f = 0: canonical sums are often stored with the sign pulled out.
expr::NodeId without_factor(const expr::Graph& graph, expr::NodeId residual) {
  const bool is_multiple = graph.op(residual) == expr::Op::affine &&
                           graph.number(residual) == 0.0 && graph.arguments(residual).size() == 1;
  return is_multiple ? without_factor(graph, graph.arguments(residual)[0]) : residual;
}

}  // namespace

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
          .conversion_obstacle = conversion_obstacle};
}

Plan make_plan(const model::ModelData& model) { return make_plan(model, model::check(model)); }

Plan make_plan(const model::ModelData& model, const std::vector<double>& parameters) {
  Plan plan{.model = model,
            .parameters = parameters,
            .equations = expr::simplify(*model.graph, all_residuals(model)),
            .structure = {},
            .leads = {},
            .is_linear = {},
            .regularity = {},
            .outputs = std::make_shared<solution::Outputs>(model),
            .starts = {},
            .conversion_obstacle = {}};
  expr::Graph& graph = *plan.equations.graph;
  for (expr::NodeId& root : plan.equations.roots) root = without_factor(graph, root);
  const structure::SignatureMatrix sigma = structure::signature_of(graph, plan.residuals());
  check_orders(model, sigma);
  if (const structure::Diagnosis diagnosis = structure::diagnose(sigma); !diagnosis.is_regular())
    throw Error(joined(explain_singular_structure(model, {graph, plan.residuals()}, diagnosis),
                       explain_dependent_constraints(model, plan.parameters)));
  plan.structure = structure::analyze_structure(sigma);
  plan.leads = structure::lead_times(plan.structure);
  plan.is_linear = structure::linear_blocks(graph, plan.residuals(), plan.structure, plan.leads);
  JacobianVerdict verdict(model, {graph, plan.residuals()}, plan.structure, plan.parameters);
  plan.regularity = verdict.at(plan.parameters);
  return plan;
}

std::vector<Problem> explain_regularity(Plan& plan) {
  JacobianVerdict verdict(plan.model, {*plan.equations.graph, plan.residuals()}, plan.structure,
                          plan.parameters);
  std::vector<Problem> problems =
      explain_regularity(plan.model, {*plan.equations.graph, plan.residuals()}, plan.structure,
                         plan.regularity, verdict.blamed_parameters(plan.regularity));
  if (plan.conversion_obstacle.empty()) return problems;
  for (Problem& problem : problems)
    problem.todo += "; `init` and `run` cannot do it by themselves: " + plan.conversion_obstacle;
  return problems;
}

}  // namespace daedal::plan

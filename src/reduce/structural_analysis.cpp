#include "reduce/structural_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "daedal/error.hpp"
#include "expr/evaluate.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {
namespace {

using expr::NodeId;
using model::ModelData;

std::vector<NodeId> roots_of(const ModelData& model, Purpose purpose) {
  std::vector<NodeId> roots;
  for (const model::Equation& equation : model.equations) roots.push_back(equation.residual);
  if (purpose == Purpose::to_solve)
    for (const model::Equation& equation : model.initial_equations)
      roots.push_back(equation.residual);
  return roots;
}

NodeId without_factor(const expr::Graph& graph, NodeId residual) {
  const bool is_multiple = graph.op(residual) == expr::Op::affine &&
                           graph.number(residual) == 0.0 && graph.arguments(residual).size() == 1;
  return is_multiple ? without_factor(graph, graph.arguments(residual)[0]) : residual;
}

expr::Simplified simplified(const ModelData& model, Purpose purpose) {
  expr::Simplified equations = expr::simplify(*model.graph, roots_of(model, purpose));
  if (purpose == Purpose::to_solve)
    for (NodeId& root : equations.roots) root = without_factor(*equations.graph, root);
  return equations;
}

// Orders that add up beyond reason (der of der of ...), alone or times the size of the model.
void check_orders(const ModelData& model, const structure::SignatureMatrix& sigma) {
  const double largest = std::numeric_limits<int>::max() / 16.0 / sigma.num_equations();
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.orders(i).size(); ++k) {
      const int order = sigma.orders(i)[k];
      if (order <= expr::largest_order && order <= largest) continue;
      throw Error(
          Problem{.id = "E-MOD-008",
                  .what = fmt::format("'{}' is differentiated {} times",
                                      model.variables[sigma.unknowns(i)[k]].name, order),
                  .where = model.place_of(model::EquationId(i)),
                  .why = fmt::format("orders go up to {} in a model of {} equations",
                                     std::min<double>(expr::largest_order, std::floor(largest)),
                                     sigma.num_equations()),
                  .todo = "check the derivatives nested in this equation"});
    }
  }
}

}  // namespace

StructuralAnalysis analyse_structure(const ModelData& model, Purpose purpose) {
  expr::Simplified equations = simplified(model, purpose);
  structure::SignatureMatrix sigma = structure::signature_of(
      *equations.graph, std::span(equations.roots).first(model.equations.size()));
  check_orders(model, sigma);
  StructuralAnalysis found{.equations = std::move(equations),
                           .sigma = std::move(sigma),
                           .diagnosis = {},
                           .structure = {}};
  found.diagnosis = structure::diagnose(found.sigma);
  if (found.is_structurally_regular()) found.structure = structure::analyze_structure(found.sigma);
  return found;
}

GenericJacobian::GenericJacobian(const ModelData& model, expr::Graph& graph,
                                 std::span<const NodeId> residuals,
                                 const structure::Structure& structure,
                                 const std::vector<double>& parameters)
    : graph_(graph),
      residuals_(residuals),
      structure_(structure),
      entries_(taylor::system_jacobian(graph, residuals, structure,
                                       taylor::JacobianPart::diagonal_blocks)),
      guesses_(guesses_of(model, parameters)),
      start_(model.experiment.start_time.value_or(0.0)),
      stop_(model.experiment.stop_time.value_or(start_ + 1.0)) {}

taylor::Regularity GenericJacobian::judged_at(std::span<const double> parameters) {
  return taylor::judge_regularity(
      graph_, residuals_, entries_, structure_,
      {.time = start_, .duration = stop_ - start_, .parameters = parameters, .guesses = guesses_});
}

std::vector<taylor::Guess> guesses_of(const model::ModelData& model,
                                      const std::vector<double>& parameters) {
  expr::Evaluator evaluator(*model.graph);
  const expr::Point point{.time = 0.0, .parameters = parameters, .unknown = {}};
  std::vector<taylor::Guess> guesses(model.variables.size());
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    const model::Variable& variable = model.variables[j];
    if (variable.nominal) guesses[j].nominal = evaluator.value(*variable.nominal, point);
    for (const model::Start& start : variable.start)
      guesses[j].derivatives.push_back(start.value ? evaluator.value(*start.value, point)
                                                   : std::numeric_limits<double>::quiet_NaN());
  }
  return guesses;
}

}  // namespace daedal::reduce

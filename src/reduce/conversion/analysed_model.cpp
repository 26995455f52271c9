#include "reduce/conversion/analysed_model.hpp"

#include <fmt/format.h>

#include "reduce/model_guesses.hpp"
#include "structure/signature.hpp"

namespace daedal::reduce {

using expr::NodeId;

NodeId AnalysedModel::derivative(int unknown, int order) {
  const NodeId node = graph().node(expr::UnknownId(static_cast<std::size_t>(unknown)));
  return order == 0 ? node : graph().diff(node, order);
}

std::string AnalysedModel::differentiated(int equation, int order) const {
  const std::string label = data.label(model::EquationId(static_cast<std::size_t>(equation)));
  if (order == 0) return label;
  return order == 1 ? "d/dt " + label : fmt::format("d^{}/dt^{} {}", order, order, label);
}

std::string AnalysedModel::derivative_name(int unknown, int order) const {
  return model::derivative_name(data.variables[unknown].name, order);
}

AnalysedModel analysed(model::ModelData model, std::vector<double> parameters) {
  AnalysedModel result{.data = std::move(model),
                       .parameters = std::move(parameters),
                       .equations = {},
                       .structure = {},
                       .jacobian = {},
                       .regularity = {}};
  const model::ModelData& data = result.data;
  std::vector<NodeId> residuals;
  for (const model::Equation& equation : data.equations) residuals.push_back(equation.residual);
  result.equations = expr::simplify(*data.graph, residuals);
  const structure::SignatureMatrix sigma =
      structure::signature_of(result.graph(), result.equations.roots);
  result.is_structurally_regular = structure::diagnose(sigma).is_regular();
  if (!result.is_structurally_regular) return result;
  result.structure = structure::analyze_structure(sigma);
  result.jacobian =
      taylor::system_jacobian(result.graph(), result.equations.roots, result.structure,
                              taylor::JacobianPart::diagonal_blocks);
  const double start = data.experiment.start_time.value_or(0.0);
  const double stop = data.experiment.stop_time.value_or(start + 1.0);
  const std::vector<taylor::Guess> guesses = guesses_of(data, result.parameters);
  result.regularity = taylor::judge_regularity(result.graph(), result.equations.roots,
                                               result.jacobian, result.structure,
                                               {.time = start,
                                                .duration = stop - start,
                                                .parameters = result.parameters,
                                                .guesses = guesses});
  return result;
}

}  // namespace daedal::reduce

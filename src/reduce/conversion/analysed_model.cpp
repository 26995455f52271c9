#include "reduce/conversion/analysed_model.hpp"

#include <fmt/format.h>

#include "reduce/structural_analysis.hpp"

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
  StructuralAnalysis found = analyse_structure(result.data, Purpose::to_read);
  result.equations = std::move(found.equations);
  result.is_structurally_regular = found.is_structurally_regular();
  if (!result.is_structurally_regular) return result;
  result.structure = std::move(found.structure);
  GenericJacobian jacobian(result.data, result.graph(), result.equations.roots, result.structure,
                           result.parameters);
  result.regularity = jacobian.judged_at(result.parameters);
  result.jacobian = jacobian.take_entries();
  return result;
}

}  // namespace daedal::reduce

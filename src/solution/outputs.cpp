#include "solution/outputs.hpp"

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"

namespace daedal::solution {

namespace {

std::vector<expr::NodeId> nodes_of(const std::vector<const model::Output*>& outputs) {
  std::vector<expr::NodeId> nodes;
  for (const model::Output* output : outputs) nodes.push_back(output->node);
  return nodes;
}

}  // namespace

Formulas::Formulas(const expr::Graph& graph, const std::vector<expr::NodeId>& roots) {
  expr::Simplified copy = expr::simplify(graph, roots);
  graph_ = std::move(copy.graph);
  roots_ = expr::expand_derivatives(*graph_, copy.roots);
}

Outputs::Outputs(const model::ModelData& model)
    : Formulas(*model.graph, nodes_of(model::outputs_of(model))) {
  for (const model::Output* output : model::outputs_of(model)) names_.push_back(output->name);
}

std::vector<double> Formulas::values(double t, const std::vector<double>& parameters,
                                     const Derivative& derivative) const {
  expr::Evaluator evaluator(*graph_);
  const expr::Point point{
      .time = t, .parameters = parameters, .unknown = [&](expr::UnknownId j, int order) {
        return derivative(static_cast<int>(j.index()), order);
      }};
  std::vector<double> values;
  for (const expr::NodeId root : roots_) values.push_back(evaluator.value(root, point));
  return values;
}

}  // namespace daedal::solution

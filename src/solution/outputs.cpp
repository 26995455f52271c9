#include "solution/outputs.hpp"

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"

namespace daedal::solution {

namespace {

std::vector<expr::NodeId> nodes_of(const std::vector<model::Output>& reported) {
  std::vector<expr::NodeId> nodes;
  for (const model::Output& each : reported) nodes.push_back(each.node);
  return nodes;
}

expr::Point point_of(double t, const std::vector<double>& parameters,
                     const Formulas::Derivative& derivative) {
  return {.time = t, .parameters = parameters, .unknown = [&](expr::UnknownId j, int order) {
            return derivative(static_cast<int>(j.index()), order);
          }};
}

}  // namespace

Formulas::Formulas(const expr::Graph& graph, const std::vector<expr::NodeId>& roots) {
  expr::Simplified copy = expr::simplify(graph, roots);
  graph_ = std::move(copy.graph);
  roots_ = expr::expand_derivatives(*graph_, copy.roots);
}

Outputs::Outputs(const model::ModelData& model)
    : Outputs(*model.graph, model::reported_of(model)) {}

Outputs::Outputs(const expr::Graph& graph, const std::vector<model::Output>& reported)
    : Formulas(graph, nodes_of(reported)) {
  for (const model::Output& each : reported) {
    names_.push_back(each.name);
    num_discretes_ += each.is_discrete ? 1 : 0;
  }
}

std::vector<double> Formulas::values(double t, const std::vector<double>& parameters,
                                     const Derivative& derivative) const {
  expr::Evaluator evaluator(*graph_);
  const expr::Point point = point_of(t, parameters, derivative);
  std::vector<double> values;
  for (const expr::NodeId root : roots_) values.push_back(evaluator.value(root, point));
  return values;
}

double Formulas::value(std::size_t formula, double t, const std::vector<double>& parameters,
                       const Derivative& derivative) const {
  return expr::Evaluator(*graph_).value(roots_[formula], point_of(t, parameters, derivative));
}

}  // namespace daedal::solution

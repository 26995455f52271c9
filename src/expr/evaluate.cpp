#include "expr/evaluate.hpp"

#include <limits>

#include "expr/apply.hpp"

namespace daedal::expr {
namespace {

double value_of_diff(const Graph& graph, const Point& point, NodeId node) {
  const NodeId argument = graph.arguments(node)[0];
  if (graph.op(argument) != Op::unknown) return std::numeric_limits<double>::quiet_NaN();
  return point.unknown(graph.unknown(argument), graph.order(node));
}

}  // namespace

double value_at(const Graph& graph, NodeId node, const Point& point, std::span<const double> values,
                std::vector<double>& scratch) {
  switch (graph.op(node)) {
    case Op::constant: return graph.number(node);
    case Op::parameter: return point.parameters[graph.parameter(node).index()];
    case Op::time: return point.time;
    case Op::unknown: return point.unknown(graph.unknown(node), 0);
    case Op::diff: return value_of_diff(graph, point, node);
    default: break;
  }
  scratch.clear();
  for (const NodeId argument : graph.arguments(node)) scratch.push_back(values[argument.index()]);
  return apply(graph, node, scratch);
}

double Evaluator::value(NodeId root, const Point& point) {
  values_.resize(graph_.size());
  for (const NodeId node : cone_.below(root))
    values_[node.index()] = value_at(graph_, node, point, values_, arguments_);
  return values_[root.index()];
}

void SharedEvaluator::evaluate(const Point& point) {
  values_.resize(graph_.size());
  for (const NodeId node : nodes_)
    values_[node.index()] = value_at(graph_, node, point, values_, arguments_);
}

}  // namespace daedal::expr

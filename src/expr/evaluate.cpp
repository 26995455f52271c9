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

double Evaluator::value_of(NodeId node, const Point& point) {
  switch (graph_.op(node)) {
    case Op::constant: return graph_.number(node);
    case Op::parameter: return point.parameters[graph_.parameter(node).index()];
    case Op::time: return point.time;
    case Op::unknown: return point.unknown(graph_.unknown(node), 0);
    case Op::diff: return value_of_diff(graph_, point, node);
    default: break;
  }
  arguments_.clear();
  for (const NodeId argument : graph_.arguments(node))
    arguments_.push_back(values_[argument.index()]);
  return apply(graph_, node, arguments_);
}

double Evaluator::value(NodeId root, const Point& point) {
  values_.resize(graph_.size());
  for (const NodeId node : cone_.below(root)) values_[node.index()] = value_of(node, point);
  return values_[root.index()];
}

}  // namespace daedal::expr

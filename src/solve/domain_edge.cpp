#include "solve/domain_edge.hpp"

#include <cmath>

#include "expr/reachable.hpp"

namespace daedal::solving {
namespace {

using expr::Op;

// Whether derivatives of the operation end where its first argument has this value.
bool is_edge(const expr::Graph& graph, expr::NodeId node, double argument) {
  switch (graph.op(node)) {
    case Op::power: return argument == 0.0 && graph.number(node) != std::floor(graph.number(node));
    case Op::pow:
    case Op::log: return argument == 0.0;
    case Op::asin:
    case Op::acos:
    case Op::atanh: return std::abs(argument) == 1.0;
    case Op::acosh: return argument == 1.0;
    default: return false;
  }
}

}  // namespace

expr::NodeId operation_at_edge(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                               const expr::Point& point) {
  expr::Evaluator evaluator(graph);
  for (const expr::NodeId node : expr::reachable(graph, roots)) {
    const auto arguments = graph.arguments(node);
    if (!arguments.empty() && is_edge(graph, node, evaluator.value(arguments[0], point)))
      return node;
  }
  return {};
}

}  // namespace daedal::solving

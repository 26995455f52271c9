#include "solve/domain_edge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/print.hpp"
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

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The edge of its domain nearest to the value of its critical argument; not a number if there is
// none.
double edge_near(const expr::Graph& graph, expr::NodeId node, double argument) {
  switch (graph.op(node)) {
    case Op::quotient:
    case Op::pow:
    case Op::log: return 0.0;
    case Op::power: {
      const double exponent = graph.number(node);
      return exponent >= 0.0 && exponent == std::floor(exponent) ? none : 0.0;
    }
    case Op::asin:
    case Op::acos:
    case Op::atanh: return argument < 0.0 ? -1.0 : 1.0;
    case Op::acosh: return 1.0;
    default: return none;
  }
}

bool is_reciprocal(const expr::Graph& graph, expr::NodeId node) {
  return graph.op(node) == Op::power && graph.number(node) < 0.0 &&
         graph.number(node) == std::floor(graph.number(node));
}

std::string name_of_argument(const expr::Graph& graph, expr::NodeId node) {
  if (graph.op(node) == Op::quotient || is_reciprocal(graph, node)) return "the denominator";
  if (graph.op(node) != Op::power)
    return fmt::format("the argument of {}", expr::name_of(graph.op(node)));
  return graph.number(node) == 0.5 ? "the argument of sqrt"
                                   : fmt::format("the base of ^{}", graph.number(node));
}

// As written, if it is short.
std::string text_of(const expr::Graph& graph, expr::NodeId argument) {
  constexpr std::size_t long_text = 40;
  const std::string text = expr::to_text(graph, argument);
  return text.size() <= long_text ? text : "x";
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

std::optional<NearEdge> nearest_edge(const expr::Graph& graph, std::span<const expr::NodeId> roots,
                                     const expr::Point& point) {
  constexpr double near = 1e-3;
  expr::Evaluator evaluator(graph);
  std::optional<NearEdge> nearest;
  double least = near;
  for (const expr::NodeId node : expr::reachable(graph, roots)) {
    const auto arguments = graph.arguments(node);
    if (arguments.empty() || graph.op(node) == Op::diff) continue;
    const auto is_finite = [&](expr::NodeId at) {
      return std::isfinite(evaluator.value(at, point));
    };
    if (!std::all_of(arguments.begin(), arguments.end(), is_finite)) continue;
    if (!is_finite(node)) return NearEdge{node, "its value is not a finite number"};
    const double argument =
        evaluator.value(arguments[graph.op(node) == Op::quotient ? 1 : 0], point);
    const double edge = edge_near(graph, node, argument);
    if (!(std::abs(argument - edge) <= least)) continue;
    least = std::abs(argument - edge);
    nearest = {node, fmt::format("{} is {:.6g}, the edge of its domain is {}",
                                 name_of_argument(graph, node), argument, edge)};
  }
  return nearest;
}

std::string how_to_stay_inside(const expr::Graph& graph, expr::NodeId node) {
  const std::string end = "end the run before this time";
  const auto arguments = graph.arguments(node);
  const double edge = arguments.empty() ? none : edge_near(graph, node, 1.0);
  if (graph.op(node) == Op::quotient || is_reciprocal(graph, node) || std::isnan(edge))
    return end + ", or write the equation so that it stays defined here";
  const std::string x = text_of(graph, arguments[0]);
  const bool is_bounded =
      graph.op(node) == Op::asin || graph.op(node) == Op::acos || graph.op(node) == Op::atanh;
  return fmt::format("{}, or say what holds behind it, such as `if {} then ... else ...`", end,
                     is_bounded ? fmt::format("abs({}) < 1", x) : fmt::format("{} > {}", x, edge));
}

}  // namespace daedal::solving

#include "explain/domain_edge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "expr/graph.hpp"
#include "expr/print.hpp"

namespace daedal::explain {
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

constexpr std::array at_zero = {0.0};
constexpr std::array at_one = {1.0};
constexpr std::array at_both_ones = {-1.0, 1.0};

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

std::span<const double> edges_of(const expr::Graph& graph, expr::NodeId node) {
  switch (graph.op(node)) {
    case Op::quotient:
    case Op::pow:
    case Op::log: return at_zero;
    case Op::power: {
      const double exponent = graph.number(node);
      const bool is_polynomial = exponent >= 0.0 && exponent == std::floor(exponent);
      return is_polynomial ? std::span<const double>() : at_zero;
    }
    case Op::asin:
    case Op::acos:
    case Op::atanh: return at_both_ones;
    case Op::acosh: return at_one;
    default: return {};
  }
}

expr::NodeId critical_argument(const expr::Graph& graph, expr::NodeId node) {
  return graph.arguments(node)[graph.op(node) == Op::quotient ? 1 : 0];
}

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
    for (const double edge : edges_of(graph, node)) {
      const double argument = evaluator.value(critical_argument(graph, node), point);
      if (!(std::abs(argument - edge) <= least)) continue;
      least = std::abs(argument - edge);
      nearest = {node, fmt::format("{} is {:.6g}, the edge of its domain is {}",
                                   name_of_argument(graph, node), argument, edge)};
    }
  }
  return nearest;
}

std::string how_to_stay_inside(const expr::Graph& graph, expr::NodeId node) {
  const std::string end = "end the run before this time";
  const std::span<const double> edges = edges_of(graph, node);
  if (graph.op(node) == Op::quotient || is_reciprocal(graph, node) || edges.empty())
    return end + ", or write the equation so that it stays defined here";
  const std::string x = text_of(graph, critical_argument(graph, node));
  return fmt::format(
      "{}, or say what holds behind it, such as `if {} then ... else ...`", end,
      edges.size() > 1 ? fmt::format("abs({}) < 1", x) : fmt::format("{} > {}", x, edges[0]));
}

}  // namespace daedal::explain

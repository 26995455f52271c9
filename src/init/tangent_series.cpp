#include "init/tangent_series.hpp"

#include <algorithm>
#include <tuple>

#include "expr/partial.hpp"

namespace daedal::init {
namespace {

// The unknown and order of a leaf x or derivative x^(q).
Partial place_of(const expr::Graph& graph, NodeId leaf) {
  if (graph.op(leaf) == expr::Op::unknown)
    return {static_cast<int>(graph.unknown(leaf).index()), 0, {}};
  const NodeId inner = graph.arguments(leaf)[0];
  return {static_cast<int>(graph.unknown(inner).index()), graph.order(leaf), {}};
}

bool is_unknown_or_derivative(const expr::Graph& graph, NodeId leaf) {
  return graph.op(leaf) == expr::Op::unknown || graph.op(leaf) == expr::Op::diff;
}

bool precedes(const Partial& a, const Partial& b) {
  return std::tie(a.unknown, a.order) < std::tie(b.unknown, b.order);
}

std::vector<Partial> partials_of(expr::Graph& graph, expr::ReverseSweep& sweep, NodeId root) {
  std::vector<Partial> partials;
  const auto follows = [&](NodeId, NodeId argument) { return graph.varies(argument); };
  const auto at_leaf = [&](NodeId leaf, NodeId adjoint) {
    if (!is_unknown_or_derivative(graph, leaf)) return false;
    Partial partial = place_of(graph, leaf);
    partial.value = adjoint;
    if (!graph.is_constant(adjoint, 0.0)) partials.push_back(partial);
    return true;
  };
  sweep.run(root, follows, at_leaf);
  std::sort(partials.begin(), partials.end(), precedes);
  return partials;
}

}  // namespace

std::vector<std::vector<Partial>> partials_of(expr::Graph& graph, std::span<const NodeId> roots) {
  expr::ReverseSweep sweep(graph);
  std::vector<std::vector<Partial>> all;
  for (const NodeId root : roots) all.push_back(partials_of(graph, sweep, root));
  return all;
}

std::vector<std::vector<SecondPartial>> second_partials_of(
    expr::Graph& graph, const std::vector<std::vector<Partial>>& partials) {
  expr::ReverseSweep sweep(graph);
  std::vector<std::vector<SecondPartial>> all(partials.size());
  for (std::size_t i = 0; i < partials.size(); ++i)
    for (const Partial& first : partials[i])
      for (const Partial& second : partials_of(graph, sweep, first.value)) {
        if (precedes(second, first)) continue;
        all[i].push_back({first.unknown, first.order, second.unknown, second.order, second.value});
      }
  return all;
}

double falling_factorial(int p, int q) {
  double product = 1.0;
  for (int k = 0; k < q; ++k) product *= p - k;
  return product;
}

}  // namespace daedal::init

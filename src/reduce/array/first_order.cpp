#include "reduce/array/first_order.hpp"

#include <algorithm>

#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/rebuild.hpp"

namespace daedal::reduce {
namespace {

using expr::Graph;
using expr::Op;

bool is_derivative_of_unknown(const Graph& graph, NodeId node) {
  return graph.op(node) == Op::diff && graph.op(graph.arguments(node)[0]) == Op::unknown;
}

int unknown_below(const Graph& graph, NodeId derivative) {
  return static_cast<int>(graph.unknown(graph.arguments(derivative)[0]).index());
}

// By unknown: its highest derivative below the roots.
std::vector<int> highest_derivatives(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<int> highest(graph.num_unknowns(), 0);
  for (const NodeId node : expr::reachable(graph, roots))
    if (is_derivative_of_unknown(graph, node)) {
      int& order = highest[unknown_below(graph, node)];
      order = std::max(order, graph.order(node));
    }
  return highest;
}

// v = x^(m) for 0 < m < highest, in the order of unknowns.
void add_unknowns(FirstOrderForm& form) {
  for (int j = 0; j < form.num_given(); ++j) form.meaning.push_back({j, 0});
  for (int j = 0; j < form.num_given(); ++j) {
    form.first_new.push_back(form.num_unknowns());
    for (int order = 1; order < form.highest[j]; ++order) {
      form.graph->add_unknown(form.graph->name(expr::UnknownId(j)) + "'" + std::to_string(order));
      form.meaning.push_back({j, order});
    }
  }
}

// x_j^(order) by unknowns and their first derivatives, higher ones only of the last.
NodeId derivative_node(FirstOrderForm& form, int j, int order) {
  int below = order;
  while (form.unknown_of(j, below) < 0) --below;
  const NodeId node = form.graph->node(expr::UnknownId(form.unknown_of(j, below)));
  return below == order ? node : form.graph->diff(node, order - below);
}

std::vector<NodeId> with_new_unknowns(FirstOrderForm& form, std::span<const NodeId> roots) {
  const Graph& graph = *form.graph;
  std::vector<NodeId> image;
  const auto image_of = [&](NodeId node) { return image[node.index()]; };
  for (const NodeId node : expr::reachable(graph, roots)) {
    if (image.size() <= node.index()) image.resize(node.index() + 1);
    image[node.index()] = is_derivative_of_unknown(graph, node)
                              ? derivative_node(form, unknown_below(graph, node), graph.order(node))
                              : expr::rebuild_if_changed(*form.graph, node, image_of);
  }
  std::vector<NodeId> images;
  for (const NodeId root : roots) images.push_back(image_of(root));
  return images;
}

void add_definitions(FirstOrderForm& form) {
  Graph& graph = *form.graph;
  for (std::size_t u = 0; u < form.meaning.size(); ++u) {
    const auto [j, order] = form.meaning[u];
    if (order == 0) continue;
    const NodeId below = graph.node(expr::UnknownId(form.unknown_of(j, order - 1)));
    form.residuals.push_back(graph.subtract(graph.diff(below, 1), graph.node(expr::UnknownId(u))));
  }
}

}  // namespace

FirstOrderForm first_order_form(const Graph& graph, std::span<const NodeId> residuals,
                                std::span<const NodeId> conditions) {
  FirstOrderForm form;
  form.graph = graph.copy();
  const std::vector<NodeId> equations = expr::expand_derivatives(*form.graph, residuals),
                            extra = expr::expand_derivatives(*form.graph, conditions);
  form.highest = highest_derivatives(*form.graph, equations);
  add_unknowns(form);
  form.residuals = with_new_unknowns(form, equations);
  form.conditions = with_new_unknowns(form, extra);
  add_definitions(form);
  return form;
}

}  // namespace daedal::reduce

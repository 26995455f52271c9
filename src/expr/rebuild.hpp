// One node again, with other arguments: the step that every graph-to-graph pass repeats.
#pragma once

#include <algorithm>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

// The operation of `node` in `from`, applied in `to` to the images of its arguments. Unknowns and
// parameters keep their ids: `to` must have at least those of `from`. The two graphs may be one and
// the same.
template <typename Image>
NodeId rebuild_in(Graph& to, const Graph& from, NodeId node, Image image_of) {
  std::vector<NodeId> images;
  for (const NodeId argument : from.arguments(node)) images.push_back(image_of(argument));
  switch (from.op(node)) {
    case Op::constant: return to.constant(from.number(node));
    case Op::time: return to.time();
    case Op::parameter: return to.node(from.parameter(node));
    case Op::unknown: return to.node(from.unknown(node));
    case Op::diff: return to.diff(images[0], from.order(node));
    case Op::affine: {
      const auto view = from.coefficients(node);
      const std::vector<double> coefficients(view.begin(), view.end());
      return to.affine(from.number(node), coefficients, images);
    }
    case Op::product: return to.product(images);
    case Op::quotient: return to.divide(images[0], images[1]);
    case Op::power: return to.power(images[0], from.number(node));
    case Op::pow: return to.pow(images[0], images[1]);
    case Op::atan2:
    case Op::min:
    case Op::max: return to.binary(from.op(node), images[0], images[1]);
    case Op::select: return to.select(images[0], images[1], images[2]);
    default: return to.unary(from.op(node), images[0]);
  }
}

// The node again with the images of its arguments; itself where none of them changed.
template <typename Image>
NodeId rebuild_if_changed(Graph& graph, NodeId node, Image image_of) {
  const auto arguments = graph.arguments(node);
  const bool changed = std::any_of(arguments.begin(), arguments.end(),
                                   [&](NodeId argument) { return image_of(argument) != argument; });
  return changed ? rebuild_in(graph, graph, node, image_of) : node;
}

}  // namespace daedal::expr

#include "expr/partial.hpp"

#include <unordered_map>

#include "base/check.hpp"
#include "expr/rebuild.hpp"

namespace daedal::expr {
namespace {

// Small helpers that read like the formulas below.
class Algebra {
 public:
  explicit Algebra(Graph& graph) : g(graph) {}
  NodeId number(double value) { return g.constant(value); }
  NodeId one_minus_square(NodeId u) { return g.subtract(number(1), g.power(u, 2)); }
  NodeId one_plus_square(NodeId u) { return g.add(number(1), g.power(u, 2)); }
  Graph& g;
};

NodeId unary_partial(Graph& graph, NodeId node) {
  Algebra a(graph);
  const NodeId u = graph.arguments(node)[0];
  switch (graph.op(node)) {
    case Op::exp: return node;
    case Op::log: return graph.power(u, -1);
    case Op::sin: return graph.unary(Op::cos, u);
    case Op::cos: return graph.negate(graph.unary(Op::sin, u));
    case Op::tan: return a.one_plus_square(node);
    case Op::asin: return graph.power(a.one_minus_square(u), -0.5);
    case Op::acos: return graph.negate(graph.power(a.one_minus_square(u), -0.5));
    case Op::atan: return graph.power(a.one_plus_square(u), -1);
    case Op::sinh: return graph.unary(Op::cosh, u);
    case Op::cosh: return graph.unary(Op::sinh, u);
    case Op::tanh:  // 1/cosh(u)^2: 1 - tanh(u)^2 cancels to 0 where tanh saturates
      return graph.power(graph.unary(Op::cosh, u), -2);
    case Op::asinh: return graph.power(a.one_plus_square(u), -0.5);
    case Op::acosh:  // written with two roots: u^2 - 1 cancels near u = 1, and u > 1 in the domain
      return graph.multiply(graph.power(graph.subtract(u, a.number(1)), -0.5),
                            graph.power(graph.add(u, a.number(1)), -0.5));
    case Op::atanh: return graph.power(a.one_minus_square(u), -1);
    case Op::erf:  // 2/sqrt(pi) exp(-u^2)
      return graph.scale(1.1283791670955126, graph.unary(Op::exp, graph.negate(graph.power(u, 2))));
    case Op::abs: return graph.unary(Op::sign, u);
    case Op::sign:
    case Op::positive:
    case Op::nonnegative: return a.number(0);
    default: base::report_bug("a unary function", __FILE__, __LINE__);
  }
}

// d/dv_k of v_1 ... v_m: products of prefixes and suffixes, so that m factors cost O(m), not
// O(m^2).
std::vector<NodeId> product_partials(Graph& graph, std::vector<NodeId> factors) {
  const std::size_t m = factors.size();
  std::vector<NodeId> partials(m);
  NodeId prefix = graph.constant(1);
  for (std::size_t k = 0; k < m; ++k) {
    partials[k] = prefix;
    prefix = graph.multiply(prefix, factors[k]);
  }
  NodeId suffix = graph.constant(1);
  for (std::size_t k = m; k-- > 0;) {
    partials[k] = graph.multiply(partials[k], suffix);
    suffix = graph.multiply(suffix, factors[k]);
  }
  return partials;
}

std::vector<NodeId> binary_partials(Graph& graph, NodeId node) {
  const NodeId u = graph.arguments(node)[0];
  const NodeId v = graph.arguments(node)[1];
  Algebra a(graph);
  switch (graph.op(node)) {
    case Op::quotient:  // z = u/v: 1/v, -z/v
      return {graph.power(v, -1), graph.negate(graph.divide(node, v))};
    case Op::pow:  // z = u^v: v z/u, z log u
      return {graph.multiply(v, graph.pow(u, graph.subtract(v, a.number(1)))),
              graph.multiply(node, graph.unary(Op::log, u))};
    case Op::atan2: {  // angle of (v, u): v/(u^2+v^2), -u/(u^2+v^2)
      const NodeId square = graph.add(graph.power(u, 2), graph.power(v, 2));
      return {graph.divide(v, square), graph.negate(graph.divide(u, square))};
    }
    default: {  // min: (1 - sign(u-v))/2 and the rest; max the other way round
      const double way = graph.op(node) == Op::min ? -0.5 : 0.5;
      const NodeId side = graph.scale(way, graph.unary(Op::sign, graph.subtract(u, v)));
      return {graph.add(a.number(0.5), side), graph.subtract(a.number(0.5), side)};
    }
  }
}

// The derivative is that of the branch which is followed.
std::vector<NodeId> select_partials(Graph& graph, NodeId condition) {
  const NodeId zero = graph.constant(0), one = graph.constant(1);
  return {zero, graph.select(condition, one, zero), graph.select(condition, zero, one)};
}

bool is_independent(const Graph& graph, NodeId node) {
  switch (graph.op(node)) {
    case Op::constant:
    case Op::parameter:
    case Op::time:
    case Op::unknown: return true;
    case Op::diff: return graph.op(graph.arguments(node)[0]) == Op::unknown;
    default: return false;
  }
}

void check_expanded(const Graph& graph, NodeId node) {
  DAEDAL_CHECK(graph.op(node) != Op::diff);  // a composite diff: call expand_derivatives first
}

}  // namespace

std::vector<NodeId> local_partials(Graph& graph, NodeId node) {
  const auto view = graph.arguments(node);
  const std::vector<NodeId> arguments(view.begin(),
                                      view.end());  // the pools may move while nodes are added
  switch (graph.op(node)) {
    case Op::affine: {
      const auto coefficients = graph.coefficients(node);
      const std::vector<double> values(coefficients.begin(), coefficients.end());
      std::vector<NodeId> partials;
      for (const double value : values) partials.push_back(graph.constant(value));
      return partials;
    }
    case Op::product: return product_partials(graph, arguments);
    case Op::power: {  // r u^(r-1)
      const double exponent = graph.number(node);
      return {graph.scale(exponent, graph.power(arguments[0], exponent - 1))};
    }
    case Op::quotient:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max: return binary_partials(graph, node);
    case Op::select: return select_partials(graph, arguments[0]);
    default: return {unary_partial(graph, node)};
  }
}

std::vector<NodeId> gradient(Graph& graph, NodeId root, std::span<const NodeId> wrt) {
  std::unordered_map<NodeId, NodeId> adjoint_of;
  const auto follows_edge = [&](NodeId user, NodeId) {
    check_expanded(graph, user);
    return true;
  };
  const auto at_leaf = [&](NodeId leaf, NodeId adjoint) {
    adjoint_of[leaf] = adjoint;
    return true;
  };
  ReverseSweep(graph).run(root, follows_edge, at_leaf);
  std::vector<NodeId> result;
  for (const NodeId leaf : wrt) {
    const auto found = adjoint_of.find(leaf);
    result.push_back(found == adjoint_of.end() ? graph.constant(0) : found->second);
  }
  return result;
}

std::vector<NodeId> tangent(Graph& graph, std::span<const NodeId> roots,
                            std::span<const Seed> seeds) {
  std::unordered_map<NodeId, NodeId> dot(seeds.begin(), seeds.end());
  const NodeId zero = graph.constant(0);
  const auto dot_of = [&](NodeId node) {
    const auto found = dot.find(node);
    return found == dot.end() ? zero : found->second;
  };
  for (const NodeId node : reachable(graph, roots)) {
    if (is_independent(graph, node)) continue;
    const auto view = graph.arguments(node);
    const std::vector<NodeId> arguments(view.begin(), view.end());
    bool moves = false;
    for (const NodeId argument : arguments) moves = moves || dot_of(argument) != zero;
    if (!moves) continue;
    check_expanded(graph, node);
    const std::vector<NodeId> partials = local_partials(graph, node);
    std::vector<NodeId> terms;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      terms.push_back(graph.multiply(partials[k], dot_of(arguments[k])));
    dot[node] = graph.affine(0.0, std::vector<double>(terms.size(), 1.0), terms);
  }
  std::vector<NodeId> result;
  for (const NodeId root : roots) result.push_back(dot_of(root));
  return result;
}

NodeId total_derivative(Graph& graph, NodeId root) {
  std::vector<Seed> seeds;
  for (const NodeId node : reachable(graph, {&root, 1})) {
    if (!is_independent(graph, node) || !graph.varies(node)) continue;
    seeds.emplace_back(node, graph.diff(node, 1));
  }
  return tangent(graph, {&root, 1}, seeds)[0];
}

std::vector<NodeId> expand_derivatives(Graph& graph, std::span<const NodeId> roots) {
  std::unordered_map<NodeId, NodeId> image;
  for (const NodeId node : reachable(graph, roots)) {
    NodeId rebuilt =
        rebuild_if_changed(graph, node, [&](NodeId argument) { return image.at(argument); });
    if (graph.op(node) == Op::diff && !is_independent(graph, node)) {
      rebuilt = image.at(graph.arguments(node)[0]);
      for (int k = 0; k < graph.order(node); ++k) rebuilt = total_derivative(graph, rebuilt);
    }
    image[node] = rebuilt;
  }
  std::vector<NodeId> result;
  for (const NodeId root : roots) result.push_back(image.at(root));
  return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// The sweep

namespace {

bool is_leaf(Op op) {
  return op == Op::constant || op == Op::parameter || op == Op::time || op == Op::unknown;
}

}  // namespace

void ReverseSweep::contribute(NodeId node, NodeId part) {
  if (!graph_.is_constant(part, 0.0)) parts_[node.index()].push_back(part);
}

void ReverseSweep::pass_on(NodeId node, NodeId adjoint, const FollowsEdge& follows_edge) {
  if (graph_.op(node) == Op::diff) {
    const NodeId argument = graph_.arguments(node)[0];
    if (follows_edge(node, argument)) contribute(argument, adjoint);
    return;
  }
  const auto view = graph_.arguments(node);
  const std::vector<NodeId> arguments(view.begin(), view.end());
  bool follows_any = false;
  std::vector<bool> follows;
  for (const NodeId argument : arguments) {
    follows.push_back(follows_edge(node, argument));
    follows_any = follows_any || follows.back();
  }
  if (!follows_any) return;
  const std::vector<NodeId> partials = local_partials(graph_, node);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (follows[k]) contribute(arguments[k], graph_.multiply(adjoint, partials[k]));
}

void ReverseSweep::run(NodeId root, const FollowsEdge& follows_edge, const AtLeaf& at_leaf) {
  const auto view = cone_.below(root);
  const std::vector<NodeId> nodes(view.begin(), view.end());
  if (parts_.size() <= root.index()) parts_.resize(root.index() + 1);
  parts_[root.index()].push_back(graph_.constant(1.0));
  std::vector<NodeId> parts;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const NodeId node = nodes[k];
    if (parts_[node.index()].empty()) continue;
    parts.clear();
    parts.swap(parts_[node.index()]);
    const NodeId adjoint = parts.size() == 1
                               ? parts[0]
                               : graph_.affine(0.0, std::vector<double>(parts.size(), 1.0), parts);
    const Op op = graph_.op(node);
    const bool is_derivative =
        op == Op::diff && graph_.op(graph_.arguments(node)[0]) == Op::unknown;
    if (is_leaf(op))
      at_leaf(node, adjoint);
    else if (!is_derivative || !at_leaf(node, adjoint))
      pass_on(node, adjoint, follows_edge);
  }
}

}  // namespace daedal::expr

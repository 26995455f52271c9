#include "mechanics/euler_lagrange.hpp"

#include <algorithm>
#include <unordered_map>

#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/rebuild.hpp"

namespace daedal::mechanics {
namespace {

using expr::Op;

NodeId sum_of(Graph& graph, std::span<const NodeId> terms) {
  return graph.affine(0.0, std::vector<double>(terms.size(), 1.0), terms);
}

// The partial derivatives of one scalar, by coordinate.
struct Partials {
  std::vector<NodeId> by_position;
  std::vector<NodeId> by_velocity;
};

class Differentiation {
 public:
  Differentiation(Graph& graph, std::span<const NodeId> coordinates)
      : graph_(graph), coordinates_(coordinates.begin(), coordinates.end()) {
    for (const NodeId q : coordinates_) velocities_.push_back(graph_.diff(q, 1));
  }

  const std::vector<NodeId>& velocities() const { return velocities_; }

  // One reverse sweep, along paths to coordinates and velocities only.
  Partials of(NodeId root) {
    mark_paths(root);
    adjoint_.clear();
    const auto leads_to_coordinate = [&](NodeId, NodeId argument) {
      return is_on_path_[argument.index()];
    };
    const auto keep = [&](NodeId leaf, NodeId adjoint) {
      adjoint_[leaf] = adjoint;
      return true;
    };
    expr::ReverseSweep(graph_).run(root, leads_to_coordinate, keep);
    return {adjoints_of(coordinates_), adjoints_of(velocities_)};
  }

 private:
  void mark_paths(NodeId root) {
    is_on_path_.assign(graph_.size(), false);
    for (const NodeId q : coordinates_) is_on_path_[q.index()] = true;
    for (const NodeId v : velocities_) is_on_path_[v.index()] = true;
    for (const NodeId node : expr::reachable(graph_, {&root, 1}))
      for (const NodeId argument : graph_.arguments(node))
        if (is_on_path_[argument.index()]) is_on_path_[node.index()] = true;
  }

  std::vector<NodeId> adjoints_of(std::span<const NodeId> leaves) {
    std::vector<NodeId> result;
    for (const NodeId leaf : leaves) {
      const auto found = adjoint_.find(leaf);
      result.push_back(found == adjoint_.end() ? graph_.constant(0.0) : found->second);
    }
    return result;
  }

  Graph& graph_;
  std::vector<NodeId> coordinates_;
  std::vector<NodeId> velocities_;
  std::vector<bool> is_on_path_;
  std::unordered_map<NodeId, NodeId> adjoint_;
};

// d/dt of many roots; what they share is differentiated once.
class Rates {
 public:
  explicit Rates(Graph& graph) : graph_(graph) {}

  std::vector<NodeId> of(std::span<const NodeId> roots) {
    const std::vector<NodeId> nodes = expr::reachable(graph_, roots);
    mark_needed(nodes, roots);
    for (const NodeId node : nodes)
      if (is_needed_[node.index()]) rate_[node] = rate_of(node);
    std::vector<NodeId> result;
    for (const NodeId root : roots) result.push_back(rate_.at(root));
    return result;
  }

 private:
  // From users to arguments: through sums, and to the only factor of a product that varies.
  void mark_needed(std::span<const NodeId> nodes, std::span<const NodeId> roots) {
    is_needed_.assign(graph_.size(), false);
    for (const NodeId root : roots) is_needed_[root.index()] = true;
    for (std::size_t k = nodes.size(); k-- > 0;)
      if (is_needed_[nodes[k].index()])
        for (const NodeId argument : needed_by(nodes[k])) is_needed_[argument.index()] = true;
  }

  std::vector<NodeId> needed_by(NodeId node) const {
    const auto arguments = graph_.arguments(node);
    std::vector<NodeId> needed;
    switch (graph_.op(node)) {
      case Op::affine: needed.assign(arguments.begin(), arguments.end()); break;
      case Op::product: needed = factors_of(node).varying; break;
      case Op::quotient:
        if (!graph_.varies(arguments[1])) needed = {arguments[0]};
        break;
      default: break;
    }
    const bool is_product_of_several = graph_.op(node) == Op::product && needed.size() > 1;
    return is_product_of_several ? std::vector<NodeId>() : needed;
  }

  // The factors of a product, products inside it opened.
  struct Factors {
    std::vector<NodeId> constant;
    std::vector<NodeId> varying;
  };
  Factors factors_of(NodeId product) const {
    Factors factors;
    std::vector<NodeId> open = {product};
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (graph_.op(node) == Op::product)
        open.insert(open.end(), graph_.arguments(node).begin(), graph_.arguments(node).end());
      else
        (graph_.varies(node) ? factors.varying : factors.constant).push_back(node);
    }
    return factors;
  }

  NodeId rate_of(NodeId node) {
    if (!graph_.varies(node)) return graph_.constant(0.0);
    switch (graph_.op(node)) {
      case Op::affine: return rate_of_sum(node);
      case Op::product: return rate_of_product(node);
      case Op::quotient:
        if (graph_.varies(graph_.arguments(node)[1])) break;
        return graph_.divide(rate_.at(graph_.arguments(node)[0]), graph_.arguments(node)[1]);
      default: break;
    }
    return graph_.diff(node, 1);
  }

  NodeId rate_of_sum(NodeId node) {
    const auto view = graph_.coefficients(node);
    const std::vector<double> all(view.begin(), view.end());
    std::vector<NodeId> rates;
    std::vector<double> coefficients;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const NodeId argument = graph_.arguments(node)[k];
      if (!graph_.varies(argument)) continue;
      rates.push_back(rate_.at(argument));
      coefficients.push_back(all[k]);
    }
    return graph_.affine(0.0, coefficients, rates);
  }

  NodeId rate_of_product(NodeId node) {
    const Factors factors = factors_of(node);
    const NodeId rate = factors.varying.size() == 1
                            ? rate_.at(factors.varying[0])
                            : graph_.diff(graph_.product(factors.varying), 1);
    return graph_.multiply(graph_.product(factors.constant), rate);
  }

  Graph& graph_;
  std::vector<bool> is_needed_;
  std::unordered_map<NodeId, NodeId> rate_;
};

// sum_j lambda_j C_j over constraints on positions, or over those on velocities.
NodeId weighted_constraints(Graph& graph, const System& system, bool on_velocities) {
  std::vector<NodeId> terms;
  for (const Constraint& constraint : system.constraints)
    if (constraint.is_on_velocities == on_velocities)
      terms.push_back(graph.multiply(constraint.multiplier, constraint.residual));
  return sum_of(graph, terms);
}

}  // namespace

std::vector<NodeId> prepared(Graph& graph, std::span<const NodeId> roots) {
  const std::vector<NodeId> expanded = expr::expand_derivatives(graph, roots);
  std::unordered_map<NodeId, NodeId> image;
  for (const NodeId node : expr::reachable(graph, expanded)) {
    const bool is_reciprocal =
        graph.op(node) == Op::quotient && !graph.varies(graph.arguments(node)[0]);
    if (is_reciprocal) {
      const NodeId numerator = image.at(graph.arguments(node)[0]);
      const NodeId denominator = image.at(graph.arguments(node)[1]);
      image[node] = graph.multiply(numerator, graph.power(denominator, -1.0));
    } else {
      image[node] = expr::rebuild_if_changed(graph, node,
                                             [&](NodeId argument) { return image.at(argument); });
    }
  }
  std::vector<NodeId> result;
  for (const NodeId root : expanded) result.push_back(image.at(root));
  return result;
}

std::vector<NodeId> rates_of(Graph& graph, std::span<const NodeId> roots) {
  return Rates(graph).of(roots);
}

Motion equations_of_motion(Graph& graph, const System& system) {
  Differentiation differentiation(graph, system.coordinates);
  const std::size_t n = system.coordinates.size();
  const Partials L = differentiation.of(system.function);
  const std::vector<NodeId> inertia = rates_of(graph, L.by_velocity);
  const NodeId zero = graph.constant(0.0);
  const Partials R = differentiation.of(system.dissipation.value_or(zero));
  const Partials C = differentiation.of(weighted_constraints(graph, system, false));
  const Partials C_velocity = differentiation.of(weighted_constraints(graph, system, true));

  Motion motion;
  std::vector<NodeId> powers;  // q' L_q'
  for (std::size_t i = 0; i < n; ++i) {
    const NodeId terms[] = {inertia[i], graph.negate(L.by_position[i]), C.by_position[i],
                            C_velocity.by_velocity[i], R.by_velocity[i]};
    motion.left.push_back(sum_of(graph, terms));
    powers.push_back(graph.multiply(differentiation.velocities()[i], L.by_velocity[i]));
  }
  motion.energy = graph.subtract(sum_of(graph, powers), system.function);
  return motion;
}

}  // namespace daedal::mechanics

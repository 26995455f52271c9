#include "expr/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "expr/graph.hpp"
#include "expr/rebuild.hpp"

namespace daedal::expr {
namespace {

// A root as one sum of parts that are not sums themselves, to see what cancels between sums that
// others use, too, and that therefore stay closed: (x' + y) - x' is y.
class LinearParts {
 public:
  explicit LinearParts(Graph& graph) : graph_(graph), weight_(graph.size()) {}

  // The root itself, unless something cancels; then the flat sum of what is left.
  NodeId without_cancelled(NodeId root) {
    if (graph_.op(root) != Op::affine) return root;
    collect(root);
    const bool cancels = std::any_of(reached_.begin(), reached_.end(), [&](NodeId node) {
      return graph_.op(node) != Op::affine && weight_[node.index()].is_zero();
    });
    const NodeId result = cancels ? flat_sum() : root;
    for (const NodeId node : reached_) weight_[node.index()] = {};
    return result;
  }

 private:
  struct Weight {
    double coefficient = 0.0;
    double magnitude = 0.0;
    bool is_zero() const {
      return std::abs(coefficient) <= std::numeric_limits<double>::epsilon() * magnitude;
    }
  };

  // Weights flow from users to arguments, largest node first: a node's weight is complete when its
  // turn comes.
  void collect(NodeId root) {
    constant_ = 0.0;
    reached_.clear();
    queue_.push(root.value);
    weight_[root.index()] = {1.0, 1.0};
    while (!queue_.empty()) {
      const NodeId node(queue_.top());
      queue_.pop();
      reached_.push_back(node);
      if (graph_.op(node) != Op::affine) continue;
      const Weight weight = weight_[node.index()];
      constant_ += weight.coefficient * graph_.number(node);
      const auto arguments = graph_.arguments(node);
      const auto coefficients = graph_.coefficients(node);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        Weight& below = weight_[arguments[k].index()];
        if (below.magnitude == 0.0) queue_.push(arguments[k].value);
        below.coefficient += weight.coefficient * coefficients[k];
        below.magnitude += weight.magnitude * std::abs(coefficients[k]);
      }
    }
  }

  NodeId flat_sum() {
    std::vector<NodeId> arguments;
    std::vector<double> coefficients;
    for (const NodeId node : reached_) {
      if (graph_.op(node) == Op::affine || weight_[node.index()].is_zero()) continue;
      arguments.push_back(node);
      coefficients.push_back(weight_[node.index()].coefficient);
    }
    return graph_.affine(constant_, coefficients, arguments);
  }

  Graph& graph_;
  std::vector<Weight> weight_;
  std::vector<NodeId> reached_;
  std::priority_queue<std::uint32_t> queue_;
  double constant_ = 0.0;
};

class Simplifier {
 public:
  Simplifier(const Graph& from, std::span<const NodeId> roots)
      : from_(from),
        to_(std::make_unique<Graph>()),
        image_(from.size()),
        is_absorbed_(from.size(), false) {
    copy_leaves();
    const std::vector<NodeId> nodes = reachable(from, roots);
    find_absorbed(nodes, roots);
    for (const NodeId node : nodes) {
      if (is_absorbed_[node.index()]) continue;
      to_->set_position(from.position(node));
      image_[node.index()] = rebuild(node);
    }
  }

  Simplified finish(std::span<const NodeId> roots) {
    std::vector<NodeId> images;
    LinearParts parts(*to_);
    for (const NodeId root : roots) images.push_back(parts.without_cancelled(image_[root.index()]));
    return {std::move(to_), std::move(images)};
  }

 private:
  void copy_leaves() {
    for (std::size_t k = 0; k < from_.num_unknowns(); ++k)
      to_->add_unknown(from_.name(UnknownId(k)));
    for (std::size_t k = 0; k < from_.num_parameters(); ++k)
      to_->add_parameter(from_.name(ParameterId(k)));
  }

  // A sum used once, by a sum, dissolves into its user; so does a product used once by a product.
  void find_absorbed(std::span<const NodeId> nodes, std::span<const NodeId> roots) {
    std::vector<std::uint32_t> num_uses(from_.size(), 0);
    for (const NodeId root : roots) num_uses[root.index()] += 2;  // a root keeps its node
    for (const NodeId node : nodes)
      for (const NodeId argument : from_.arguments(node)) ++num_uses[argument.index()];
    for (const NodeId node : nodes) {
      if (!is_nest(from_.op(node))) continue;
      for (const NodeId argument : from_.arguments(node))
        if (num_uses[argument.index()] == 1 && from_.op(argument) == from_.op(node))
          is_absorbed_[argument.index()] = true;
    }
  }

  static bool is_nest(Op op) { return op == Op::affine || op == Op::product; }

  NodeId rebuild(NodeId node) {
    if (from_.op(node) == Op::affine) return rebuild_affine(node);
    if (from_.op(node) == Op::product) return rebuild_product(node);
    return rebuild_in(*to_, from_, node, [&](NodeId argument) { return image_[argument.index()]; });
  }

  NodeId rebuild_affine(NodeId node) {
    double constant = 0.0;
    coefficients_.clear();
    arguments_.clear();
    pending_.assign(1, {node, 1.0});
    while (!pending_.empty()) {
      const auto [sum, factor] = pending_.back();
      pending_.pop_back();
      constant += factor * from_.number(sum);
      const auto arguments = from_.arguments(sum);
      const auto coefficients = from_.coefficients(sum);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (is_absorbed_[arguments[k].index()]) {
          pending_.push_back({arguments[k], factor * coefficients[k]});
        } else {
          arguments_.push_back(image_[arguments[k].index()]);
          coefficients_.push_back(factor * coefficients[k]);
        }
      }
    }
    return to_->affine(constant, coefficients_, arguments_);
  }

  NodeId rebuild_product(NodeId node) {
    arguments_.clear();
    pending_.assign(1, {node, 1.0});
    while (!pending_.empty()) {
      const NodeId product = pending_.back().node;
      pending_.pop_back();
      for (const NodeId argument : from_.arguments(product)) {
        if (is_absorbed_[argument.index()])
          pending_.push_back({argument, 1.0});
        else
          arguments_.push_back(image_[argument.index()]);
      }
    }
    return to_->product(arguments_);
  }

  struct Pending {
    NodeId node;
    double factor;
  };

  const Graph& from_;
  std::unique_ptr<Graph> to_;
  std::vector<NodeId> image_;
  std::vector<bool> is_absorbed_;
  std::vector<Pending> pending_;
  std::vector<double> coefficients_;
  std::vector<NodeId> arguments_;
};

}  // namespace

Simplified simplify(const Graph& graph, std::span<const NodeId> roots) {
  return Simplifier(graph, roots).finish(roots);
}

}  // namespace daedal::expr

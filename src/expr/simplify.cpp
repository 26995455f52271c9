#include "expr/simplify.hpp"

#include "expr/reachable.hpp"
#include "expr/rebuild.hpp"

namespace daedal::expr {
namespace {

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
    for (const NodeId root : roots) images.push_back(image_[root.index()]);
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

#include "init/lost_digits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace daedal::init {
namespace {

using expr::NodeId;
using expr::Op;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double rounding_of_values = 4 * eps;  // what a search leaves in them
constexpr double two_digits = 1e-2;             // a value with fewer is none

class RunningError {
 public:
  RunningError(const expr::Graph& graph, std::span<const NodeId> roots, const expr::Point& point)
      : graph_(graph),
        nodes_(expr::reachable(graph, roots)),
        values_(graph.size(), 0.0),
        errors_(values_),
        decides_(graph.size(), false) {
    if (std::ranges::none_of(nodes_, [&](NodeId node) { return can_lose_digits(node); })) return;
    std::vector<double> scratch;
    for (const NodeId node : nodes_) {
      values_[node.index()] = expr::value_at(graph, node, point, values_, scratch);
      errors_[node.index()] = error_of(node);
    }
    mark_what_decides(roots);
  }

  NodeId lost_digits() const {
    const auto is_lost = [&](NodeId node) {
      return decides_[node.index()] && (is_zero_by_zero(node) || is_any_angle(node));
    };
    const auto found = std::ranges::find_if(nodes_, is_lost);
    return found == nodes_.end() ? NodeId() : *found;
  }

 private:
  bool can_lose_digits(NodeId node) const {
    return graph_.op(node) == Op::quotient || is_periodic(node);
  }

  bool is_periodic(NodeId node) const {
    const Op op = graph_.op(node);
    return op == Op::sin || op == Op::cos || op == Op::tan;
  }

  bool is_zero_by_zero(NodeId node) const {
    return graph_.op(node) == Op::quotient &&
           std::ranges::all_of(graph_.arguments(node),
                               [&](NodeId argument) { return is_rounding(argument); });
  }

  bool is_any_angle(NodeId node) const {
    return is_periodic(node) && errors_[graph_.arguments(node)[0].index()] >= two_digits;
  }

  bool is_rounding(NodeId node) const {
    return std::abs(values_[node.index()]) * two_digits <= errors_[node.index()];
  }

  // The error of a node's value: that of an unknown is what a search leaves in it; that of an
  // operation is the rounding of its result plus the changes that errors of its arguments make.
  double error_of(NodeId node) {
    const double value = values_[node.index()];
    const auto arguments = graph_.arguments(node);
    if (graph_.op(node) == Op::unknown || graph_.op(node) == Op::diff)
      return rounding_of_values * std::abs(value);
    if (arguments.empty()) return 0.0;
    if (graph_.op(node) == Op::affine) return error_of_sum(node);
    double error = eps * std::abs(value);
    arguments_.clear();
    for (const NodeId argument : arguments) arguments_.push_back(values_[argument.index()]);
    for (std::size_t k = 0; k < arguments.size(); ++k) error += passed_on(node, k, value);
    return error;
  }

  double error_of_sum(NodeId node) const {
    double error = eps * std::abs(graph_.number(node));
    for (std::size_t k = 0; k < graph_.arguments(node).size(); ++k) {
      const std::size_t argument = graph_.arguments(node)[k].index();
      error += std::abs(graph_.coefficients(node)[k]) *
               (errors_[argument] + eps * std::abs(values_[argument]));
    }
    return error;
  }

  double passed_on(NodeId node, std::size_t k, double value) {
    const double error = errors_[graph_.arguments(node)[k].index()];
    if (error == 0.0) return 0.0;
    const double argument = arguments_[k];
    double largest = 0.0;
    for (const double other : {argument + error, argument - error}) {
      arguments_[k] = other;
      const double change = std::abs(expr::apply(graph_, node, arguments_) - value);
      largest = std::max(largest, change);  // beyond the edge of a domain: not a number, no change
    }
    arguments_[k] = argument;
    return largest;
  }

  // A branch that is not taken decides nothing.
  void mark_what_decides(std::span<const NodeId> roots) {
    for (const NodeId root : roots) decides_[root.index()] = true;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (!decides_[node->index()]) continue;
      const auto arguments = graph_.arguments(*node);
      if (graph_.op(*node) == Op::select) {
        const bool is_first = values_[arguments[0].index()] != 0.0;
        decides_[arguments[0].index()] = decides_[arguments[is_first ? 1 : 2].index()] = true;
        continue;
      }
      for (const NodeId argument : arguments) decides_[argument.index()] = true;
    }
  }

  const expr::Graph& graph_;
  std::vector<NodeId> nodes_;  // arguments first
  std::vector<double> values_, errors_;
  std::vector<bool> decides_;
  std::vector<double> arguments_;
};

}  // namespace

NodeId lost_digits(const expr::Graph& graph, std::span<const NodeId> roots,
                   const expr::Point& point) {
  return RunningError(graph, roots, point).lost_digits();
}

}  // namespace daedal::init

// The expression graph: hash-consed, append-only, arguments before users. Equal expressions are one
// node.
//
// Nodes are stored flat; a node's arguments and coefficients are ranges of two pools. NodeIds
// ascend from arguments to users, so that every sweep over a graph is a loop over ids and nothing
// ever recurses.
//
// Recording applies the canonical forms that need no knowledge of the rest of the graph (constant
// folding, sign pulled out of differences, x*x -> x^2, nested scalings merged). Flattening of
// nested sums and products needs use counts and is done once per model by simplify().
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expr/node.hpp"

namespace daedal::expr {

// Where a node was first written in the model text; line 0 is "unknown".
struct SourcePosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Graph {
 public:
  Graph();
  Graph& operator=(const Graph&) = delete;
  // Another graph with the same nodes, of the same ids.
  std::unique_ptr<Graph> copy() const { return std::unique_ptr<Graph>(new Graph(*this)); }

  // Leaves. A parameter or unknown is a new leaf at every call; its name is for messages and
  // printing.
  NodeId constant(double value);
  NodeId time();
  NodeId add_parameter(std::string name);
  NodeId add_unknown(std::string name);

  // Operations; each returns the canonical node, which may be an existing one or a constant.
  NodeId add(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId negate(NodeId a);
  NodeId multiply(NodeId a, NodeId b);
  NodeId divide(NodeId a, NodeId b);
  NodeId scale(double factor, NodeId a);
  NodeId power(NodeId base, double exponent);
  NodeId pow(NodeId base, NodeId exponent);
  NodeId diff(NodeId a, int order);
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);  // atan2, min, max
  NodeId select(NodeId condition, NodeId then, NodeId otherwise);

  // c_0 + sum coefficients[k] * arguments[k], and the product of all arguments, in any order,
  // repetitions allowed.
  NodeId affine(double constant, std::span<const double> coefficients,
                std::span<const NodeId> arguments);
  NodeId product(std::span<const NodeId> arguments);

  // Reading.
  std::size_t size() const { return nodes_.size(); }
  // While one of these lives, operations are not counted as recorded.
  class Uncounted {
   public:
    explicit Uncounted(Graph& graph) : graph_(graph), before_(graph.num_recorded_) {}
    ~Uncounted() { graph_.num_recorded_ = before_; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

   private:
    Graph& graph_;
    std::uint64_t before_;
  };
  std::uint64_t num_recorded() const {
    return num_recorded_;
  }  // operations asked for, before any sharing
  Op op(NodeId node) const { return nodes_[node.index()].op; }
  std::span<const NodeId> arguments(NodeId node) const;
  std::span<const double> coefficients(
      NodeId node) const;                // affine: c_1 ... c_m, matching the arguments
  double number(NodeId node) const;      // constant: value; affine: c_0; power: exponent
  int order(NodeId node) const;          // diff: k
  UnknownId unknown(NodeId node) const;  // unknown only
  ParameterId parameter(NodeId node) const;
  bool is_constant(NodeId node) const { return op(node) == Op::constant; }
  bool is_constant(NodeId node, double value) const;

  std::size_t num_unknowns() const { return unknown_names_.size(); }
  std::size_t num_parameters() const { return parameter_names_.size(); }
  const std::string& name(UnknownId id) const { return unknown_names_[id.index()]; }
  const std::string& name(ParameterId id) const { return parameter_names_[id.index()]; }
  NodeId node(UnknownId id) const { return unknown_nodes_[id.index()]; }
  NodeId node(ParameterId id) const { return parameter_nodes_[id.index()]; }

  // Does the node's value change with time, for some values of the unknowns? False for numbers and
  // parameters.
  bool varies(NodeId node) const { return nodes_[node.index()].varies; }

  // Nodes created from now on carry this position; a shared node keeps its first.
  void set_position(SourcePosition position) { position_ = position; }
  SourcePosition position(NodeId node) const { return positions_[node.index()]; }

 private:
  Graph(const Graph&) = default;

  struct Node {
    Op op;
    bool varies = false;
    std::uint32_t first_argument = 0;
    std::uint32_t num_arguments = 0;
    std::uint32_t first_coefficient = 0;
    std::uint32_t payload = 0;  // diff: order; unknown, parameter: id
    double number = 0.0;
  };

  struct Term {
    NodeId node;
    double coefficient;
  };

  NodeId intern(Node node, std::span<const NodeId> arguments,
                std::span<const double> coefficients = {});
  NodeId intern(Op op, std::initializer_list<NodeId> arguments, double number = 0.0);
  NodeId append(const Node& node, std::span<const NodeId> arguments,
                std::span<const double> coefficients);
  bool equals(const Node& stored, const Node& node, std::span<const NodeId> arguments,
              std::span<const double> coefficients) const;
  void grow_table();

  // The operations without counting them as recorded.
  NodeId sum(NodeId a, double factor, NodeId b);  // a + factor*b
  NodeId scaled(double factor, NodeId a);
  NodeId powered(NodeId base, double exponent);
  NodeId differentiated(NodeId a, int order);
  NodeId relation(Op op, NodeId a);

  Term as_scaled(NodeId node) const;
  void collect(double factor, NodeId node, double& constant);
  NodeId affine_of_terms(double constant);
  void merge_equal_terms();
  NodeId product_of_factors(double factor);
  void collect_factor(NodeId node, double& factor);
  bool can_merge(NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  std::vector<SourcePosition> positions_;
  std::vector<NodeId> argument_pool_;
  std::vector<double> coefficient_pool_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t>
      table_;  // open addressing, linear probing; entry = node index + 1, 0 = free
  std::vector<std::string> unknown_names_;
  std::vector<std::string> parameter_names_;
  std::vector<NodeId> unknown_nodes_;
  std::vector<NodeId> parameter_nodes_;
  SourcePosition position_;
  std::uint64_t num_recorded_ = 0;
  std::vector<Term> terms_;      // scratch of the sum being built
  std::vector<NodeId> factors_;  // scratch of the product being built
  std::vector<NodeId> sorted_arguments_;
  std::vector<double> sorted_coefficients_;
};

// Every node that a root depends on, roots included, ascending (arguments before users), each once.
std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots);

// What reachable() gives, for many roots one after another, at the cost of each root's own part
// only: the marks are kept and reused.
class Cone {
 public:
  explicit Cone(const Graph& graph) : graph_(graph), stamp_(graph.size(), 0) {}

  // Valid until the next call. Nodes added to the graph after construction are accepted.
  std::span<const NodeId> below(NodeId root);

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t round_ = 0;
  std::vector<NodeId> found_;
};

}  // namespace daedal::expr

// Values: of one operation, which is said here and nowhere else, and of a graph's nodes at a point.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

// v^r. Small integer exponents by repeated squaring, so that x^2 is x*x to the last bit; others by
// std::pow.
// Real is double or long double.
template <typename Real>
Real apply_power(Real base, double exponent);
// Whether it needs square roots, products and reciprocals only.
bool is_root_or_product(double exponent);

template <typename Real>
Real apply_unary(Op op, Real argument);

// The value of any operation but leaves and diff, given its arguments' values: IEEE doubles in, a
// double out.
double apply(const Graph& graph, NodeId node, std::span<const double> arguments);

struct Point {
  double time = 0.0;
  std::span<const double> parameters;  // by ParameterId
  std::function<double(UnknownId, int order)>
      unknown;  // value of a derivative; order 0 is the unknown itself
};

// The value of an operation, or a leaf, of which the arguments have theirs in `values`, by node;
// `scratch` is memory to work in. NaN for the derivative of a composite expression.
double value_at(const Graph& graph, NodeId node, const Point& point, std::span<const double> values,
                std::vector<double>& scratch);

// Values of roots, one after another, at the cost of each root's own part of the graph. Derivatives
// of composite expressions need series (taylor/) or expand_derivatives.
class Evaluator {
 public:
  explicit Evaluator(const Graph& graph) : graph_(graph), cone_(graph) {}

  // NaN where the derivative of a composite expression would be needed.
  double value(NodeId root, const Point& point);

 private:
  const Graph& graph_;
  Cone cone_;
  std::vector<double> values_;
  std::vector<double> arguments_;
};

// Values of the same roots at one point after another: what roots share is computed once, and
// nothing is searched for again.
class SharedEvaluator {
 public:
  // Keeps a reference to the graph, which may grow.
  SharedEvaluator(const Graph& graph, std::span<const NodeId> roots)
      : graph_(graph), nodes_(reachable(graph, roots)) {}

  void evaluate(const Point& point);
  // At the last point; of one of the roots, or of what they need.
  double value(NodeId node) const { return values_[node.index()]; }

 private:
  const Graph& graph_;
  std::vector<NodeId> nodes_;  // arguments first
  std::vector<double> values_;
  std::vector<double> arguments_;
};

}  // namespace daedal::expr

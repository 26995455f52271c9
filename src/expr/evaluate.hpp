// Values of a graph's nodes at a point. Derivatives of composite expressions need series (taylor/)
// or expand_derivatives.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "expr/reachable.hpp"

namespace daedal::expr {

struct Point {
  double time = 0.0;
  std::span<const double> parameters;  // by ParameterId
  std::function<double(UnknownId, int order)>
      unknown;  // value of a derivative; order 0 is the unknown itself
};

// Values of roots, one after another, at the cost of each root's own part of the graph.
class Evaluator {
 public:
  explicit Evaluator(const Graph& graph) : graph_(graph), cone_(graph) {}

  // NaN where the derivative of a composite expression would be needed.
  double value(NodeId root, const Point& point);

 private:
  double value_of(NodeId node, const Point& point);

  const Graph& graph_;
  Cone cone_;
  std::vector<double> values_;
  std::vector<double> arguments_;
};

}  // namespace daedal::expr

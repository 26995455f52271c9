// Bounds of guards on a step, from bounds of what they depend on: cheap, and enough to see that a
// guard far from zero stays so (docs/theory/hybrid.md, H2).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/range.hpp"
#include "solution/step.hpp"

namespace daedal::hybrid {

using expr::NodeId;
using expr::Range;

// Bounds of x^(order) on a step.
Range range_of(solution::Polynomial x, int order, double scale, double end);

class GuardBounds {
 public:
  // Roots are copied to a graph of its own.
  GuardBounds(const expr::Graph& graph, std::span<const NodeId> guards);

  bool is_empty() const { return roots_.empty(); }
  // The value of one of them where unknowns and their derivatives have these values.
  double value(int guard, const expr::Point& point) const;
  // Whether some guard may be zero between the step's begin and end.
  bool may_be_zero(const solution::StepView& step, const solution::StepLayout& layout,
                   const std::vector<double>& parameters);

 private:
  Range range(NodeId node, const solution::StepView& step, const solution::StepLayout& layout,
              const std::vector<double>& parameters) const;

  std::unique_ptr<expr::Graph> graph_;
  std::vector<NodeId> roots_;
  std::vector<NodeId> nodes_;  // that the roots need, arguments first
  std::vector<Range> ranges_;  // by node
};

}  // namespace daedal::hybrid

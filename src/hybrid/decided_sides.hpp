// Conditions within conditions: in min(2, if x > 1 then 5 else 0.5) the side of x - 1 decides that
// of the min. Sides are decided in the order in which guards depend on each other, inner ones
// first, and an outer guard is never read from values on which the inner one has not been decided
// (docs/theory/hybrid.md, H1).
#pragma once

#include <vector>

#include "hybrid/guards.hpp"

namespace daedal::hybrid {

class DecidedSides {
 public:
  // Keeps references.
  DecidedSides(const model::ModelData& model, const Guards& guards);

  // Replaces the side of each guard that is a number once the guards inside it have the sides
  // given. A guard that depends on the solution, or on a guard that slides, keeps its side.
  void decide(Sides& sides, const std::vector<double>& parameters);

  // Whether the guard is another function where one of these has the other side.
  bool changes_with(int guard, const std::vector<int>& others) const;

 private:
  struct Nested {
    int guard;
    std::vector<NodeId> cone;  // what its function is made of, arguments first
    std::vector<int> inside;   // guards of its conditions
  };

  double value(NodeId node, const Sides& sides, const std::vector<double>& parameters);

  const expr::Graph& graph_;
  const Guards& guards_;
  std::vector<Nested> nested_;  // guards with guards inside them, inner ones first
  std::vector<double> values_;  // by node; NaN where sides alone do not decide it
  std::vector<double> arguments_;
};

}  // namespace daedal::hybrid

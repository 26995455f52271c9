// Conditions within conditions: in min(2, if x > 1 then 5 else 0.5) the side of x - 1 decides that
// of the min. Sides are decided in the order in which guards depend on each other, inner ones
// first, and an outer guard is never read from values on which the inner one has not been decided
// (docs/theory/hybrid.md, H1).
#pragma once

#include <functional>
#include <vector>

#include "expr/evaluate.hpp"
#include "hybrid/guards.hpp"

namespace daedal::hybrid {

class DecidedSides {
 public:
  // Keeps references.
  DecidedSides(const model::ModelData& model, const Guards& guards);

  // Whether there are conditions within conditions.
  bool has_nested() const { return !nested_.empty(); }

  // Replaces the side of each guard that is a number once the guards inside it have the sides
  // given. A guard that depends on the solution, or on a guard that slides, keeps its side.
  void decide(Sides& sides, const std::vector<double>& parameters);

  // Decides the guards that have become other functions because guards inside them, those in
  // `changed`, have changed their sides. The values of unknowns at the point decide, too; a guard
  // whose value `is_near` zero, or is not known, gets the side that it has in `before`.
  void decide_around(std::vector<int> changed, Sides& sides, const Sides& before,
                     const expr::Point& point, const std::function<bool(double)>& is_near);

 private:
  struct Nested {
    int guard;
    std::vector<NodeId> cone;  // what its function is made of, arguments first
    std::vector<int> inside;   // guards of its conditions
  };

  double value_of(const Nested& nested, const Sides& sides, const expr::Point& point);
  double value(NodeId node, const Sides& sides, const expr::Point& point);
  double unknown(NodeId node, const expr::Point& point) const;

  const expr::Graph& graph_;
  const Guards& guards_;
  std::vector<Nested> nested_;  // guards with guards inside them, inner ones first
  std::vector<double> values_;  // by node; NaN where sides alone do not decide it
  std::vector<double> arguments_;
};

}  // namespace daedal::hybrid

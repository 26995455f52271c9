// Equations of any order written in order one: x'' becomes v' with x' = v, for the array methods,
// which are formulated for f(x', x, t) = 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "reduce/array/derivative_array.hpp"

namespace daedal::reduce {

struct FirstOrderForm {
  std::unique_ptr<expr::Graph> graph;
  std::vector<NodeId> residuals;   // the equations given, then x^(m)' - x^(m+1) = 0
  std::vector<NodeId> conditions;  // initial equations given
  std::vector<Place> meaning;      // by unknown: the derivative that it is; the given ones first

  std::vector<int> first_new;  // by given unknown j: x_j' is this unknown, x_j'' the next, ...
  std::vector<int> highest;    // by given unknown: its highest derivative in the equations

  int num_given() const { return static_cast<int>(highest.size()); }
  int num_unknowns() const { return static_cast<int>(meaning.size()); }
  // The unknown that is derivative `order` of unknown j, or -1 if it is that of no unknown.
  int unknown_of(int j, int order) const {
    if (order == 0) return j;
    return order < highest[j] ? first_new[j] + order - 1 : -1;
  }
};

// Composite derivatives are expanded; unknowns keep their ids, new ones follow. Conditions may
// contain derivatives of any order.
FirstOrderForm first_order_form(const expr::Graph& graph, std::span<const NodeId> residuals,
                                std::span<const NodeId> conditions);

}  // namespace daedal::reduce

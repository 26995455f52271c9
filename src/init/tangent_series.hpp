// Derivatives of Taylor coefficients with respect to lower ones, by shifts of the series of partial
// derivatives [EstevezLamour2019, sec. 5.1].
//
// With (u)_m for coefficient m of u, and f a function of derivatives x^(q),
//
//   d (f)_m / d (x^(q))_l                   = (df/dx^(q))_{m-l}                            rule C3
//   d2 (f)_m / d (x^(q))_l d (y^(s))_r      = (d2f/dx^(q)dy^(s))_{m-l-r}                   rule C4
//
// because a change of u by h t^l changes f(u) by (df/du) h t^l + O(h^2). And (x^(q))_l = p!/l!
// (x)_p with p = l + q. So the series of the partials, which are nodes like any others, give all
// derivatives of all coefficients.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "taylor/interpreter.hpp"

namespace daedal::init {

using expr::NodeId;

// df/dx_j^(q) as a node.
struct Partial {
  int unknown = 0;
  int order = 0;
  NodeId value;
};

// d2f/dx_j^(q)dx_k^(s) as a node. Each unordered pair of places once.
struct SecondPartial {
  int unknown = 0, order = 0;
  int other_unknown = 0, other_order = 0;
  NodeId value;
};

// The nonzero partials of a root with expanded derivatives, by one reverse sweep.
std::vector<std::vector<Partial>> partials_of(expr::Graph& graph, std::span<const NodeId> roots);

// The nonzero second partials, from the first.
std::vector<std::vector<SecondPartial>> second_partials_of(
    expr::Graph& graph, const std::vector<std::vector<Partial>>& partials);

// Series of some nodes up to one order, evaluated together.
class SeriesOf {
 public:
  SeriesOf(expr::Graph& graph, std::span<const NodeId> nodes, int order)
      : tape_(graph, nodes, order), interpreter_(tape_) {}
  SeriesOf(const SeriesOf&) = delete;
  SeriesOf& operator=(const SeriesOf&) = delete;

  void run(const taylor::SeriesPoint& point) { interpreter_.run(point); }
  double coefficient(NodeId node, int k) const { return interpreter_.coefficient(node, k); }
  std::vector<NodeId> undefined_operations() const { return interpreter_.undefined_operations(); }

 private:
  taylor::Tape tape_;
  taylor::Interpreter interpreter_;
};

// p!/(p - q)!, the factor from (x)_p to (x^(q))_{p-q}; p >= q.
double falling_factorial(int p, int q);

// Calls visit(unknown, p, value) for the terms of the derivatives of (f)_m by (x_j)_p, rule C3. A
// place (j, p) can come several times; the terms add up.
template <typename Series, typename Visit>
void visit_gradient(const std::vector<Partial>& partials, const Series& series, int m,
                    Visit visit) {
  for (const Partial& partial : partials)
    for (int l = 0; l <= m; ++l) {
      const int p = l + partial.order;
      visit(partial.unknown, p,
            series.coefficient(partial.value, m - l) * falling_factorial(p, partial.order));
    }
}

// Calls visit(unknown, p, other_unknown, r, value) for the terms of the second derivatives of
// (f)_m, rule C4: both triangles, to be added up.
template <typename Series, typename Visit>
void visit_hessian(const std::vector<SecondPartial>& partials, const Series& series, int m,
                   Visit visit) {
  for (const SecondPartial& partial : partials) {
    const bool is_same =
        partial.unknown == partial.other_unknown && partial.order == partial.other_order;
    for (int l = 0; l <= m; ++l)
      for (int r = 0; l + r <= m; ++r) {
        const int p = l + partial.order, t = r + partial.other_order;
        const double value = series.coefficient(partial.value, m - l - r) *
                             falling_factorial(p, partial.order) *
                             falling_factorial(t, partial.other_order);
        visit(partial.unknown, p, partial.other_unknown, t, value);
        if (!is_same) visit(partial.other_unknown, t, partial.unknown, p, value);
      }
  }
}

}  // namespace daedal::init

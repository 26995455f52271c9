// Switches: guards whose sides only change numbers in a mode's equations. Such a side is an input
// of the mode, as a parameter is, and no part of what the mode is (docs/theory/hybrid.md, H11).
//
//   if g > 0 then a else b     p a + q b      p, q = 1, 0 or 0, 1
//   abs(v)                     s v            s = -1, 0, 1
//   sign(v)                    s
//
// where a, b and v are polynomials of unknowns, their derivatives and time, with numbers that are
// finite: then the branch that is not taken is finite wherever the solution is, and 0 times it
// is 0.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "expr/evaluate.hpp"
#include "hybrid/guards.hpp"
#include "structure/structure.hpp"

namespace daedal::hybrid {

// An input of a mode: the value of a parameter that was added to the model, by the guard's side.
struct SwitchInput {
  int guard = 0;
  std::array<double, 3> by_side = {};  // minus, zero, plus
  double at(Side side) const { return by_side[static_cast<std::size_t>(side)]; }
};

class Switches {
 public:
  // Finds the candidates among the guards of a model, as far as they can be judged without its
  // structure. Keeps a reference to the model's graph.
  Switches(const model::ModelData& model, const Guards& guards);

  // By guard: those that can be switches with these values of the parameters.
  std::vector<bool> possible(const std::vector<double>& parameters);

 private:
  struct Number {  // in a branch of this guard
    int guard;
    NodeId node;
    bool is_divisor;
  };
  struct Candidates {
    std::vector<bool> is_candidate;  // by guard
    std::vector<Number> numbers;     // of candidates
  };
  static std::vector<NodeId> nodes_of(const std::vector<Number>& numbers);
  static Candidates candidates_of(const model::ModelData& model, const Guards& guards);
  Switches(const expr::Graph& graph, Candidates candidates);

  Candidates candidates_;
  expr::SharedEvaluator values_;
};

// The one guard that a condition depends on, if the condition is a relation, a parameter, or the
// negation of one of these; else -1.
int single_guard(const expr::Graph& graph, const Guards& guards, NodeId condition);
// Whether such a condition holds where its guard has this side.
bool holds_on(const expr::Graph& graph, const Guards& guards, NodeId condition, Side side);

// The guards, ascending, that are no switches in a model that has them as inputs: on which an entry
// of the system Jacobian may depend, d f_i / d x_j^(d_j - c_i). Inputs are the last parameters of
// the graph, in their order.
std::vector<int> guards_in_jacobian(const expr::Graph& graph, std::span<const NodeId> residuals,
                                    const structure::Structure& structure,
                                    const std::vector<SwitchInput>& inputs);

}  // namespace daedal::hybrid

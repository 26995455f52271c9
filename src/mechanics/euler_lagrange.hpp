// The equations of motion of a mechanical system from its Lagrangian, as graphs
// (docs/theory/lagrangian.md):
//
//   d/dt L_q' - L_q + sum_j lambda_j a_j + R_q' = Q,   a_j = dC_j/dq, or dC_j/dq' for a constraint
//                                                      on velocities        [Pryce2018, eq. (15)]
//
// One reverse sweep of L gives all L_q and L_q', one of sum_j lambda_j C_j all constraint forces.
// d/dt stays a node of the graph; it is only moved inwards over constant factors and sums.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::mechanics {

using expr::Graph;
using expr::NodeId;

// Derivatives of composite expressions as written by the user, in terms of derivatives of unknowns;
// and c/v as c v^-1 where c does not vary, so that potentials such as m/sqrt(s) are differentiated
// as one power of s.
std::vector<NodeId> prepared(Graph& graph, std::span<const NodeId> roots);

struct Constraint {
  NodeId residual;  // C = left - right, prepared
  NodeId multiplier;
  bool is_on_velocities = false;
};

struct System {
  NodeId function;                  // L, prepared
  std::vector<NodeId> coordinates;  // q: unknowns of the graph
  std::vector<Constraint> constraints;
  std::optional<NodeId> dissipation;  // Rayleigh's R, prepared
};

struct Motion {
  std::vector<NodeId> left;  // by coordinate: the left side of the equation above
  NodeId energy;             // sum q' L_q' - L
};

Motion equations_of_motion(Graph& graph, const System& system);

// d root/dt: sums term by term, constant factors outside, what is left as derivatives of
// expressions.
std::vector<NodeId> rates_of(Graph& graph, std::span<const NodeId> roots);

}  // namespace daedal::mechanics

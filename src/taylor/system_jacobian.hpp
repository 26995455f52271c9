// The system Jacobian of the Sigma-method as a sparse matrix of graph nodes:
//   J_ij = d f_i / d x_j^(sigma_ij) where d_j - c_i = sigma_ij, else 0        [Pryce2018, eq. (6)],
//   [Nedialkov2009, sec. 2.1]
#pragma once

#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "structure/structure.hpp"

namespace daedal::taylor {

struct JacobianEntry {
  int equation;
  int unknown;
  expr::NodeId value;
};

// Which entries: all, or those of the diagonal (fine) blocks, which decide whether J is regular and
// are all that solving block by block needs. What is outside them can be costly: n equations that
// use a large expression of earlier unknowns would each differentiate it.
enum class JacobianPart { all, diagonal_blocks };

// One reverse sweep per equation. d^k e/dt^k passes its adjoint on to e unchanged, because
// d(e^(k))/d(x^(q+k)) = de/dx^(q) for the highest derivative x^(q) in e (Griewank's lemma,
// [NedialkovPryce2007]); so nothing is differentiated in t here. Adds nodes to the graph. Entries
// are ordered by equation.
std::vector<JacobianEntry> system_jacobian(expr::Graph& graph,
                                           std::span<const expr::NodeId> residuals,
                                           const structure::Structure& structure,
                                           JacobianPart part = JacobianPart::all);

}  // namespace daedal::taylor

// A highest-value transversal: one place in each row and column of Sigma, with the largest sum of
// orders [Pryce2001].
//
// Places outside the irreducible diagonal blocks lie on no transversal, so each block is an
// assignment problem of its own. It is solved together with its dual,
//   maximise  sum of sigma over T;
//   minimise  sum q_j - sum p_i   subject to   q_j - p_i >= sigma_ij,
// by shortest augmenting paths [JonkerVolgenant1987], all unmatched equations searching at once.
// docs/theory/structural-analysis.md bounds the number of rounds by 2 sqrt(n max(sigma)).
#pragma once

#include <vector>

#include "structure/signature_matrix.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

// q_j - p_i >= sigma_ij for the entries in the diagonal blocks, with equality on the transversal.
// Entries elsewhere may violate it.
struct Assignment {
  std::vector<int> unknown_of;  // T, by equation
  std::vector<int> p;           // potential of each equation, any sign
  std::vector<int> q;           // potential of each unknown
};

// `blocks` are the irreducible blocks of the pattern of sigma.
Assignment highest_value_assignment(const SignatureMatrix& sigma, const std::vector<Block>& blocks);

}  // namespace daedal::structure

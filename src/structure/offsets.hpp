// Canonical offsets: the element-wise smallest c >= 0, d with d_j - c_i >= sigma_ij, equality on T
// [Pryce2001], [Pryce2018, sec. 2]. With i' = T^-1(j), that is the longest path
//   c_i' = max(0, max over entries (i, j) of  c_i + sigma_ij - sigma_i'j)                rule S1
// (docs/theory/structural-analysis.md). An equation's offset depends on its own and on later blocks
// only; so the blocks are done from last to first, and inside a block the potentials of the
// assignment turn the longest path into a shortest one with non-negative lengths.
#pragma once

#include <vector>

#include "structure/assignment.hpp"
#include "structure/signature_matrix.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

struct Offsets {
  std::vector<int> c;  // of equations
  std::vector<int> d;  // of unknowns
};

Offsets canonical_offsets(const SignatureMatrix& sigma, const std::vector<Block>& blocks,
                          const Assignment& assignment);

}  // namespace daedal::structure

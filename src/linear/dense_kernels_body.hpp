// The loops of dense_kernels.hpp; see the head of vectors_body.hpp. One lane and more have loops of
// their own; both follow these rules, and this file chooses between them.
//
// Elimination, step k, rule D1: p = the row not yet chosen with the largest |a_ik|, compared
// without the bits that number rows; of equals the first. r = 1/a_pk; for rows i not yet chosen
// l_i = a_ik r,
//   a_ij -= l_i a_pj  for all j != k, columns j < k holding L^-1;   column k becomes -l, 1 in row
//   p.
// Inverse of U, rule D2: W_jj = r_j, W_ij = -(sum_{k=i..j-1} W_ik u_kj, k ascending) r_j.
// Solve, rule D3: a product's row is the sum over j of X_ij b_j in four parts by j mod 4, each in
// ascending order, put together as (s_0 + s_1) + (s_2 + s_3). Terms known to vanish may be added or
// left out: one part starts from +0, so not even the sign of a zero depends on them.
// Condition, rule D4: of the rows of |W| |L^-1| the first with the largest sum is w; then
// the sum over j of |sum_{i>=j} W_wi (L^-1)_ij|, i ascending. Sums of |L^-1| begin with the
// diagonal.
#include "linear/dense_kernels.hpp"
#include "linear/dense_lane_kernels_body.hpp"
#include "linear/dense_row_kernels_body.hpp"

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {

DenseKernels dense_kernels(int size, int lanes) {
  if (lanes == 1) return row_kernels(size);
#ifdef __AVX512F__
  if (lanes > 4) return {8, factorise_lanes<8>, solve_lanes<8>};
#endif
  return {4, factorise_lanes<4>, solve_lanes<4>};
}

}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

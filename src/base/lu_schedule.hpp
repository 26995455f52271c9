// Sparse LU with given pivots as a flat program (docs/theory/linear-solves.md, rules S1-S3): which
// number is subtracted from which, in which order. Plain data, so that it can be interpreted here
// or compiled elsewhere to the same operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/linear_solver.hpp"
#include "base/sparse_kernels.hpp"

namespace daedal::base {

// Rows in the order of the pivots: k is the row row_of[k] and the column column_of[k] of A.
// P S A Q = L D V, L and V with unit diagonal. One array holds the factors: slots of L, slots of V,
// then the pivots D (after factorisation their reciprocals).
//
// A row's slots are its chunks of `chunk` slots each, unused ones first, at zero.
struct LuSchedule {
  static constexpr int chunk = 2;

  // y_i = s_i b_i - sum l_ij y_j by chunks: y[chunk_row] -= factor[slot] * y[source], slot by slot.
  // y and s are indexed by rows of A. Nearest dependencies come last.
  struct Substitution {
    std::vector<std::int32_t> row;     // by chunk
    std::vector<std::int32_t> source;  // by slot
  };

  int size = 0;
  int version = 0;  // differs for each schedule made
  std::vector<std::int32_t> row_of, column_of;

  int num_lower = 0, num_upper = 0;  // slots
  int diagonal() const { return num_lower + num_upper; }
  int num_slots() const { return diagonal() + size; }

  // Factorisation. Entry e of A goes, scaled, to slot target[e]; then level by level
  //   factor[to] -= factor[left] * factor[right]      for all updates,
  //   r_k = 1 / factor[diagonal + k],                 for its pivots,
  //   factor[slot] *= r_k                             for its rows of V;
  // at last factor[slot] *= r_j for all slots of L.
  std::vector<std::int32_t> target;  // by entry
  std::vector<std::int32_t> to, left, right;
  std::vector<std::int32_t> pivot_order;           // k
  std::vector<std::int32_t> scaled, scaled_pivot;  // slots of V and their k
  std::vector<std::int32_t> scaled_column;         // of A, for the growth of the factors
  std::vector<std::int32_t> lower_slot, lower_pivot;
  std::vector<LuLevel> levels;

  // x: y as above; z[column_of[k]] = y[row_of[k]] r_k; z_i -= sum v_ij z_j by chunks. z is indexed
  // by columns of A.
  Substitution lower, upper;
};

// What a solve costs, roughly in cycles: operations, or the longest chain of them, whichever is
// more.
double substitution_cost(int size, std::span<const Place> entries,
                         std::span<const std::int32_t> row_of,
                         std::span<const std::int32_t> column_of);

// For a matrix with these entries (no place twice) and pivots.
LuSchedule make_lu_schedule(int size, std::span<const Place> entries,
                            std::vector<std::int32_t> row_of, std::vector<std::int32_t> column_of);

}  // namespace daedal::base

// Sparse LU with given pivots as a flat program (docs/theory/linear-solves.md, rules S1-S3): which
// number is subtracted from which, in which order. Plain data, so that it can be interpreted here
// or compiled elsewhere to the same operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/linear_solver.hpp"
#include "linear/sparse_kernels.hpp"

namespace daedal::linear {

// Rows in the order of the pivots: k is the row row_of[k] and the column column_of[k] of A.
// P S A Q = L D V, L and V with unit diagonal. One array holds the factors: slots of L, slots of V,
// and the reciprocals of the pivots. A row's slots of L or V come in chunks of `chunk`; unused ones
// come first and are zero.
struct LuSchedule {
  static constexpr int chunk = 2;

  int size = 0;
  int version = 0;  // differs for each schedule made
  std::vector<std::int32_t> row_of, column_of;
  int permutation_sign = 1;  // of both together

  int num_lower = 0, num_upper = 0;  // slots
  int diagonal() const { return num_lower + num_upper; }
  int num_slots() const { return diagonal() + size; }

  // Factorisation, rule S1. Entry e of A goes, scaled, to slot target[e]; then level by level
  //   f[to] -= f[left] * f[right]                  for its updates,
  //   f[diagonal + k] = 1 / f[diagonal + k]        for its pivots,
  //   f[slot] *= f[diagonal + k]                   for its slots of V, `scaled`;
  // at last f[slot] *= f[diagonal + k] for all slots of L.
  std::vector<std::int32_t> target;  // by entry
  std::vector<std::int32_t> to, left, right;
  std::vector<std::int32_t> pivot_order;                          // k
  std::vector<std::int32_t> scaled, scaled_pivot, scaled_column;  // slot, its k, its column of A
  std::vector<std::int32_t> lower_slot, lower_pivot;
  std::vector<LuLevel> levels;

  // Solve, rules S2 and S3: y_i = s_i b_i; y[row] -= f[slot] * y[source] for the slots of L, one
  // after the other; z[column_of[k]] = y[row_of[k]] f[diagonal + k]; z[row] -= f[slot] * z[source]
  // for those of V. y is indexed by rows of A, z by columns. Rows are taken by their depth, and
  // within a row what is known last comes last.
  struct Substitution {
    std::vector<std::int32_t> row;     // by chunk
    std::vector<std::int32_t> source;  // by slot
  };
  Substitution lower, upper;
};

// Where the scales of the rows stand after the factors, both with so many lanes: at a cache line.
inline int place_of_scales(const LuSchedule& schedule, int lanes) {
  constexpr int line = 8;
  return (schedule.num_slots() * lanes + line - 1) / line * line;
}

// What a solve costs, roughly in cycles: operations, or the longest chain of them, whichever is
// more.
double substitution_cost(int size, std::span<const Place> entries,
                         std::span<const std::int32_t> row_of,
                         std::span<const std::int32_t> column_of);

// For a matrix with these entries (no place twice) and pivots.
LuSchedule make_lu_schedule(int size, std::span<const Place> entries,
                            std::vector<std::int32_t> row_of, std::vector<std::int32_t> column_of);

}  // namespace daedal::linear

// Dense LU with inverted factors, the loops. Compiled once for each instruction set of x86-64; all
// of them, and all numbers of lanes, give the same bits (docs/theory/linear-solves.md, rule D).
#pragma once

#include <cstdint>

namespace daedal::linear {

// Below this part of the largest a pivot is rounding error of the entries it came from.
inline constexpr double smallest_pivot_ratio = 1e-15;

// P S A = L U. T = L^-1 P S and W = U^-1 are kept; x = W (T b).
//
// One lane: vectors run along rows. T and W are stored by columns of `stride` doubles; the rows of
// T are where their pivots were found (row p_k holds row k of L^-1 P S), so rows are never
// exchanged. More lanes: vectors run along lanes, in groups; a row-major matrix for each group
// holds T below and W above the diagonal, rows in the order of the pivots.
struct DenseFactors {
  int size = 0;
  int lanes = 1;
  int group_width = 1;
  int stride = 0;       // one lane: doubles in a column, at least `size`
  int num_columns = 0;  // one lane: a multiple of 4
  // Place -> column * stride + row (one lane) or row * size + column. Of places given repeatedly
  // the first has the target, the others a spare one after the matrix; they are added afterwards.
  int num_places = 0, num_repeated = 0;
  const std::int32_t *target = nullptr, *repeated = nullptr, *repeated_target = nullptr;
  double* matrix = nullptr;      // one lane: T. More: T and W
  double* upper = nullptr;       // one lane: W. More: diagonal of T
  double* work = nullptr;        // one lane: U
  double* scale = nullptr;       // by row: brings its largest entry into [1, 2)
  double* reciprocal = nullptr;  // of the pivots, in their order
  double* scratch = nullptr;     // one lane: scratch_columns of `stride`. More: two rows of a group
  std::int64_t* row = nullptr;   // p_k. More lanes: p_k * lanes + lane, the place in b
  double* norm = nullptr;        // by lane: largest row sum of S A
  double* condition = nullptr;   // by lane, if regular
  bool* is_negative = nullptr;   // by lane: the determinant, if regular
  bool* is_uniform = nullptr;    // more lanes, [group][k]: p_k is the same in all of them
  bool* is_regular = nullptr;    // by lane
  // scale, reciprocal, row: [k], or for more lanes [group][k][lane in group]; there `scale` ends up
  // in the order of the pivots.
};

inline constexpr int scratch_columns = 5;

struct DenseKernels {
  int group_width = 1;  // lanes in a vector of lanes
  void (*factorise)(DenseFactors&, const double* values) = nullptr;
  void (*solve)(const DenseFactors&, double* b) = nullptr;
};

// Those for the best instruction set of this machine.
DenseKernels dense_kernels(int size, int lanes);

// Doubles in a vector of rows.
constexpr int row_vector(int size) { return size <= 2 ? 2 : size <= 4 ? 4 : 8; }

namespace baseline {
DenseKernels dense_kernels(int size, int lanes);
}
namespace avx2 {
DenseKernels dense_kernels(int size, int lanes);
}
namespace avx512 {
DenseKernels dense_kernels(int size, int lanes);
}

}  // namespace daedal::linear

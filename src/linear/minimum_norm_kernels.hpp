// Solutions of least norm of small systems, the loops. Compiled once for each instruction set; all
// of them, and all numbers of lanes, give the same bits (docs/theory/linear-solves.md, rules Q).
#pragma once

#include <cstdint>

namespace daedal::linear {

// S A = L Q, L with unit diagonal, the rows q_k of Q orthogonal but not of length 1.
//
// One lane: vectors run along rows, which are `stride` doubles long, zeros at the end. More lanes:
// vectors run along lanes, in groups: [group][...][lane in group].
struct MinimumNormFactors {
  int num_rows = 0, num_columns = 0;
  int lanes = 1;
  int group_width = 1;
  int stride = 0;  // one lane: a multiple of 4. More: num_columns
  // Place -> row * stride + column (see PlaceTargets).
  int num_places = 0, num_repeated = 0;
  const std::int32_t *target = nullptr, *repeated = nullptr, *repeated_target = nullptr;
  double* q = nullptr;           // S A, then Q; and the spare place
  double* lower = nullptr;       // L_ik at k * num_rows + i
  double* scale = nullptr;       // by row: a power of two, 1 if squares are in range
  double* reciprocal = nullptr;  // 1/|q_k|^2
  double* removed = nullptr;     // by row: |a_i|^2 - |q_i|^2
  double *y = nullptr, *x = nullptr;
  bool* is_regular = nullptr;  // by lane
};

struct MinimumNormKernels {
  int group_width = 1;
  void (*factorise)(const MinimumNormFactors&, const double* values) = nullptr;
  void (*solve)(const MinimumNormFactors&, const double* b, double* x) = nullptr;
};

// Those for the best instruction set of this machine.
MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes);

namespace baseline {
MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes);
}
namespace avx2 {
MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes);
}
namespace avx512 {
MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes);
}

}  // namespace daedal::linear

// Is a square matrix singular to working precision?
//
// An ill-conditioned matrix is not a singular one, and pivots look alike in both: a floating
// network of 2000 nodes has a smallest pivot of 1e-11, a regular matrix may have one of 1e-77
// because of its units. So a suspect must confess: a vector v is computed that should be mapped to
// zero, and A is singular if every row of A v cancels to rounding,
//
//   |A v|_i <= sum_j (8 error_ij + tau |A_ij|) |v_j|   for all i,
//
// or if the same holds for a combination of rows. The test does not depend on the scaling of rows.
#pragma once

#include <vector>

namespace daedal::linear {

struct Triplet {
  int row;
  int column;
  long double value;
  long double error = 0;  // bound of what rounding did to the value before it came here
};

struct RankVerdict {
  bool is_singular = false;
  double pivot_ratio = 1.0;                     // smallest over largest pivot, after scaling
  std::vector<double> row_combination = {};     // if singular: w with w^T A = 0, largest entry 1
  std::vector<double> column_combination = {};  // if singular: v with A v = 0, largest entry 1
};

// Up to size `largest_dense` by dense LU with full pivoting in long double, tau = 64 size eps =
// 7e-18 size; above by sparse LU in double (KLU) with inverse iteration, tau = 1e-13. Rows and
// columns are scaled to largest entry 1 first. Repeated places are added up.
RankVerdict judge_rank(int size, const std::vector<Triplet>& entries);

inline constexpr int largest_dense = 150;

}  // namespace daedal::linear

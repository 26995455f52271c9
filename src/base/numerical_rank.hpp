// Is a small or sparse square matrix singular to working precision?
#pragma once

#include <vector>

namespace daedal::base {

struct Triplet {
  int row;
  int column;
  double value;
  double error = 0.0;  // bound of what rounding did to the value before it came here
};

struct RankVerdict {
  bool is_singular = false;
  double pivot_ratio = 1.0;  // smallest over largest pivot, rows and columns equilibrated
  std::vector<double> row_combination =
      {};  // if singular and small: w with w^T A = 0, largest entry 1
  std::vector<double> column_combination =
      {};  // if singular and small: v with A v = 0, largest entry 1
};

// Rows and columns are scaled to largest entry 1 first, so that units do not matter. Dense with
// full pivoting up to size `largest_dense`, where the ratio is a reliable measure; sparse LU (KLU)
// above. Repeated places are added up. Singular means pivot_ratio <= size * 1e-13 (dense) or 1e-13
// (sparse): rounding leaves about size * 1e-16 of an exact zero, and a regular equilibrated matrix
// from a model is rarely below 1e-10. Errors that the entries bring along raise the threshold.
RankVerdict judge_rank(int size, const std::vector<Triplet>& entries);

inline constexpr int largest_dense = 150;

}  // namespace daedal::base

// In which order to eliminate [ H G^T; G 0 ].
//
// A multiplier has a zero on the diagonal, and where H is small its entries are no pivots either:
// each step must take an entry of G, and a sparse LU that finds this out on the way leaves the
// order chosen before and fills up. So each row r of G is paired with an unknown c of it first,
// with an entry that is not small; then the pairs, with two pivots G_rc each, and the single
// unknowns are ordered by minimum degree, as one node each. If H_cc is large instead, the two swap
// their pivots inside of the pair, which fills nothing.
#pragma once

#include <Eigen/Sparse>
#include <vector>

namespace daedal::init {

// Pivot k is the entry (rows[k], columns[k]) unless it is too small.
struct KktOrder {
  std::vector<int> rows, columns;
};

// `matrix` has the pattern of [ H G^T; G 0 ], zeros of G left out.
KktOrder order_kkt(const Eigen::SparseMatrix<double>& matrix,
                   const Eigen::SparseMatrix<double, Eigen::RowMajor>& G);

// An unknown for as many rows of G as a short search finds one for: by row, -1 for none. No unknown
// serves twice.
std::vector<int> pair_rows(const Eigen::SparseMatrix<double, Eigen::RowMajor>& G);

}  // namespace daedal::init

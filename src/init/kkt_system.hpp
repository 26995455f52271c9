// The sparse linear systems of the search,
//
//   [ H   G^T ] [ p ]   [ a ]
//   [ G    0  ] [ q ] = [ b ],
//
// by sparse LU (KLU) and iterative refinement. If rows of G depend on each other the matrix is
// singular; then -delta I in place of 0 is factorised, which is regular for every positive definite
// H (quasi-definite), while the refinement is still that of the system without it: dependent rows
// that agree do no harm, those that contradict each other get a compromise.
#pragma once

#include <Eigen/Sparse>
#include <memory>
#include <span>
#include <vector>

#include "init/constraint_system.hpp"

namespace daedal::init {

// In which order to eliminate [ H G^T; G 0 ].
//
// A multiplier has a zero on the diagonal, and where H is small its entries are no pivots either:
// each step must take an entry of G, and a sparse LU that finds this out on the way leaves the
// order chosen before and fills up. So each row r of G is paired with an unknown c of it first,
// with an entry that is not small; then the pairs, with two pivots G_rc each, and the single
// unknowns are ordered by minimum degree, as one node each. If H_cc is large instead, the two swap
// their pivots inside of the pair, which fills nothing.

// Pivot k is the entry (rows[k], columns[k]) unless it is too small.
struct KktOrder {
  std::vector<int> rows, columns;
};

// `matrix` has the pattern of [ H G^T; G 0 ], zeros of G left out.
KktOrder order_kkt(const Eigen::SparseMatrix<double>& matrix, const RowMatrix& G);

// An unknown for as many rows of G as a short search finds one for: by row, -1 for none. No unknown
// serves twice.
std::vector<int> pair_rows(const RowMatrix& G);

class KktSystem {
 public:
  // `hessian`: terms of H, added up. Rows of G should have norm 1. False if the factors are of no
  // use.
  bool factorise(const std::vector<Triplet>& hessian, const RowMatrix& jacobian);

  // G alone, for a square system that has one solution: G p = b, whatever the norm. The rows and
  // columns to use are given; block triangular matrices are solved block by block, so that small
  // unknowns keep their digits beside large ones.
  bool factorise_square(const RowMatrix& jacobian, const std::vector<int>& rows,
                        const std::vector<int>& columns);
  // The solution of the square system for residuals by row of `jacobian`, zero elsewhere.
  Vector solve_square(const Vector& b) const;

  struct Solution {
    Vector p, q;
  };
  Solution solve(const Vector& a, const Vector& b) const;

  KktSystem();
  ~KktSystem();
  KktSystem(const KktSystem&) = delete;
  KktSystem& operator=(const KktSystem&) = delete;

 private:
  struct Factors;  // KLU's
  // Without an order: by blocks, each in KLU's own order.
  bool factorise(Eigen::SparseMatrix<double>& matrix, const KktOrder* order);
  bool is_well_posed() const;

  Eigen::SparseMatrix<double> matrix_;  // without delta; H divided by its size
  double size_of_hessian_ = 1.0;
  Eigen::Index num_unknowns_ = 0;
  std::unique_ptr<Factors> factors_;
  std::vector<int> rows_, columns_;  // of the square system
};

// Terms of diag(d).
std::vector<Triplet> diagonal(const Vector& d);

}  // namespace daedal::init

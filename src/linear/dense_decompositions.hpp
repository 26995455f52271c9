// Decompositions of dense matrices (Eigen), compiled once, in dense_decompositions.cpp: they take a
// compiler longer than the files that use them.
#pragma once

#include <Eigen/Dense>

extern template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
extern template class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
extern template class Eigen::PartialPivLU<Eigen::MatrixXd>;

namespace daedal::linear {

// A = U diag(values) V^T, largest values first; NaN if A is not finite.
//
// By Jacobi's rotations: Eigen's divide and conquer (3.4) is wrong, or NaN, for one in dozens of
// matrices of size 16 or more with several equal values, which is what projectors have.
class SingularValues {
 public:
  SingularValues() = default;
  // vectors: Eigen::ComputeThinU, ComputeFullV, ...; those not named are empty.
  explicit SingularValues(const Eigen::MatrixXd& matrix, unsigned vectors = 0) {
    compute(matrix, vectors);
  }

  void compute(const Eigen::MatrixXd& matrix, unsigned vectors);

  const Eigen::VectorXd& values() const { return values_; }
  const Eigen::MatrixXd& U() const { return U_; }
  const Eigen::MatrixXd& V() const { return V_; }

 private:
  Eigen::VectorXd values_;
  Eigen::MatrixXd U_, V_;
};

}  // namespace daedal::linear

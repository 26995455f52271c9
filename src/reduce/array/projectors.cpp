#include "reduce/array/projectors.hpp"

#include <algorithm>

namespace daedal::reduce {
namespace {

constexpr Eigen::Index largest_svd = 100;  // above, a pivoted QR decomposition decides on ranks

// Rank and, by columns, an orthonormal basis of ker A.
struct Kernel {
  int rank = 0;
  Matrix basis;
};

int rank_of(const Eigen::VectorXd& sizes, double& gap) {
  if (sizes.size() == 0 || !(sizes[0] > 0.0)) return 0;
  Eigen::Index rank = 0;
  while (rank < sizes.size() && sizes[rank] > rank_threshold * sizes[0]) ++rank;
  if (rank < sizes.size()) gap = std::max(gap, sizes[rank] / sizes[rank - 1]);
  return static_cast<int>(rank);
}

Kernel kernel_by_svd(const Matrix& A, double& gap) {
  const linear::SingularValues svd(A, Eigen::ComputeFullV);
  const int rank = rank_of(svd.values(), gap);
  return {rank, svd.V().rightCols(A.cols() - rank)};
}

// A^T = Q R: the last columns of Q.
Kernel kernel_by_qr(const Matrix& A, double& gap) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(A.transpose());
  const Eigen::VectorXd pivots = qr.matrixR().diagonal().cwiseAbs();
  const int rank = rank_of(pivots, gap);
  Matrix basis = Matrix::Zero(A.cols(), A.cols() - rank);
  if (basis.cols() == 0) return {rank, std::move(basis)};
  basis.bottomRows(A.cols() - rank).setIdentity();
  basis.applyOnTheLeft(qr.householderQ());
  return {rank, std::move(basis)};
}

Kernel kernel_of(const Matrix& A, double& gap) {
  if (A.rows() == 0 || A.cols() == 0) return {0, Matrix::Identity(A.cols(), A.cols())};
  return std::max(A.rows(), A.cols()) <= largest_svd ? kernel_by_svd(A, gap) : kernel_by_qr(A, gap);
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix result(above.rows() + below.rows(), above.cols());
  result << above, below;
  return result;
}

// Onto ker [Q; W2 C], which is the part of im P on which C z0 = 0 can be met by moving Q z0.
Matrix free_projector(const Matrix& Q, const Matrix& C, int& rank_W2, double& gap) {
  const Matrix U2 = left_kernel(C * Q, gap);
  rank_W2 = static_cast<int>(U2.cols());
  return kernel_projector(stacked(Q, U2.transpose() * C), gap);
}

int rank_of_projector(const Matrix& P) { return static_cast<int>(std::lround(P.trace())); }

Matrix matrix_B(const ArrayMatrices& array, const Matrix& P) {
  const Eigen::Index n = P.rows(), size = n + array.G1.rows();
  Matrix B = Matrix::Zero(size, size);
  B.topLeftCorner(n, n) = P;
  B.bottomLeftCorner(array.G0.rows(), n) = array.G0;
  B.bottomRightCorner(array.G1.rows(), array.G1.cols()) = array.G1;
  return B;
}

}  // namespace

Matrix left_kernel(const Matrix& A, double& gap) {
  if (A.cols() == 0) return Matrix::Identity(A.rows(), A.rows());
  return kernel_of(A.transpose(), gap).basis;
}

Matrix kernel_projector(const Matrix& A, double& gap) {
  const Matrix basis = kernel_of(A, gap).basis;
  return basis * basis.transpose();
}

Projectors projectors_of(const ArrayMatrices& array) {
  const Eigen::Index n = array.A.cols();
  Projectors result;
  result.Q = kernel_projector(array.A, result.gap);
  result.P = Matrix::Identity(n, n) - result.Q;
  result.rank_Q = rank_of_projector(result.Q);
  result.rank_P = static_cast<int>(n) - result.rank_Q;

  const Matrix U1 = left_kernel(array.G1, result.gap);
  const Matrix C = U1.transpose() * array.G0;
  result.rank_W1 = static_cast<int>(U1.cols());
  result.num_open = static_cast<int>(n) - kernel_of(stacked(result.P, C), result.gap).rank;
  result.is_one_full = result.num_open == 0;
  result.has_full_row_rank = kernel_of(C.transpose(), result.gap).basis.cols() == 0;
  result.Pi = free_projector(result.Q, C, result.rank_W2, result.gap);
  result.rank_Pi = rank_of_projector(result.Pi);

  // Conditions count as far as they are independent of C: rank [C; U] - rank C.
  int rank_W2 = 0;
  const Matrix with_conditions = stacked(C, array.U);
  result.rank_U = kernel_of(with_conditions, result.gap).rank - kernel_of(C, result.gap).rank;
  result.is_admissible = result.rank_U == array.U.rows();
  result.Pi_u = free_projector(result.Q, with_conditions, rank_W2, result.gap);
  result.rank_Pi_u = rank_of_projector(result.Pi_u);
  return result;
}

Eigen::VectorXd singular_values(const ArrayMatrices& array, const Matrix& P) {
  return linear::SingularValues(matrix_B(array, P)).values();
}

Eigen::VectorXd weakest_direction(const ArrayMatrices& array, const Matrix& P, int rank) {
  return linear::SingularValues(matrix_B(array, P), Eigen::ComputeFullV).V().col(rank - 1);
}

ArrayCondition condition_of(const ArrayMatrices& array, const Matrix& P) {
  double gap = 0.0;
  const Eigen::VectorXd sizes = singular_values(array, P);
  const int rank = rank_of(sizes, gap);
  return {sizes[0], rank > 0 ? sizes[rank - 1] : 0.0, rank};
}

int num_determined(const ArrayMatrices& array, const Matrix& P) {
  constexpr double vanishes = 1e-7;
  double gap = 0.0;
  const Eigen::Index n = P.rows();
  const Matrix kernel = kernel_of(matrix_B(array, P), gap).basis;
  Eigen::Index count = 0;
  while ((count + 1) * n <= kernel.rows() &&
         (kernel.cols() == 0 || kernel.middleRows(count * n, n).cwiseAbs().maxCoeff() < vanishes))
    ++count;
  return static_cast<int>(count);
}

}  // namespace daedal::reduce

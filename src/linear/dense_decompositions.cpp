#include "linear/dense_decompositions.hpp"

#include <limits>

template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
template class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
template class Eigen::PartialPivLU<Eigen::MatrixXd>;

namespace daedal::linear {

void SingularValues::compute(const Eigen::MatrixXd& matrix, unsigned vectors) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, vectors);
  values_ = svd.singularValues();
  if (svd.computeU()) U_ = svd.matrixU();
  if (svd.computeV()) V_ = svd.matrixV();
  if (!matrix.allFinite()) values_.fill(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace daedal::linear

#include "reduce/array/array_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::reduce {
namespace {

constexpr int most_iterations = 12;
// A factorisation serves while the steps shrink at least this much.
constexpr double good_contraction = 0.1;
// Pivots below this part of the largest are nothing but rounding.
constexpr double rounding = 1e-15;
constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

ArraySolver::ArraySolver(FirstOrderForm& form, const std::vector<double>& parameters,
                         const std::vector<double>& nominals, int index, int dof,
                         bool has_full_row_rank, int order)
    : parameters_(parameters),
      nominals_(nominals),
      num_unknowns_(form.num_unknowns()),
      dof_(dof),
      threshold_(has_full_row_rank ? rounding : rank_threshold),
      order_(order),
      size_(std::max(index, 1) + order),
      array_(*form.graph, form.residuals, std::vector<int>(form.residuals.size(), size_ - 1),
             Entries::coefficients),
      coefficients_(static_cast<std::size_t>(array_.num_columns())) {}

void ArraySolver::read(const Prediction& at, const Vector& z) {
  double power = 1.0;
  for (int m = 0; m <= array_.highest_order(); ++m, power *= at.scale)
    for (int j = 0; j < num_unknowns_; ++j)
      coefficients_[array_.column(j, m)] = z[m * num_unknowns_ + j] / power;
}

void ArraySolver::evaluate(const Prediction& at, const Vector& z) {
  read(at, z);
  array_.evaluate({at.t, parameters_, coefficients_});
  for (int row = 0; row < array_.num_rows(); ++row)
    residual_[row] = row_scale_[row] * array_.values()[row];
}

void ArraySolver::linearise(const Prediction& at, const Vector& z) {
  read(at, z);
  array_.linearise({at.t, parameters_, coefficients_});
  const int n = num_unknowns_, rows = array_.num_rows(), columns = n * (size_ + 1);
  Matrix transposed = Matrix::Zero(columns, rows);
  const SparseRows& J = array_.jacobian();
  std::vector<double> powers(static_cast<std::size_t>(size_) + 1, 1.0);
  for (int m = 1; m <= size_; ++m) powers[m] = powers[m - 1] / at.scale;
  row_scale_.resize(rows);
  residual_.resize(rows);
  for (int row = 0; row < rows; ++row) {
    auto column = transposed.col(row);
    for (int e = J.starts[row]; e < J.starts[row + 1]; ++e)
      column[J.columns[e]] = J.values[e] * nominals_[J.columns[e] % n] * powers[J.columns[e] / n];
    const double norm = column.norm();
    row_scale_[row] = norm > 0.0 ? 1.0 / norm : 1.0;
    column *= row_scale_[row];
    residual_[row] = row_scale_[row] * array_.values()[row];
  }
  double gap = 0.0;
  const Matrix A = transposed.block(n, 0, n, n).transpose();
  P_ = Matrix::Identity(n, n) - kernel_projector(A, gap);
  qr_.setThreshold(threshold_);
  qr_.compute(transposed);
  rank_ = static_cast<int>(qr_.rank());
  kernel_ = Matrix::Zero(columns, columns - rank_);
  kernel_.bottomRows(columns - rank_).setIdentity();
  kernel_.applyOnTheLeft(qr_.householderQ());
  along_.compute(P_ * kernel_.topRows(n), Eigen::ComputeThinU | Eigen::ComputeThinV);
}

// In nominal values: the shortest solution of J d = -G, then along the kernel to the nearest point.
Vector ArraySolver::step(const Vector& alpha, const Vector& z) const {
  const int n = num_unknowns_;
  const Vector right = qr_.colsPermutation().transpose() * (-residual_);
  Vector d = Vector::Zero(kernel_.rows());
  d.head(rank_) = qr_.matrixR()
                      .topLeftCorner(rank_, rank_)
                      .triangularView<Eigen::Upper>()
                      .transpose()
                      .solve(right.head(rank_));
  d.applyOnTheLeft(qr_.householderQ());
  Vector away(n);
  for (int j = 0; j < n; ++j) away[j] = (alpha[j] - z[j]) / nominals_[j] - d[j];
  // As many of the kernel's directions change P x0 as there are degrees of freedom, whatever their
  // size; the others are rounding.
  const int count = std::min(dof_, static_cast<int>(along_.values().size()));
  const Vector moves = (along_.U().leftCols(count).transpose() * (P_ * away))
                           .cwiseQuotient(along_.values().head(count));
  d += kernel_ * (along_.V().leftCols(count) * moves);
  return d;
}

// The size of a step in the coefficients that the array determines.
double ArraySolver::size_of(const Vector& step, const Vector& z) const {
  double largest = 0.0;
  for (int k = 0; k < (order_ + 1) * num_unknowns_; ++k) {
    const int j = k % num_unknowns_;
    largest = std::max(largest, std::abs(step[k]) / (1.0 + std::abs(z[j]) / nominals_[j]));
  }
  return largest;
}

ArraySolver::Found ArraySolver::solve(const Prediction& prediction, double small) {
  Found found;
  found.z = prediction.z;
  const Vector alpha = prediction.z.head(num_unknowns_);
  double last = std::numeric_limits<double>::infinity();
  bool is_factorised = false;
  for (; found.num_iterations < most_iterations; ++found.num_iterations) {
    if (is_factorised) {
      evaluate(prediction, found.z);
    } else {
      linearise(prediction, found.z);
      ++found.num_factorisations;
    }
    found.is_finite = residual_.allFinite() && kernel_.allFinite();
    if (!found.is_finite) return found;
    const Vector d = step(alpha, found.z);
    const double size = size_of(d, found.z);
    found.is_finite = d.allFinite();
    if (!found.is_finite) return found;
    const bool is_stuck = is_factorised && size > good_contraction * last;
    if (!(is_stuck && size > small)) {
      for (int k = 0; k < d.size(); ++k) found.z[k] += d[k] * nominals_[k % num_unknowns_];
    }
    if (size <= small || (is_stuck && size <= 1e3 * small) || size <= 16 * eps) {
      found.is_converged = true;
      break;
    }
    is_factorised = !is_stuck;
    last = size;
  }
  evaluate(prediction, found.z);
  found.residual = residual_.cwiseAbs().maxCoeff();
  return found;
}

Vector scaled_coefficients(const std::vector<std::vector<double>>& derivatives, int count,
                           double scale) {
  const auto n = static_cast<int>(derivatives.size());
  Vector z = Vector::Zero(n * count);
  for (int j = 0; j < n; ++j) {
    const int known = std::min(static_cast<int>(derivatives[j].size()), count);
    double power = 1.0;
    for (int m = 0; m < known; ++m, power *= scale / m) z[m * n + j] = derivatives[j][m] * power;
  }
  return z;
}

Vector shifted(const Vector& z, int num_unknowns, int degree, double s, double ratio) {
  // Horner's scheme, repeated: synthetic division by (x - s).
  Vector result = z;
  const auto block = [&](int m) { return result.segment(m * num_unknowns, num_unknowns); };
  for (int i = 0; i < degree; ++i)
    for (int m = degree - 1; m >= i; --m) block(m) += s * block(m + 1);
  double power = 1.0;
  for (int m = 0; m <= degree; ++m, power *= ratio) block(m) *= power;
  result.tail(result.size() - (degree + 1) * num_unknowns).setZero();
  return result;
}

}  // namespace daedal::reduce

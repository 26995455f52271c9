#include "reduce/array/array_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::reduce {
namespace {

constexpr int most_iterations = 12;
// A factorisation serves while the steps shrink at least this much.
constexpr double good_contraction = 0.1;
constexpr double eps = std::numeric_limits<double>::epsilon();
// Newton's method converges quadratically: after a step of this size the next is rounding.
constexpr double settled = 1.5e-8;
constexpr int most_damped = 40;  // iterations for one size of the array
constexpr double undamped = 1.0, shortest_part = 1e-3;
// The x0 of a start is known, its derivatives are not: of steps that are equally long as far as
// these go, one that moves x0 counts as so many times longer.
constexpr double firmness = 1e3;

}  // namespace

ArraySolver::ArraySolver(FirstOrderForm& form, const std::vector<double>& parameters,
                         const std::vector<double>& nominals, int index, int dof,
                         bool has_full_row_rank, int order)
    : parameters_(parameters),
      nominals_(nominals),
      num_unknowns_(form.num_unknowns()),
      index_(std::max(index, 1)),
      dof_(dof),
      threshold_(has_full_row_rank ? rounding : rank_threshold),
      order_(order),
      size_(index_ + order),
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
  for (int row = 0; row < residual_.size(); ++row)
    residual_[row] = row_scale_[row] * array_.values()[row];
}

// The first `size` blocks, which contain coefficients up to that order.
void ArraySolver::linearise(const Prediction& at, const Vector& z, int size, double weight) {
  read(at, z);
  array_.linearise({at.t, parameters_, coefficients_});
  const int n = num_unknowns_, rows = n * size, columns = n * (size + 1);
  Matrix transposed = Matrix::Zero(columns, rows);
  const SparseRows& J = array_.jacobian();
  std::vector<double> powers(static_cast<std::size_t>(size) + 1, 1.0);
  for (int m = 1; m <= size; ++m) powers[m] = powers[m - 1] / at.scale;
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
  weight_ = weight;
  transposed.topRows(n) *= weight;
  qr_.setThreshold(threshold_);
  qr_.compute(transposed);
  rank_ = static_cast<int>(qr_.rank());
  kernel_ = Matrix::Zero(columns, columns - rank_);
  kernel_.bottomRows(columns - rank_).setIdentity();
  kernel_.applyOnTheLeft(qr_.householderQ());
  kernel_.topRows(n) *= weight;
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
  d.head(n) *= weight_;
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

// The size of a step in the coefficients that the array determines, as far as it is felt.
double ArraySolver::size_of(const Vector& step, const Prediction& at) const {
  const double ratio = std::min(1.0, std::abs(at.reach / at.scale));
  double largest = 0.0, power = 1.0;
  for (int m = 0; m <= order_; ++m, power *= ratio)
    for (int j = 0; j < num_unknowns_; ++j) {
      const double size = power * std::abs(step[m * num_unknowns_ + j]);
      largest = std::max(largest, size / (1.0 + std::abs(at.z[j]) / nominals_[j]));
    }
  return largest;
}

// Rule A9. Where the prediction leaves a residual in rows of high order the Jacobian is not that of
// the solution, and may have lost its rank.
ArraySolver::Found ArraySolver::solve(const Prediction& prediction, double small) {
  Found found = iterate(prediction, prediction.z, small);
  if (found.is_converged && is_regular() && found.residual <= settled) return found;
  Found other;
  other.z = prediction.z;
  const bool is_near = climb(prediction, 1.0, other);
  if (is_near) other = continued(prediction, other, small);
  if (other.is_converged) return other;
  found.num_factorisations += other.num_factorisations;
  found.num_iterations += other.num_iterations;
  return found;
}

ArraySolver::Found ArraySolver::continued(const Prediction& prediction, const Found& near,
                                          double small) {
  Found found = iterate(prediction, near.z, small);
  found.num_factorisations += near.num_factorisations;
  found.num_iterations += near.num_iterations;
  return found;
}

ArraySolver::Found ArraySolver::iterate(const Prediction& prediction, const Vector& z,
                                        double small) {
  Found found;
  found.z = z;
  const Vector alpha = prediction.z.head(num_unknowns_);
  double last = std::numeric_limits<double>::infinity();
  bool is_factorised = false;
  for (; found.num_iterations < most_iterations; ++found.num_iterations) {
    if (is_factorised) {
      evaluate(prediction, found.z);
    } else {
      linearise(prediction, found.z, size_, 1.0);
      ++found.num_factorisations;
    }
    found.is_finite = residual_.allFinite() && kernel_.allFinite();
    if (!found.is_finite) return found;
    const Vector d = step(alpha, found.z);
    const double size = size_of(d, prediction);
    found.is_finite = d.allFinite();
    if (!found.is_finite) return found;
    const bool is_stuck = is_factorised && size > good_contraction * last;
    if (!(is_stuck && size > small)) found.z = moved(found.z, d, 1.0);
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

Vector ArraySolver::moved(const Vector& z, const Vector& step, double part) const {
  Vector result = z;
  for (int k = 0; k < step.size(); ++k) result[k] += part * step[k] * nominals_[k % num_unknowns_];
  return result;
}

// Gauss-Newton steps for the first `size` blocks, each as much shorter as it takes for the next to
// be shorter by itself [Deuflhard2004, sec. 4.4.2]; false if that is less than `shortest`.
bool ArraySolver::settle_blocks(const Prediction& at, int size, double shortest, double weight,
                                Found& found) {
  const Vector alpha = at.z.head(num_unknowns_);
  for (int count = 0; count < most_damped; ++count) {
    linearise(at, found.z, size, weight);
    ++found.num_factorisations;
    ++found.num_iterations;
    const Vector d = step(alpha, found.z);
    found.is_finite = d.allFinite();
    if (!found.is_finite) return false;
    const double length = d.norm();
    Vector z;
    double part = 1.0, next = 0.0;
    for (;; part *= 0.5) {
      if (part < shortest) return length <= settled * (1.0 + found.z.norm()) && is_regular();
      z = moved(found.z, d, part);
      evaluate(at, z);
      next = step(alpha, z).norm();
      if (next <= (1.0 - 0.5 * part) * length) break;
    }
    found.z = z;
    if (next <= settled * (1.0 + z.norm())) return is_regular();
  }
  return false;
}

// Rule A9. Beyond twice the index every further coefficient follows linearly from those before it,
// and one iteration for the whole array finds them all.
bool ArraySolver::climb(const Prediction& at, double weight, Found& found) {
  for (int size = index_; size <= std::min(2 * index_, size_ - 1); ++size)
    if (!settle_blocks(at, size, shortest_part, weight, found)) return false;
  return settle_blocks(at, size_, shortest_part, weight, found);
}

ArraySolver::Found ArraySolver::find(const Prediction& prediction, double small) {
  const int n = num_unknowns_;
  Found found;
  found.z = prediction.z;
  bool is_near = settle_blocks(prediction, size_, undamped, 1.0, found);
  for (const bool keeps_all : {true, false})
    for (const double weight : {1.0, 1.0 / firmness}) {
      if (is_near) break;
      found.z = prediction.z;
      if (!keeps_all) found.z.tail(found.z.size() - n).setZero();
      is_near = climb(prediction, weight, found);
    }
  if (!is_near) return found;
  found = continued(prediction, found, small);
  for (int j = 0; j < n; ++j)
    if (!(std::abs(found.z[j] - prediction.z[j]) <=
          std::max(small, settled) * (nominals_[j] + std::abs(prediction.z[j]))))
      found.is_converged = false;
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

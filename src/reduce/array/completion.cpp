#include "reduce/array/completion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::reduce {
namespace {

constexpr int most_iterations = 30;
constexpr double settled = 1e-13;  // of a step, in units of 1 + |coefficient|
// The weight of a Newton step in derivatives above x' where its size is judged, against 1 for x':
// higher derivatives are not integrated, and have larger rounding errors.
constexpr double part_of_higher = 1e-3;
// Singular values of an array that is differentiated more often than x' alone asks for spread
// further: of the transistor amplifier down to some 1e-12 of the largest.
constexpr double threshold_of_larger = 1e-13;
constexpr double good_contraction = 0.05;  // by which a factorisation is kept
// What may be left of the array, in units of x. A drift is as small as the tolerance; more is left
// where Gauss-Newton ends at a minimum that is no zero.
constexpr double largest_residual = 0.01;

}  // namespace

Completion::Completion(FirstOrderForm& form, const std::vector<double>& parameters,
                       const std::vector<double>& nominals, int num_differentiations,
                       double time_scale, int num_wanted)
    : parameters_(parameters),
      num_unknowns_(form.num_unknowns()),
      num_wanted_(num_wanted),
      threshold_(num_wanted > 1 ? threshold_of_larger : rank_threshold),
      array_(*form.graph, form.residuals,
             std::vector<int>(form.residuals.size(), num_differentiations), Entries::coefficients),
      coefficients_(static_cast<std::size_t>(array_.num_columns()), 0.0),
      kept_(coefficients_),
      matrix_(array_.num_rows(), array_.num_columns() - num_unknowns_),
      back_(matrix_.cols()),
      row_scale_(array_.num_rows()),
      rows_(array_.num_rows()) {
  for (int column = 0; column < array_.num_columns(); ++column)
    units_.push_back(nominals[column % num_unknowns_] /
                     std::pow(time_scale, column / num_unknowns_));
}

void Completion::begin(const std::vector<std::vector<double>>& derivatives) {
  double factorial = 1.0;
  for (int order = 0; order < array_.num_columns() / num_unknowns_; ++order) {
    factorial *= std::max(order, 1);
    for (int j = 0; j < num_unknowns_; ++j)
      if (order < static_cast<int>(derivatives[j].size()))
        coefficients_[order * num_unknowns_ + j] = derivatives[j][order] / factorial;
  }
  keep();
}

void Completion::begin_with(std::vector<double> kept, long rank) {
  rank_ = rank;
  coefficients_ = std::move(kept);
  keep();
}

void Completion::evaluate(double t) {
  array_.evaluate({t, parameters_, coefficients_});
  for (int row = 0; row < array_.num_rows(); ++row)
    rows_[row] = row_scale_[row] * array_.values()[row];
}

void Completion::linearise(double t) {
  array_.linearise({t, parameters_, coefficients_});
  const SparseRows& J = array_.jacobian();
  matrix_.setZero();
  for (int row = 0; row < array_.num_rows(); ++row) {
    double held = 0.0;  // x counts in the norm, so that constraints are rows of their own size
    for (int e = J.starts[row]; e < J.starts[row + 1]; ++e) {
      const double value = J.values[e] * units_[J.columns[e]];
      if (J.columns[e] >= num_unknowns_)
        matrix_(row, J.columns[e] - num_unknowns_) = value;
      else
        held += value * value;
    }
    const double norm = std::sqrt(held + matrix_.row(row).squaredNorm());
    row_scale_[row] = norm > 0.0 ? 1.0 / norm : 1.0;
    matrix_.row(row) *= row_scale_[row];
    rows_[row] = row_scale_[row] * array_.values()[row];
  }
  factorise();
  is_factorised_ = true;
  ++num_factorisations_;
}

// The rank is that of the start, which satisfies all constraints. Beside them it may be larger by
// singular values as small as the drift (where a constraint is multiplied by functions of x in
// other rows); rows that no x' satisfies would then be satisfied by a wrong one.
void Completion::factorise() {
  factors_.setThreshold(threshold_);
  factors_.compute(matrix_);
  if (rank_ <= 0 || factors_.rank() <= rank_) return;
  const Eigen::ColPivHouseholderQR<Matrix> pivots(matrix_);
  const auto size = [&](Eigen::Index k) { return std::abs(pivots.matrixR()(k, k)); };
  factors_.setThreshold(std::sqrt(size(rank_ - 1) * size(rank_)) / pivots.maxPivot());
  factors_.compute(matrix_);
}

bool Completion::is_near_solution() const {
  double size = 1.0;
  for (int j = 0; j < num_unknowns_; ++j)
    size = std::max(size, std::abs(coefficients_[j]) / units_[j]);
  return residual_ <= largest_residual * size;
}

// The solution of J step = -rows that leads nearest to what was kept: undetermined
// coefficients would wander from stage to stage, and rows be scaled by what they have become.
Eigen::VectorXd Completion::next_step() {
  for (int k = 0; k < back_.size(); ++k) {
    const int column = k + num_unknowns_;
    back_[k] = (kept_[column] - coefficients_[column]) / units_[column];
  }
  return back_ - factors_.solve(rows_ + matrix_ * back_);
}

bool Completion::derivative(double t, std::span<const double> x, std::span<double> derivative) {
  std::copy(x.begin(), x.end(), coefficients_.begin());
  double last = std::numeric_limits<double>::infinity();
  bool is_converged = false;
  for (int iteration = 0; iteration < most_iterations && !is_converged; ++iteration) {
    const bool is_fresh = !is_factorised_;
    if (is_fresh)
      linearise(t);
    else
      evaluate(t);
    if (factors_.rank() < rank_) {  // coefficients have run away, or the array is singular here
      is_factorised_ = false;
      return false;
    }
    const Eigen::VectorXd step = next_step();
    double size = 0.0;
    for (int k = 0; k < step.size(); ++k) {
      const int column = k + num_unknowns_;
      double& coefficient = coefficients_[column];
      coefficient += step[k] * units_[column];
      // Higher ones are not all determined; x' is what counts, and less so what else is wanted.
      const double part = column < 2 * num_unknowns_ ? 1.0 : part_of_higher;
      if (column < (1 + num_wanted_) * num_unknowns_)
        size = std::max(size,
                        part * std::abs(step[k]) / (1.0 + std::abs(coefficient) / units_[column]));
    }
    if (!std::isfinite(size)) {
      is_factorised_ = false;
      return false;
    }
    residual_ = rows_.cwiseAbs().maxCoeff();
    is_converged =
        is_near_solution() && (size <= settled || (size <= 1e3 * settled && size >= 0.5 * last));
    is_factorised_ = is_converged || is_fresh || size <= good_contraction * last;
    last = size;
  }
  if (is_converged && rank_ < 0) {
    linearise(t);
    rank_ = factors_.rank();
  }
  std::copy_n(coefficients_.begin() + num_unknowns_, num_unknowns_, derivative.begin());
  return is_converged;
}

}  // namespace daedal::reduce

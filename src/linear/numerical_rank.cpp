#include "linear/numerical_rank.hpp"

#include <klu.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/check.hpp"
#include "linear/klu_memory.hpp"

namespace daedal::linear {
namespace {

using Real = long double;
using Vector = std::vector<Real>;
using DenseMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

constexpr double surely_regular = 1e-8;  // a larger pivot ratio needs no second look
constexpr Real sparse_tau = 1e-13L;

enum class Side { rows, columns };

int place(const Triplet& e, Side side) { return side == Side::rows ? e.row : e.column; }

std::vector<Triplet> without_repeats(std::vector<Triplet> entries) {
  std::sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  std::size_t kept = 0;
  for (const Triplet& e : entries) {
    if (kept > 0 && entries[kept - 1].row == e.row && entries[kept - 1].column == e.column) {
      entries[kept - 1].value += e.value;
      entries[kept - 1].error += e.error;
    } else {
      entries[kept++] = e;
    }
  }
  entries.resize(kept);
  return entries;
}

// Multiplies rows (or columns) so that the largest entry of each is 1; zero ones stay. Adds the
// factors to `scale`.
void scale_to_one(int size, std::vector<Triplet>& entries, Side side, Vector& scale) {
  Vector largest(size, 0);
  for (const Triplet& e : entries)
    largest[place(e, side)] = std::max(largest[place(e, side)], std::abs(e.value));
  for (Triplet& e : entries) {
    const Real divisor = largest[place(e, side)];
    if (divisor == 0) continue;
    e.value /= divisor;
    e.error /= divisor;
  }
  for (int k = 0; k < size; ++k)
    if (largest[k] > 0) scale[k] /= largest[k];
}

// Does A v (or w^T A) cancel to rounding in every place?
bool is_mapped_to_zero(int size, const std::vector<Triplet>& entries, const Vector& v, Side from,
                       Real tau) {
  const Side to = from == Side::columns ? Side::rows : Side::columns;
  Vector sum(size, 0), bound(size, 0);
  for (const Triplet& e : entries) {
    const Real weight = v[place(e, from)];
    sum[place(e, to)] += e.value * weight;
    bound[place(e, to)] += (8 * e.error + tau * std::abs(e.value)) * std::abs(weight);
  }
  for (int k = 0; k < size; ++k)
    if (!(std::abs(sum[k]) <= bound[k])) return false;
  return true;
}

// As before, with small parts of v taken for noise and removed: errors in A leave traces in all of
// v, which places that v should not reach at all would not forgive.
bool cancels_after_cleaning(int size, const std::vector<Triplet>& entries, Vector& v, Side from,
                            Real tau) {
  if (v.empty()) return false;
  Real largest = 0;
  for (const Real value : v) largest = std::max(largest, std::abs(value));
  for (const Real cut : {0.0L, 1e-14L, 1e-11L, 1e-8L}) {
    for (Real& value : v)
      if (std::abs(value) < cut * largest) value = 0;
    if (is_mapped_to_zero(size, entries, v, from, tau)) return true;
  }
  return false;
}

// A vector of the scaled matrix in the original scale, largest entry 1, without what is noise.
std::vector<double> normalised(const Vector& v, const Vector& scale) {
  std::vector<Real> result(v.size());
  Real largest = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    result[k] = v[k] * scale[k];
    if (std::abs(result[k]) > std::abs(largest)) largest = result[k];
  }
  std::vector<double> rounded;
  for (const Real value : result) {
    const Real relative = value / largest;
    rounded.push_back(std::abs(relative) < 1e-9L ? 0.0 : static_cast<double>(relative));
  }
  return rounded;
}

// Candidates for the two null vectors, and what the factorisation said.
struct Candidates {
  double pivot_ratio = 1.0;
  bool is_singular_by_pattern = false;  // whatever the values: no second look helps
  Vector right, left;
};

// The kernel of a matrix whose smallest pivot is taken for zero.
Vector kernel_of(const DenseMatrix& matrix, double& pivot_ratio) {
  Eigen::FullPivLU<DenseMatrix> lu(matrix);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs().eval();
  const Real largest = pivots.maxCoeff();
  pivot_ratio = largest > 0 ? static_cast<double>(pivots.minCoeff() / largest) : 0.0;
  lu.setThreshold(1.001L * pivots.minCoeff() / std::max(largest, std::numeric_limits<Real>::min()));
  const auto kernel = lu.kernel().col(0).eval();
  return {kernel.data(), kernel.data() + kernel.size()};
}

bool is_surely_regular(int size, const std::vector<Triplet>& entries) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (const Triplet& e : entries) matrix(e.row, e.column) = static_cast<double>(e.value);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(matrix);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs().eval();
  return pivots.minCoeff() > surely_regular * pivots.maxCoeff();
}

Candidates dense_candidates(int size, const std::vector<Triplet>& entries) {
  DenseMatrix matrix = DenseMatrix::Zero(size, size);
  for (const Triplet& e : entries) matrix(e.row, e.column) = e.value;
  Candidates found;
  found.left = kernel_of(matrix.transpose(), found.pivot_ratio);
  found.right = kernel_of(matrix, found.pivot_ratio);
  return found;
}

// KLU on a matrix in compressed columns.
class SparseLu {
 public:
  SparseLu(int size, const std::vector<Triplet>& entries, double perturbation) : size_(size) {
    compress(entries, perturbation);
    klu_defaults(&common_);
    common_.halt_if_singular = 0;
    symbolic_ = klu_analyze(size, start_.data(), row_.data(), &common_);
    require_memory(common_);
    if (symbolic_ == nullptr) return;
    numeric_ = klu_factor(start_.data(), row_.data(), value_.data(), symbolic_, &common_);
    require_memory(common_);
    if (numeric_ != nullptr) klu_rcond(symbolic_, numeric_, &common_);
  }
  ~SparseLu() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  double pivot_ratio() const { return numeric_ == nullptr ? 0.0 : common_.rcond; }

  // Inverse iteration from a fixed, irregular start; empty if the factors are of no use.
  Vector smallest_direction(Side side) {
    std::vector<double> v(size_);
    for (int k = 0; k < size_; ++k) v[k] = 1.0 + 0.3 * std::sin(1.7 * k + 0.4);
    for (int iteration = 0; iteration < 4; ++iteration) {
      if (side == Side::columns)
        klu_solve(symbolic_, numeric_, size_, 1, v.data(), &common_);
      else
        klu_tsolve(symbolic_, numeric_, size_, 1, v.data(), &common_);
      double largest = 0.0;
      for (const double value : v) largest = std::max(largest, std::abs(value));
      if (!std::isfinite(largest) || largest == 0.0) return {};
      for (double& value : v) value /= largest;
    }
    return {v.begin(), v.end()};
  }

 private:
  // Entries changed by +-perturbation, relatively: an exact zero pivot would leave no direction.
  void compress(const std::vector<Triplet>& entries, double perturbation) {
    start_.assign(size_ + 1, 0);
    for (const Triplet& e : entries) ++start_[e.column + 1];
    for (int k = 0; k < size_; ++k) start_[k + 1] += start_[k];
    row_.resize(entries.size());
    value_.resize(entries.size());
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int at = next[entries[k].column]++;
      row_[at] = entries[k].row;
      value_[at] = static_cast<double>(entries[k].value) *
                   (1.0 + perturbation * std::sin(2.3 * static_cast<double>(k)));
    }
  }

  int size_;
  std::vector<int> start_, row_;
  std::vector<double> value_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

Candidates sparse_candidates(int size, const std::vector<Triplet>& entries) {
  Candidates found;
  for (const double perturbation : {0.0, 1e-15}) {  // the second if a pivot is exactly zero
    SparseLu lu(size, entries, perturbation);
    if (perturbation == 0.0) found.pivot_ratio = lu.pivot_ratio();
    if (found.pivot_ratio > surely_regular) return found;
    found.is_singular_by_pattern = lu.pivot_ratio() == 0.0;
    if (found.is_singular_by_pattern) continue;
    found.right = lu.smallest_direction(Side::columns);
    found.left = lu.smallest_direction(Side::rows);
    if (!found.right.empty() && !found.left.empty()) break;
  }
  return found;
}

// The row (or column) that has no entry but zeros, as a combination; empty if there is none.
Vector zero_line(int size, const std::vector<Triplet>& entries, Side side) {
  std::vector<bool> is_zero(size, true);
  for (const Triplet& e : entries)
    if (e.value != 0) is_zero[place(e, side)] = false;
  const auto found = std::find(is_zero.begin(), is_zero.end(), true);
  if (found == is_zero.end()) return {};
  Vector unit(size, 0);
  unit[found - is_zero.begin()] = 1;
  return unit;
}

}  // namespace

RankVerdict judge_rank(int size, const std::vector<Triplet>& given) {
  std::vector<Triplet> entries = without_repeats(given);
  for (const Triplet& e : entries) DAEDAL_CHECK(std::isfinite(e.value) && std::isfinite(e.error));
  Vector row_scale(size, 1), column_scale(size, 1);
  for (int pass = 0; pass < 2; ++pass) {
    scale_to_one(size, entries, Side::rows, row_scale);
    scale_to_one(size, entries, Side::columns, column_scale);
  }
  const bool is_small = size <= largest_dense;
  if (is_small && is_surely_regular(size, entries)) return {};
  Candidates found = is_small ? dense_candidates(size, entries) : sparse_candidates(size, entries);
  if (!is_small && found.pivot_ratio > surely_regular)
    return {.is_singular = false, .pivot_ratio = found.pivot_ratio};

  const Vector zero_row = zero_line(size, entries, Side::rows);
  const Vector zero_column = zero_line(size, entries, Side::columns);
  if (!zero_row.empty()) found.left = zero_row;
  if (!zero_column.empty()) found.right = zero_column;
  const Real tau = is_small ? 64 * size * std::numeric_limits<Real>::epsilon() : sparse_tau;
  const auto confesses = [&](Vector& v, Side from) {
    return cancels_after_cleaning(size, entries, v, from, tau);
  };
  RankVerdict verdict;
  verdict.pivot_ratio = found.pivot_ratio;
  verdict.is_singular = found.is_singular_by_pattern || confesses(found.right, Side::columns) ||
                        confesses(found.left, Side::rows);
  if (!verdict.is_singular) return verdict;
  if (!found.left.empty()) verdict.row_combination = normalised(found.left, row_scale);
  if (!found.right.empty()) verdict.column_combination = normalised(found.right, column_scale);
  return verdict;
}

}  // namespace daedal::linear

#include "base/numerical_rank.hpp"

#include <klu.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>

namespace daedal::base {
namespace {

constexpr double singular_dense_per_row = 1e-13;
constexpr double singular_sparse = 1e-13;  // partial pivoting: large regular blocks reach 1e-10

struct Scaling {
  std::vector<double> row;
  std::vector<double> column;
};

// Rows, then columns, to largest entry 1; twice. False if a row or column is zero.
bool equilibrate(int size, std::vector<Triplet>& entries, Scaling& scaling) {
  scaling.row.assign(size, 1.0);
  scaling.column.assign(size, 1.0);
  for (int pass = 0; pass < 4; ++pass) {
    const bool by_row = pass % 2 == 0;
    std::vector<double> largest(size, 0.0);
    for (const Triplet& e : entries) {
      double& value = largest[by_row ? e.row : e.column];
      value = std::max(value, std::abs(e.value));
    }
    if (std::any_of(largest.begin(), largest.end(), [](double value) { return !(value > 0.0); }))
      return false;
    for (Triplet& e : entries) {
      e.value /= largest[by_row ? e.row : e.column];
      e.error /= largest[by_row ? e.row : e.column];
    }
    std::vector<double>& scale = by_row ? scaling.row : scaling.column;
    for (int k = 0; k < size; ++k) scale[k] /= largest[k];
  }
  return true;
}

// What rounding, before and during the factorisation, may leave of a zero pivot. Errors brought
// along count up to 1e-8: beyond that nothing could be called regular.
double singular_threshold(int size, const std::vector<Triplet>& entries) {
  double noise = 0.0;
  for (const Triplet& e : entries) noise = std::max(noise, e.error);
  const double own = size <= largest_dense ? size * singular_dense_per_row : singular_sparse;
  return std::max(own, std::min(8.0 * size * noise, 1e-8));
}

// The kernel vector of the scaled matrix, brought back to the original scale; largest entry 1.
std::vector<double> normalised(const Eigen::VectorXd& kernel, const std::vector<double>& scale) {
  std::vector<double> result(kernel.data(), kernel.data() + kernel.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] *= scale[k];
    if (std::abs(result[k]) > std::abs(largest)) largest = result[k];
  }
  for (double& value : result) value = std::abs(value / largest) < 1e-9 ? 0.0 : value / largest;
  return result;
}

RankVerdict judge_dense(int size, const std::vector<Triplet>& entries, const Scaling& scaling) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (const Triplet& e : entries) matrix(e.row, e.column) += e.value;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(matrix);
  const double largest = std::abs(lu.maxPivot());
  const double smallest = lu.matrixLU().diagonal().cwiseAbs().minCoeff();
  const double threshold = singular_threshold(size, entries);
  RankVerdict verdict;
  verdict.pivot_ratio = largest > 0.0 ? smallest / largest : 0.0;
  verdict.is_singular = verdict.pivot_ratio <= threshold;
  if (!verdict.is_singular) return verdict;
  lu.setThreshold(threshold);
  verdict.column_combination = normalised(lu.kernel().col(0), scaling.column);
  Eigen::FullPivLU<Eigen::MatrixXd> transposed(matrix.transpose());
  transposed.setThreshold(threshold);
  verdict.row_combination = normalised(transposed.kernel().col(0), scaling.row);
  return verdict;
}

struct CompressedColumns {
  std::vector<int> start;
  std::vector<int> row;
  std::vector<double> value;
};

CompressedColumns compress(int size, const std::vector<Triplet>& entries) {
  CompressedColumns matrix;
  matrix.start.assign(size + 1, 0);
  for (const Triplet& e : entries) ++matrix.start[e.column + 1];
  for (int k = 0; k < size; ++k) matrix.start[k + 1] += matrix.start[k];
  matrix.row.resize(entries.size());
  matrix.value.resize(entries.size());
  std::vector<int> next(matrix.start.begin(), matrix.start.end() - 1);
  for (const Triplet& e : entries) {
    matrix.row[next[e.column]] = e.row;
    matrix.value[next[e.column]++] = e.value;
  }
  return matrix;
}

RankVerdict judge_sparse(int size, const std::vector<Triplet>& entries) {
  CompressedColumns matrix = compress(size, entries);
  klu_common common;
  klu_defaults(&common);
  common.halt_if_singular = 1;
  const auto free_symbolic = [&](klu_symbolic* symbolic) { klu_free_symbolic(&symbolic, &common); };
  const auto free_numeric = [&](klu_numeric* numeric) { klu_free_numeric(&numeric, &common); };
  const std::unique_ptr<klu_symbolic, decltype(free_symbolic)> symbolic(
      klu_analyze(size, matrix.start.data(), matrix.row.data(), &common), free_symbolic);
  if (!symbolic) return {.is_singular = true, .pivot_ratio = 0.0};
  const std::unique_ptr<klu_numeric, decltype(free_numeric)> numeric(
      klu_factor(matrix.start.data(), matrix.row.data(), matrix.value.data(), symbolic.get(),
                 &common),
      free_numeric);
  if (!numeric || common.status == KLU_SINGULAR) return {.is_singular = true, .pivot_ratio = 0.0};
  klu_rcond(symbolic.get(), numeric.get(), &common);
  return {.is_singular = common.rcond <= singular_threshold(size, entries),
          .pivot_ratio = common.rcond};
}

std::vector<Triplet> without_repeats(std::vector<Triplet> entries) {
  const auto before = [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  std::sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (const Triplet& e : entries) {
    if (kept > 0 && entries[kept - 1].row == e.row && entries[kept - 1].column == e.column)
      entries[kept - 1].value += e.value, entries[kept - 1].error += e.error;
    else
      entries[kept++] = e;
  }
  entries.resize(kept);
  return entries;
}

}  // namespace

RankVerdict judge_rank(int size, const std::vector<Triplet>& given) {
  std::vector<Triplet> entries = without_repeats(given);
  Scaling scaling;
  const bool is_scalable = equilibrate(size, entries, scaling);
  if (size <= largest_dense) {
    if (!is_scalable) scaling = {std::vector<double>(size, 1.0), std::vector<double>(size, 1.0)};
    return judge_dense(size, is_scalable ? entries : without_repeats(given), scaling);
  }
  if (!is_scalable) return {.is_singular = true, .pivot_ratio = 0.0};
  return judge_sparse(size, entries);
}

}  // namespace daedal::base

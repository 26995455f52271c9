#include "base/determinant_sign.hpp"

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>

#include "base/dense_kernels.hpp"

namespace daedal::base {
namespace {

// On a chain of 8 rods (25 rows) callgrind counts some 8000 instructions of a sparse elimination
// for each row, and a dense one is quicker there and with 61 rows. Where they cross was not
// measured: the size is an estimate from n^2/2 instructions for each row of a dense elimination.
constexpr int largest_dense = 128;

// Gaussian elimination with partial pivoting, rows scaled by their largest entry.
int dense_sign(int size, const std::vector<Place>& places, std::span<const double> values) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> matrix(n * n, 0.0);
  for (std::size_t k = 0; k < places.size(); ++k)
    matrix[places[k].row * n + places[k].column] += values[k];
  std::vector<double*> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    rows[i] = matrix.data() + i * n;
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(rows[i][j]));
    if (!(largest > 0.0) || !std::isfinite(largest)) return 0;
    for (std::size_t j = 0; j < n; ++j) rows[i][j] /= largest;
  }
  int sign = 1;
  for (std::size_t k = 0; k < n; ++k) {
    const auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
        [k](const double* a, const double* b) { return std::abs(a[k]) < std::abs(b[k]); });
    if (*pivot != rows[k]) {
      std::swap(*pivot, rows[k]);
      sign = -sign;
    }
    const double* const upper = rows[k];
    if (!(std::abs(upper[k]) > smallest_pivot_ratio)) return 0;
    if (upper[k] < 0.0) sign = -sign;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = rows[i];
      const double factor = row[k] / upper[k];
      if (factor == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= factor * upper[j];
    }
  }
  return sign;
}

int sparse_sign(int size, const std::vector<Place>& places, std::span<const double> values) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t k = 0; k < places.size(); ++k)
    triplets.emplace_back(places[k].row, places[k].column, values[k]);
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  return lu.info() == Eigen::Success ? static_cast<int>(lu.signDeterminant()) : 0;
}

}  // namespace

int determinant_sign(int size, const std::vector<Place>& places, std::span<const double> values) {
  const bool is_half_full = places.size() * 2 > static_cast<std::size_t>(size) * size;
  return size <= largest_dense || is_half_full ? dense_sign(size, places, values)
                                               : sparse_sign(size, places, values);
}

}  // namespace daedal::base

// Small systems, solved densely by the kernels of an instruction set.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/aligned_array.hpp"
#include "linear/dense_kernels.hpp"
#include "linear/linear_solver.hpp"
#include "linear/minimum_norm_kernels.hpp"
#include "linear/place_targets.hpp"

namespace daedal::linear {

// A x = b for small or half-full A: LU with partial pivoting, both factors inverted, so that a
// solve is two products of a matrix with a vector (docs/theory/linear-solves.md).
class DenseLu final : public SquareSolver {
 public:
  DenseLu(int size, const std::vector<Place>& places, int lanes);
  // With kernels of a chosen instruction set.
  DenseLu(int size, const std::vector<Place>& places, int lanes, DenseKernels kernels);

  bool factorise(std::span<const double> values, std::span<const char> is_due = {}) override;
  void solve(std::span<double> b) const override;
  bool is_regular(int lane) const override;
  // |A| |A^-1| in the largest row sum, rows scaled; at most that, in the tests at least a quarter.
  double condition(int lane) const override;
  int determinant_sign(int lane) const override;
  Determinant determinant(int lane) const override;

 private:
  DenseKernels kernels_;
  DenseFactors factors_;
  AlignedArray<double> matrix_, upper_, work_, scale_, reciprocal_, scratch_;
  AlignedArray<std::int64_t> row_;
  PlaceTargets targets_;
  std::vector<double> norm_, condition_;
  std::unique_ptr<bool[]> is_negative_, is_uniform_, is_regular_;
};

// min |x| subject to A x = b for small A: rows made orthogonal, one after the other
// (docs/theory/linear-solves.md, rules Q).
class DenseMinimumNorm final : public MinimumNormSolver {
 public:
  DenseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places, int lanes);
  // With kernels of a chosen instruction set.
  DenseMinimumNorm(int num_rows, int num_columns, const std::vector<Place>& places, int lanes,
                   MinimumNormKernels kernels);

  bool factorise(std::span<const double> values, std::span<const char> is_due) override;
  bool is_regular(int lane) const override;
  void solve(std::span<const double> b, std::span<double> x) override;

 private:
  MinimumNormKernels kernels_;
  PlaceTargets targets_;
  AlignedArray<double> q_, lower_, scale_, reciprocal_, removed_, y_, x_;
  std::unique_ptr<bool[]> is_regular_;
  MinimumNormFactors factors_;
};

}  // namespace daedal::linear

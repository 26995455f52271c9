// A x = b for small or half-full A: LU with partial pivoting, both factors inverted, so that a
// solve is two products of a matrix with a vector (docs/theory/linear-solves.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/aligned_array.hpp"
#include "linear/dense_kernels.hpp"
#include "linear/linear_solver.hpp"
#include "linear/place_targets.hpp"

namespace daedal::linear {

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

}  // namespace daedal::linear

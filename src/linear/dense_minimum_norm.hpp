// min |x| subject to A x = b for small A: rows made orthogonal, one after the other
// (docs/theory/linear-solves.md, rules Q).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linear/aligned_array.hpp"
#include "linear/linear_solver.hpp"
#include "linear/minimum_norm_kernels.hpp"
#include "linear/place_targets.hpp"

namespace daedal::linear {

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

// The differential equation x' = g(t, x) that a derivative array defines, a completion of the DAE
// [CampbellHollenbeck1996, sec. 3]; docs/theory/derivative-array.md, rule A6.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "reduce/derivative_array.hpp"
#include "reduce/first_order.hpp"
#include "reduce/projectors.hpp"

namespace daedal::reduce {

class Completion {
 public:
  // Of a DAE of this index, whose pace is `time_scale`. Holds references.
  Completion(FirstOrderForm& form, const std::vector<double>& parameters,
             const std::vector<double>& nominals, int index, double time_scale);

  int num_unknowns() const { return num_unknowns_; }

  // x' for x held: the shortest (x', x'', ...) that satisfies the array in the least squares sense,
  // by Gauss-Newton steps from the last one found. False if they do not converge or a value is not
  // finite.
  bool derivative(double t, std::span<const double> x, std::span<double> derivative);

  // What was left of the array's rows, each relative to its norm: how far x is from consistent.
  double residual() const { return residual_; }
  long num_factorisations() const { return num_factorisations_; }

 private:
  void linearise(double t);
  void evaluate(double t);
  double unit(int column) const;  // of coefficient: nominal over a power of the time scale

  const std::vector<double>& parameters_;
  const std::vector<double>& nominals_;
  int num_unknowns_;
  double time_scale_;
  DerivativeArray array_;
  std::vector<double> coefficients_;                        // by column; those of x first
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors_;  // of J by x', x'', ...
  Eigen::VectorXd row_scale_, rows_;
  bool is_factorised_ = false;
  double residual_ = 0.0;
  long num_factorisations_ = 0;
};

}  // namespace daedal::reduce

// The differential equation x' = g(t, x) that a derivative array defines, a completion of the DAE
// [CampbellHollenbeck1996, sec. 3]; docs/theory/derivative-array.md, rule A6.
#pragma once

#include <span>
#include <vector>

#include "linear/dense_decompositions.hpp"
#include "reduce/array/derivative_array.hpp"
#include "reduce/array/first_order.hpp"
#include "reduce/array/projectors.hpp"

namespace daedal::reduce {

class Completion {
 public:
  // For a DAE whose pace is `time_scale`, differentiated as often as its index says; or more often,
  // if more derivatives than x' are wanted. Holds references.
  Completion(FirstOrderForm& form, const std::vector<double>& parameters,
             const std::vector<double>& nominals, int num_differentiations, double time_scale,
             int num_wanted = 1);

  int num_unknowns() const { return num_unknowns_; }

  // Where the solution begins: x, x', ... by unknown, as far as known; best is all of the array.
  void begin(const std::vector<std::vector<double>>& derivatives);

  // Begins with what another one has kept, and the rank that it found at its start; -1 if none.
  void begin_with(std::vector<double> kept, long rank);
  const std::vector<double>& kept() const { return kept_; }
  long rank() const { return static_cast<long>(rank_); }

  // x' for x held: (x', x'', ...) that satisfies the array in the least squares sense, by
  // Gauss-Newton steps from the last ones found, so that it is on the same branch where there are
  // several. False if they do not converge, lead to no solution, or a value is not finite.
  bool derivative(double t, std::span<const double> x, std::span<double> derivative);

  // What was found last is a point of the solution.
  void keep() { kept_ = coefficients_; }
  // What was found since then is not.
  void return_to_kept() { coefficients_ = kept_; }

  // What was found last, and back to it after looks elsewhere.
  const std::vector<double>& found() const { return coefficients_; }
  void return_to(const std::vector<double>& found) { coefficients_ = found; }

  // What was left of the array's rows, each relative to its norm: how far x is from consistent.
  double residual() const { return residual_; }
  long num_factorisations() const { return num_factorisations_; }

 private:
  void linearise(double t);
  void factorise();
  Eigen::VectorXd next_step();
  void evaluate(double t);
  bool is_near_solution() const;

  const std::vector<double>& parameters_;
  int num_unknowns_, num_wanted_;
  double threshold_;  // of ranks
  DerivativeArray array_;
  std::vector<double> units_;         // by column: nominal value over a power of the time scale
  std::vector<double> coefficients_;  // by column; those of x first
  std::vector<double> kept_;          // of the last point of the solution
  Matrix matrix_;                     // J by x', x'', ..., balanced
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors_;  // of it
  Eigen::VectorXd back_;                                    // to what was kept
  Eigen::Index rank_ = -1;  // at the start, once x' is found; -1 before
  Eigen::VectorXd row_scale_, rows_;
  bool is_factorised_ = false;
  double residual_ = 0.0;
  long num_factorisations_ = 0;
};

}  // namespace daedal::reduce

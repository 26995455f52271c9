// Taylor coefficients of the solution at t, from a prediction that is near: min |P(x - alpha)|
// subject to the derivative array, by Gauss-Newton steps (docs/theory/derivative-array.md, rule
// A5).
#pragma once

#include <limits>
#include <vector>

#include "linear/dense_decompositions.hpp"
#include "reduce/array/derivative_array.hpp"
#include "reduce/array/first_order.hpp"
#include "reduce/array/projectors.hpp"

namespace daedal::reduce {

using Vector = Eigen::VectorXd;

class ArraySolver {
 public:
  // `order` + 1 coefficients are wanted of a DAE of this index: the array has index + order blocks.
  // `dof` directions of the differentiated components are free. An array of full row rank at the
  // start is taken to have it everywhere: near a point where it loses it, the solution is badly
  // conditioned, not free. Holds references.
  ArraySolver(FirstOrderForm& form, const std::vector<double>& parameters,
              const std::vector<double>& nominals, int index, int dof, bool has_full_row_rank,
              int order);

  int num_unknowns() const { return num_unknowns_; }
  int order() const { return order_; }
  int num_coefficients() const { return size_ + 1; }  // of each unknown, undetermined ones included

  // Coefficients in powers of (t - t0)/scale: z[m * num_unknowns() + j].
  struct Prediction {
    double t = 0.0;
    double scale = 1.0;
    Vector z;
    // Coefficients matter as far as they change values at this distance, or at that of the scale.
    double reach = std::numeric_limits<double>::infinity();
  };
  struct Found {
    bool is_converged = false;
    bool is_finite = true;
    int num_iterations = 0, num_factorisations = 0;
    double residual = 0.0;  // largest row of the array, relative to its terms
    Vector z;
  };
  // The x0 of the prediction is alpha. Steps below `small` (in units of nominal + |x|) end the
  // iteration.
  Found solve(const Prediction& prediction, double small);
  // As solve(), from coefficients of which only x0 need be near (rule A9); found only if x0 stays.
  Found find(const Prediction& prediction, double small);

 private:
  Found iterate(const Prediction& prediction, const Vector& z, double small);
  Found continued(const Prediction& prediction, const Found& near, double small);
  bool climb(const Prediction& at, double weight, Found& found);
  bool settle_blocks(const Prediction& at, int size, double shortest, double weight, Found& found);
  Vector moved(const Vector& z, const Vector& step, double part) const;
  bool is_regular() const { return threshold_ > rounding || rank_ == residual_.size(); }
  void linearise(const Prediction& at, const Vector& z, int size, double weight);
  void evaluate(const Prediction& at, const Vector& z);
  void read(const Prediction& at, const Vector& z);
  Vector step(const Vector& alpha, const Vector& z) const;
  double size_of(const Vector& step, const Prediction& at) const;

  const std::vector<double>& parameters_;
  const std::vector<double>& nominals_;
  int num_unknowns_, index_, dof_;
  // Pivots below this part of the largest are nothing but rounding.
  static constexpr double rounding = 1e-15;
  double threshold_;  // of ranks
  int order_, size_;  // the latter in blocks
  DerivativeArray array_;
  std::vector<double> coefficients_;  // by column of the array
  // J^T = Q R, of rows of norm 1 and columns in nominal values and powers of the scale; those of x0
  // in a smaller unit where steps are to leave x0 where it is
  Eigen::ColPivHouseholderQR<Matrix> qr_;
  int rank_ = 0;
  double weight_ = 1.0;  // that unit
  Vector row_scale_, residual_;
  Matrix P_, kernel_;             // the latter by columns
  linear::SingularValues along_;  // of P times the kernel's part at order 0
};

// x, x', ... of each unknown as coefficients in powers of (t - t0)/scale, `count` of them; what is
// not known is 0.
Vector scaled_coefficients(const std::vector<std::vector<double>>& derivatives, int count,
                           double scale);

// Coefficients of the polynomial at s = (t - begin)/scale_from, in powers of (t - .)/scale_to, of
// which those above `degree` count as zero.
Vector shifted(const Vector& z, int num_unknowns, int degree, double s, double ratio);

}  // namespace daedal::reduce

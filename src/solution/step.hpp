// One accepted step: the Taylor polynomials of all unknowns.
#pragma once

#include <cstddef>
#include <vector>

namespace daedal::solution {

// The coefficients of one polynomial, `stride` apart in memory.
class Polynomial {
 public:
  Polynomial(const double* first, int size, std::size_t stride = 1)
      : first_(first), stride_(stride), size_(size) {}
  Polynomial(const std::vector<double>& coefficients)  // NOLINT(google-explicit-constructor)
      : Polynomial(coefficients.data(), static_cast<int>(coefficients.size())) {}

  double operator[](int k) const { return first_[static_cast<std::size_t>(k) * stride_]; }
  int size() const { return size_; }
  int degree() const { return size_ - 1; }

 private:
  const double* first_;
  std::size_t stride_;
  int size_;
};

// Coefficients are stored in rows, one per order; each unknown has a column. Above an unknown's
// degree its column is zero.
struct StepLayout {
  std::vector<int> column, degrees;  // by unknown
  int num_rows = 0;

  int num_unknowns() const { return static_cast<int>(column.size()); }
  int degree(int unknown) const { return degrees[unknown]; }
  std::size_t size() const { return column.size() * static_cast<std::size_t>(num_rows); }
};

// x_j(t) = sum_k coefficients[k][column j] ((t - begin)/scale)^k for t between begin and end.
// Columns are `lanes` apart: those of several trajectories may stand side by side.
struct StepView {
  double begin = 0.0;
  double end = 0.0;
  double scale = 1.0;
  const double* coefficients = nullptr;
  std::size_t lanes = 1;

  Polynomial polynomial(const StepLayout& layout, int unknown) const {
    return {coefficients + static_cast<std::size_t>(layout.column[unknown]) * lanes,
            layout.degrees[unknown] + 1, layout.column.size() * lanes};
  }
  // x_j^(order)(t); 0 above the degree
  double value(const StepLayout& layout, int unknown, double t, int order = 0) const;
};

// A step that is kept.
struct Step {
  double begin = 0.0;
  double end = 0.0;
  double scale = 1.0;
  std::vector<double> coefficients = {};

  Step(const StepView& step, const StepLayout& layout);
  StepView view() const { return {begin, end, scale, coefficients.data()}; }
};

// p^(n)(s)/n! = sum_k C(k, n) p_k s^(k-n)
double scaled_derivative(Polynomial polynomial, int n, double s);
// That sum without its first term p_n, divided by s.
double scaled_tail(Polynomial polynomial, int n, double s);
// A bound of |p^(n)(r) - p^(n)(0)|/n! for |r| <= s: sum_{k>n} C(k, n) |p_k| s^(k-n).
double largest_motion(Polynomial polynomial, int n, double s);

}  // namespace daedal::solution

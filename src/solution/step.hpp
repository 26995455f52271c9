// One accepted step: the Taylor polynomials of all unknowns.
#pragma once

#include <span>
#include <vector>

namespace daedal::solution {

// Where the coefficients of each unknown's polynomial are: [first[j], first[j+1]).
struct StepLayout {
  std::vector<int> first = {0};

  int num_unknowns() const { return static_cast<int>(first.size()) - 1; }
  int degree(int unknown) const { return first[unknown + 1] - first[unknown] - 1; }
  int size() const { return first.back(); }
};

// x_j(t) = sum_k coefficients[first[j] + k] ((t - begin)/scale)^k for t between begin and end.
struct Step {
  double begin = 0.0;
  double end = 0.0;
  double scale = 1.0;
  std::vector<double> coefficients;

  std::span<const double> polynomial(const StepLayout& layout, int unknown) const {
    return std::span(coefficients)
        .subspan(layout.first[unknown], layout.first[unknown + 1] - layout.first[unknown]);
  }
  // x_j^(order)(t)
  double value(const StepLayout& layout, int unknown, double t, int order = 0) const;
};

// p^(n)(s)/n! = sum_k C(k, n) p_k s^(k-n)
double scaled_derivative(std::span<const double> polynomial, int n, double s);
// The same without its first term p_n, divided by s.
double scaled_tail(std::span<const double> polynomial, int n, double s);

}  // namespace daedal::solution

#include "solution/step.hpp"

namespace daedal::solution {

// Horner: C(k, n) = C(k+1, n) (k+1-n)/(k+1), carried along in the sum.
double scaled_tail(Polynomial polynomial, int n, double s) {
  const int degree = polynomial.degree();
  if (degree <= n) return 0.0;
  double binomial = 1.0;
  for (int k = 1; k <= n; ++k) binomial *= static_cast<double>(degree - n + k) / k;
  double sum = binomial * polynomial[degree];
  for (int k = degree - 1; k > n; --k) {
    binomial *= static_cast<double>(k + 1 - n) / (k + 1);
    sum = binomial * polynomial[k] + s * sum;
  }
  return sum;
}

double scaled_derivative(Polynomial polynomial, int n, double s) {
  if (polynomial.size() <= n) return 0.0;
  return polynomial[n] + s * scaled_tail(polynomial, n, s);
}

double StepView::value(const StepLayout& layout, int unknown, double t, int order) const {
  double factor = 1.0;
  for (int k = 1; k <= order; ++k) factor *= k / scale;
  return factor * scaled_derivative(polynomial(layout, unknown), order, (t - begin) / scale);
}

Step::Step(const StepView& step, const StepLayout& layout)
    : begin(step.begin), end(step.end), scale(step.scale), coefficients(layout.size()) {
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    coefficients[k] = step.coefficients[k * step.lanes];
}

}  // namespace daedal::solution

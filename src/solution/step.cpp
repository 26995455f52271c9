#include "solution/step.hpp"

#include <cmath>

namespace daedal::solution {

namespace {

// Horner: C(k, n) = C(k+1, n) (k+1-n)/(k+1), carried along in the sum. Of values themselves, n = 0,
// all of these are 1.
template <typename Coefficient>
double sum_of_tail(int degree, int n, double s, Coefficient coefficient) {
  if (degree <= n) return 0.0;
  if (n == 0) {
    double sum = coefficient(degree);
    for (int k = degree - 1; k > 0; --k) sum = coefficient(k) + s * sum;
    return sum;
  }
  double binomial = 1.0;
  for (int k = 1; k <= n; ++k) binomial *= static_cast<double>(degree - n + k) / k;
  double sum = binomial * coefficient(degree);
  for (int k = degree - 1; k > n; --k) {
    binomial *= static_cast<double>(k + 1 - n) / (k + 1);
    sum = binomial * coefficient(k) + s * sum;
  }
  return sum;
}

}  // namespace

double scaled_tail(Polynomial polynomial, int n, double s) {
  return sum_of_tail(polynomial.degree(), n, s, [&](int k) { return polynomial[k]; });
}

double largest_motion(Polynomial polynomial, int n, double s) {
  return s * sum_of_tail(polynomial.degree(), n, s, [&](int k) { return std::abs(polynomial[k]); });
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

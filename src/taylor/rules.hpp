// The recurrences for Taylor coefficients, one per operation; derivations in
// docs/theory/taylor-rules.md. Notation: u, v are the arguments' coefficients, z the result's, k
// the coefficient wanted; everything below k is known. Coefficients are those of powers of
// tau = (t - t0)/h: u_k is h^k u^(k)/k!. Scalar is double, or linear::Rounded for a running bound
// of the rounding error.
//
// For k >= 1 each rule is affine in the newest coefficients u_k, v_k; the *_change rules say by how
// much z_k changes when those change by du, dv. (For k = 0 too, where the operation is linear in
// what changes.)
#pragma once

#include <cstddef>

namespace daedal::taylor {

inline double factorial(int k) {
  double result = 1.0;
  for (int j = 2; j <= k; ++j) result *= j;
  return result;
}

// (k+1)(k+2)...(k+n) = (k+n)!/k!
inline double rising_factorial(int k, int n) {
  double result = 1.0;
  for (int j = k + 1; j <= k + n; ++j) result *= j;
  return result;
}

// One node's coefficients in a table [order][node].
template <typename Scalar>
class SeriesView {
 public:
  SeriesView(const Scalar* first, std::size_t stride) : first_(first), stride_(stride) {}
  const Scalar& operator[](int k) const { return first_[static_cast<std::size_t>(k) * stride_]; }

 private:
  const Scalar* first_;
  std::size_t stride_;
};

// The sums of all convolutions: even and odd j apart, which halves the chain of additions that wait
// for each other. Products and sums are rounded separately (no fused multiply-add), so that every
// processor gives the same bits; the packed kernels do the same operations in the same order.
template <typename Scalar>
class ConvolutionSum {
 public:
  void add(int j, Scalar term) { (j % 2 == 0 ? even_ : odd_) += term; }
  Scalar total() const { return even_ + odd_; }

 private:
  Scalar even_ = 0.0, odd_ = 0.0;
};

// T-mul: z = u v,  z_k = sum_{j=0..k} u_j v_{k-j}
template <typename Scalar>
Scalar multiply_rule(int k, SeriesView<Scalar> u, SeriesView<Scalar> v) {
  ConvolutionSum<Scalar> sum;
  for (int j = 0; j <= k; ++j) sum.add(j, u[j] * v[k - j]);
  return sum.total();
}

// T-sqr: z = u^2,  z_k = 2 sum_{j<k/2} u_j u_{k-j}, plus u_{k/2}^2 for even k
template <typename Scalar>
Scalar square_rule(int k, SeriesView<Scalar> u) {
  ConvolutionSum<Scalar> sum;
  for (int j = 0; 2 * j < k; ++j) sum.add(j, u[j] * u[k - j]);
  const Scalar twice = Scalar(2.0) * sum.total();
  return k % 2 == 0 ? twice + u[k / 2] * u[k / 2] : twice;
}

// T-div: z = u/v,  z_k = (u_k - sum_{j=1..k} v_j z_{k-j}) / v_0
template <typename Scalar>
Scalar divide_rule(int k, SeriesView<Scalar> u, SeriesView<Scalar> v, SeriesView<Scalar> z) {
  if (k == 0) return u[0] / v[0];
  ConvolutionSum<Scalar> sum;
  for (int j = 1; j <= k; ++j) sum.add(j, v[j] * z[k - j]);
  return (u[k] - sum.total()) * (Scalar(1.0) / v[0]);
}

// T-pow: z = u^r, k >= 1,  k u_0 z_k = sum_{j=1..k} (r j - (k-j)) u_j z_{k-j};  needs u_0 != 0
template <typename Scalar>
Scalar power_rule(int k, SeriesView<Scalar> u, double r, SeriesView<Scalar> z) {
  ConvolutionSum<Scalar> sum;
  for (int j = 1; j <= k; ++j) sum.add(j, Scalar((r + 1) * j - k) * (u[j] * z[k - j]));
  return Scalar(1.0 / k) * (sum.total() * (Scalar(1.0) / u[0]));
}

// T-fun: z = f(u), g = f'(u), k >= 1,  k z_k = sum_{j=1..k} j u_j g_{k-j}
template <typename Scalar>
Scalar function_rule(int k, SeriesView<Scalar> u, SeriesView<Scalar> g) {
  ConvolutionSum<Scalar> sum;
  for (int j = 1; j <= k; ++j) sum.add(j, Scalar(j) * u[j] * g[k - j]);
  return Scalar(1.0 / k) * sum.total();
}

}  // namespace daedal::taylor

// The recurrences for Taylor coefficients, one per operation; derivations in
// docs/theory/taylor-rules.md. Notation: u, v are the arguments' coefficients, z the result's, k
// the coefficient wanted; everything below k is known. Scalar is double, or base::Rounded for a
// running bound of the rounding error.
#pragma once

#include <span>

namespace daedal::taylor {

inline double factorial(int k) {
  double result = 1.0;
  for (int j = 2; j <= k; ++j) result *= j;
  return result;
}

// T-shift: z = d^n u/dt^n,  z_k = (k+n)!/k! u_{k+n}
template <typename Scalar>
Scalar shift_rule(int k, int n, std::span<const Scalar> u) {
  double factor = 1.0;
  for (int j = k + 1; j <= k + n; ++j) factor *= j;
  return Scalar(factor) * u[k + n];
}

// T-mul: z = u v,  z_k = sum_{j=0..k} u_j v_{k-j}
template <typename Scalar>
Scalar multiply_rule(int k, std::span<const Scalar> u, std::span<const Scalar> v) {
  Scalar sum = 0.0;
  for (int j = 0; j <= k; ++j) sum += u[j] * v[k - j];
  return sum;
}

// T-sqr: z = u^2,  z_k = 2 sum_{j<k/2} u_j u_{k-j}, plus u_{k/2}^2 for even k
template <typename Scalar>
Scalar square_rule(int k, std::span<const Scalar> u) {
  Scalar sum = 0.0;
  for (int j = 0; 2 * j < k; ++j) sum += u[j] * u[k - j];
  sum *= 2.0;
  return k % 2 == 0 ? sum + u[k / 2] * u[k / 2] : sum;
}

// T-div: z = u/v,  z_k = (u_k - sum_{j=1..k} v_j z_{k-j}) / v_0
template <typename Scalar>
Scalar divide_rule(int k, std::span<const Scalar> u, std::span<const Scalar> v,
                   std::span<const Scalar> z) {
  Scalar sum = u[k];
  for (int j = 1; j <= k; ++j) sum -= v[j] * z[k - j];
  return sum / v[0];
}

// T-pow: z = u^r, k >= 1,  k u_0 z_k = sum_{j=1..k} (r j - (k-j)) u_j z_{k-j};  needs u_0 != 0
template <typename Scalar>
Scalar power_rule(int k, std::span<const Scalar> u, double r, std::span<const Scalar> z) {
  Scalar sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += Scalar(r * j - (k - j)) * u[j] * z[k - j];
  return sum / (Scalar(k) * u[0]);
}

// T-fun: z = f(u), g = f'(u), k >= 1,  k z_k = sum_{j=1..k} j u_j g_{k-j}
template <typename Scalar>
Scalar function_rule(int k, std::span<const Scalar> u, std::span<const Scalar> g) {
  Scalar sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += Scalar(j) * u[j] * g[k - j];
  return sum / Scalar(k);
}

}  // namespace daedal::taylor

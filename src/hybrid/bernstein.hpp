// Polynomials in Bernstein form on [0, 1]: p(x) = sum_i b_i C(n,i) x^i (1-x)^(n-i).
//
// p stays between the smallest and the largest b_i; b_0 and b_n are its values at the ends; it has
// at most as many roots inside as its coefficients change their sign, and an even number fewer
// (Descartes' rule) [CollinsAkritas1976].
#pragma once

#include <array>
#include <span>

namespace daedal::hybrid {

// b_i = sum_k C(i,k)/C(n,k) q_k of p(x) = sum_k q_k x^k, in place. All weights lie between 0 and 1,
// and sums of weighted q_k are all there is. So the error of b_i is at most 4 n 2^-53 e_i, where e
// is the Bernstein form of sum_k |q_k| x^k.
void to_bernstein(std::span<double> q);

// The Bernstein form of degree 7, unrolled.
inline void to_bernstein(std::array<double, 8>& q) {
  constexpr double by_binomial[] = {1.0,      1.0 / 7,  1.0 / 21, 1.0 / 35,
                                    1.0 / 35, 1.0 / 21, 1.0 / 7,  1.0};
  for (int k = 1; k < 7; ++k) q[k] *= by_binomial[k];
  for (int first = 7; first >= 1; --first)
    for (int i = first; i <= 7; ++i) q[i] += q[i - 1];
}

// De Casteljau: `right` comes with the coefficients on [0, 1]; the halves leave with theirs. Means
// only: error at most n 2^-53 times the same means of absolute values.
void halve(std::span<double> left, std::span<double> right);

}  // namespace daedal::hybrid

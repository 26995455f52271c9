#include "hybrid/bernstein.hpp"

namespace daedal::hybrid {

void to_bernstein(std::span<double> q) {
  const std::size_t n = q.size() - 1;
  double binomial = 1.0;  // C(n,k)
  for (std::size_t k = 1; k <= n; ++k) {
    binomial = binomial * static_cast<double>(n + 1 - k) / static_cast<double>(k);
    q[k] /= binomial;
  }
  // sum_k C(i,k) c_k by the rule of Pascal's triangle
  for (std::size_t first = n; first >= 1; --first)
    for (std::size_t i = first; i <= n; ++i) q[i] += q[i - 1];
}

void halve(std::span<double> left, std::span<double> right) {
  const std::size_t n = right.size() - 1;
  for (std::size_t round = 0; round < n; ++round) {
    left[round] = right[0];
    for (std::size_t i = 0; i < n - round; ++i) right[i] = 0.5 * (right[i] + right[i + 1]);
  }
  left[n] = right[0];
}

}  // namespace daedal::hybrid

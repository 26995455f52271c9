#include "integrate/hermite.hpp"

#include <algorithm>

namespace daedal::integrate {

void Hermite::interpolate(std::span<const double> begin, std::span<const double> end,
                          std::span<double> result) {
  const auto size = static_cast<int>(begin.size());  // m + 1
  std::copy(begin.begin(), begin.end(), result.begin());
  for (int l = 0; l < size; ++l) {  // b_l - T^(l)(1)/l!
    double taylor = 0.0, binomial = 1.0;
    for (int k = l; k < size; ++k) {
      taylor += binomial * begin[k];
      binomial = binomial * (k + 1) / (k + 1 - l);
    }
    rest_[l] = end[l] - taylor;
  }
  for (int l = size - 1; l >= 0; --l) {  // times sum_i C(m+i, i) (-u)^i, u = s - 1
    double sum = 0.0, factor = 1.0;
    for (int i = 0; i <= l; ++i) {
      sum += factor * rest_[l - i];
      factor *= -static_cast<double>(size + i) / (i + 1);
    }
    rest_[l] = sum;
  }
  const auto q = result.subspan(size);  // powers of s - 1 to powers of s
  std::copy_n(rest_.begin(), size, q.begin());
  for (int first = 0; first < size - 1; ++first)
    for (int k = size - 2; k >= first; --k) q[k] -= q[k + 1];
}

}  // namespace daedal::integrate

#pragma once

#include <vector>

namespace daedal::test {

// The coefficients of prod (s - root), rounded once.
inline std::vector<double> with_roots(const std::vector<long double>& roots) {
  std::vector<long double> p = {1.0L};
  for (const long double root : roots) {
    p.push_back(0.0L);
    for (std::size_t k = p.size(); k-- > 0;) p[k] = (k > 0 ? p[k - 1] : 0.0L) - root * p[k];
  }
  return {p.begin(), p.end()};
}

inline long double value(const std::vector<double>& p, long double s) {
  long double sum = 0.0L;
  for (std::size_t k = p.size(); k-- > 0;) sum = p[k] + s * sum;
  return sum;
}

// sum |p_k s^k|
inline long double size(const std::vector<double>& p, long double s) {
  long double sum = 0.0L;
  for (std::size_t k = p.size(); k-- > 0;) sum = (p[k] < 0 ? -p[k] : p[k]) + (s < 0 ? -s : s) * sum;
  return sum;
}

// p(a + s)
inline std::vector<double> expanded_at(const std::vector<double>& p, long double a) {
  std::vector<long double> c(p.begin(), p.end());
  for (std::size_t first = 0; first + 1 < c.size(); ++first)
    for (std::size_t k = c.size() - 1; k-- > first;) c[k] += a * c[k + 1];
  return {c.begin(), c.end()};
}

}  // namespace daedal::test

// A number with its N partial derivatives: exact Jacobians from the residual as it is written.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace daedal::benchmarks {

using std::cos;  // so that one residual serves both kinds of numbers
using std::sin;
using std::sqrt;

template <int N>
struct Dual {
  double value = 0.0;
  std::array<double, N> partial = {};

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): a number is a constant
};

// f(a) with f'(a) = slope.
template <int N>
Dual<N> chain(const Dual<N>& a, double value, double slope) {
  Dual<N> result(value);
  for (std::size_t j = 0; j < N; ++j) result.partial[j] = slope * a.partial[j];
  return result;
}
template <int N>
Dual<N> chain(const Dual<N>& a, const Dual<N>& b, double value, double by_a, double by_b) {
  Dual<N> result(value);
  for (std::size_t j = 0; j < N; ++j) result.partial[j] = by_a * a.partial[j] + by_b * b.partial[j];
  return result;
}

template <int N>
Dual<N> operator-(const Dual<N>& a) {
  return chain(a, -a.value, -1);
}
template <int N>
Dual<N> operator+(const Dual<N>& a, const Dual<N>& b) {
  return chain(a, b, a.value + b.value, 1, 1);
}
template <int N>
Dual<N> operator-(const Dual<N>& a, const Dual<N>& b) {
  return chain(a, b, a.value - b.value, 1, -1);
}
template <int N>
Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
  return chain(a, b, a.value * b.value, b.value, a.value);
}
template <int N>
Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
  return chain(a, b, a.value / b.value, 1 / b.value, -a.value / (b.value * b.value));
}
template <int N>
Dual<N> operator+(const Dual<N>& a, double b) {
  return chain(a, a.value + b, 1);
}
template <int N>
Dual<N> operator+(double a, const Dual<N>& b) {
  return b + a;
}
template <int N>
Dual<N> operator-(const Dual<N>& a, double b) {
  return chain(a, a.value - b, 1);
}
template <int N>
Dual<N> operator-(double a, const Dual<N>& b) {
  return chain(b, a - b.value, -1);
}
template <int N>
Dual<N> operator*(double a, const Dual<N>& b) {
  return chain(b, a * b.value, a);
}
template <int N>
Dual<N> operator*(const Dual<N>& a, double b) {
  return b * a;
}
template <int N>
Dual<N> operator/(const Dual<N>& a, double b) {
  return chain(a, a.value / b, 1 / b);
}
template <int N>
Dual<N> operator/(double a, const Dual<N>& b) {
  return chain(b, a / b.value, -a / (b.value * b.value));
}
template <int N>
Dual<N> sin(const Dual<N>& a) {
  return chain(a, std::sin(a.value), std::cos(a.value));
}
template <int N>
Dual<N> cos(const Dual<N>& a) {
  return chain(a, std::cos(a.value), -std::sin(a.value));
}
template <int N>
Dual<N> sqrt(const Dual<N>& a) {
  return chain(a, std::sqrt(a.value), 0.5 / std::sqrt(a.value));
}

}  // namespace daedal::benchmarks

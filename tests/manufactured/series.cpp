#include "manufactured/series.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace daedal::manufactured {
namespace {

std::size_t common_length(const Series& a, const Series& b) { return std::min(a.size(), b.size()); }

// The series with the value given whose derivative is a' slope: u' = slope(u) a', where
// coefficient k of slope may depend on u up to k.
Series integrate_slope(const Series& a, Real value,
                       const std::function<Series(const Series&)>& slope) {
  Series u = {value};
  for (std::size_t k = 1; k < a.size(); ++k) {
    const Series factor = slope(u);
    Real sum = 0;
    for (std::size_t m = 1; m <= k; ++m) sum += static_cast<Real>(m) * a[m] * factor[k - m];
    u.push_back(sum / static_cast<Real>(k));
  }
  return u;
}

Series negative(Series a) {
  for (Real& coefficient : a) coefficient = -coefficient;
  return a;
}

}  // namespace

Series constant(Real value, int length) {
  Series result(static_cast<std::size_t>(length), 0);
  result[0] = value;
  return result;
}

Series add(const Series& a, const Series& b) {
  Series result(common_length(a, b));
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = a[k] + b[k];
  return result;
}

Series multiply(const Series& a, const Series& b) {
  Series result(common_length(a, b), 0);
  for (std::size_t k = 0; k < result.size(); ++k)
    for (std::size_t m = 0; m <= k; ++m) result[k] += a[m] * b[k - m];
  return result;
}

Series divide(const Series& a, const Series& b) {
  Series result(common_length(a, b));
  for (std::size_t k = 0; k < result.size(); ++k) {
    Real sum = a[k];
    for (std::size_t m = 1; m <= k; ++m) sum -= b[m] * result[k - m];
    result[k] = sum / b[0];
  }
  return result;
}

Series exp(const Series& a) {
  return integrate_slope(a, std::exp(a[0]), [](const Series& u) { return u; });
}

// The derivative of sin a is cos a a', that of cos a is -sin a a': both are known up to k.
Series sin(const Series& a) {
  Series s = {std::sin(a[0])}, c = {std::cos(a[0])};
  for (std::size_t k = 1; k < a.size(); ++k) {
    Real of_sine = 0, of_cosine = 0;
    for (std::size_t m = 1; m <= k; ++m) {
      of_sine += static_cast<Real>(m) * a[m] * c[k - m];
      of_cosine -= static_cast<Real>(m) * a[m] * s[k - m];
    }
    s.push_back(of_sine / static_cast<Real>(k));
    c.push_back(of_cosine / static_cast<Real>(k));
  }
  return s;
}

Series cos(const Series& a) {
  Series shifted = a;
  shifted[0] += 1.57079632679489661923132169163975144L;
  return sin(shifted);
}

Series tanh(const Series& a) {
  return integrate_slope(a, std::tanh(a[0]), [](const Series& u) {
    return add(constant(1, static_cast<int>(u.size())), negative(multiply(u, u)));
  });
}

Series atan(const Series& a) {
  const Series slope = divide(constant(1, static_cast<int>(a.size())),
                              add(constant(1, static_cast<int>(a.size())), multiply(a, a)));
  return integrate_slope(a, std::atan(a[0]), [&](const Series&) { return slope; });
}

Series power(const Series& a, Real exponent) {
  Series u = {std::pow(a[0], exponent)};
  for (std::size_t k = 1; k < a.size(); ++k) {  // a u' = exponent a' u
    Real sum = 0;
    for (std::size_t m = 1; m <= k; ++m)
      sum += (exponent * static_cast<Real>(m) - static_cast<Real>(k - m)) * a[m] * u[k - m];
    u.push_back(sum / (static_cast<Real>(k) * a[0]));
  }
  return u;
}

Series derivative(const Series& a, int order) {
  Series result = a;
  for (int n = 0; n < order; ++n) {
    for (std::size_t k = 1; k < result.size(); ++k)
      result[k - 1] = static_cast<Real>(k) * result[k];
    result.pop_back();
  }
  return result;
}

}  // namespace daedal::manufactured

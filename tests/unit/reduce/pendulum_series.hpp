// The pendulum x = sin a, y = -cos a, a'' = -sin a in order one, at rest at a = 3 pi/4, and its
// Taylor coefficients by the recursions of sine and cosine: a witness that knows of no derivative
// array.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "daedal/model.hpp"

namespace daedal::test {

inline Model unit_pendulum() {
  Model model("Pendulum");
  const auto x = model.variable("x"), y = model.variable("y"), vx = model.variable("vx"),
             vy = model.variable("vy"), lambda = model.variable("lambda");
  model.equation(der(x) == vx);
  model.equation(der(y) == vy);
  model.equation(der(vx) == 2 * lambda * x);
  model.equation(der(vy) == 2 * lambda * y - 1);
  model.equation(sqr(x) + sqr(y) == 1);
  return model;
}

// [unknown][m]: coefficients of x, y, vx, vy, lambda up to this degree.
inline std::vector<std::vector<double>> pendulum_series(int degree) {
  const auto size = static_cast<std::size_t>(degree) + 3;
  std::vector<double> a(size, 0.0), s(size, 0.0), c(size, 0.0);
  a[0] = 0.75 * std::numbers::pi;
  s[0] = std::sin(a[0]);
  c[0] = std::cos(a[0]);
  for (std::size_t k = 1; k < size; ++k) {
    const auto order = static_cast<double>(k);
    if (k >= 2) a[k] = -s[k - 2] / (order * (order - 1));
    for (std::size_t j = 1; j <= k; ++j) {
      s[k] += static_cast<double>(j) / order * a[j] * c[k - j];
      c[k] -= static_cast<double>(j) / order * a[j] * s[k - j];
    }
  }
  std::vector<std::vector<double>> z(5);
  for (std::size_t m = 0; m <= static_cast<std::size_t>(degree); ++m) {
    const auto next = static_cast<double>(m + 1);
    z[0].push_back(s[m]);
    z[1].push_back(-c[m]);
    z[2].push_back(next * s[m + 1]);
    z[3].push_back(-next * c[m + 1]);
    // 2 lambda = y - a'^2, from (x x'' + y y'') = -(vx^2 + vy^2)
    double squared = 0.0;
    for (std::size_t j = 0; j <= m; ++j)
      squared += static_cast<double>((j + 1) * (m - j + 1)) * a[j + 1] * a[m - j + 1];
    z[4].push_back((-c[m] - squared) / 2);
  }
  return z;
}

}  // namespace daedal::test

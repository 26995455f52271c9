#include "manufactured/sensitivity.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::manufactured {
namespace {

using Matrix = std::vector<std::vector<Real>>;

constexpr Real difference = 1e-9L;  // of values near 1; half of the digits of extended precision

std::vector<Real> values_of(const std::vector<Series>& series) {
  std::vector<Real> values;
  for (const Series& s : series) values.push_back(s[0]);
  return values;
}

// dz_i/dx_j at the exact solution.
Matrix change_of_unknowns(const Problem& problem, double t, const std::vector<Real>& x) {
  const std::size_t n = x.size();
  Matrix result(n, std::vector<Real>(n));
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Real> left = x, right = x;
    left[j] -= difference;
    right[j] += difference;
    const std::vector<Real> a = problem.unknowns_at(left, t), b = problem.unknowns_at(right, t);
    for (std::size_t i = 0; i < n; ++i) result[i][j] = (b[i] - a[i]) / (2 * difference);
  }
  return result;
}

// Gauss-Jordan elimination with pivots by column.
Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix b(n, std::vector<Real>(n, 0));
  for (std::size_t k = 0; k < n; ++k) b[k][k] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      const Real factor = i == k ? 0 : a[i][k] / a[k][k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
        b[i][j] -= factor * b[k][j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b[i][j] /= a[i][i];
  return b;
}

double mixing_at(const Problem& problem, double t) {
  const std::vector<Real> x = values_of(problem.exact(t, 1));
  const Matrix to_z = change_of_unknowns(problem, t, x), to_x = inverse(to_z);
  Real largest = 1;
  for (std::size_t j = 0; j < x.size(); ++j) {
    Real sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < x.size(); ++k)
        sum += std::abs(to_x[j][k]) * std::abs(to_z[k][i]) * (1 + std::abs(x[i]));
    largest = std::max(largest, sum / (1 + std::abs(x[j])));
  }
  return static_cast<double>(largest);
}

// d left/dz_j^(k) at the exact solution.
Real partial(const Term& left, std::vector<Series> z, const Series& time, std::size_t j, int k) {
  const Real step = difference / std::tgamma(static_cast<Real>(k) + 1);
  Real& coefficient = z[j][static_cast<std::size_t>(k)];
  coefficient -= step;
  const Real below = evaluate(left, z, time)[0];
  coefficient += 2 * step;
  return (evaluate(left, z, time)[0] - below) / (2 * difference);
}

double rate_at(const Problem& problem, double t) {
  const std::vector<Series> z = problem.exact_unknowns(t, max_order + 1);
  const Series time = time_series(t, max_order + 1);
  Real largest = 0;
  for (const CanonicalEquation& equation : problem.system().equations) {
    if (equation.state < 0) continue;
    const auto state = static_cast<std::size_t>(equation.state);
    Real sum = 0;
    for (std::size_t j = 0; j < z.size(); ++j)
      for (int k = 0; k <= (j == state ? equation.state_order - 1 : 0); ++k)
        sum += std::abs(partial(equation.left, z, time, j, k));
    largest = std::max(
        largest, sum / std::abs(partial(equation.left, z, time, state, equation.state_order)));
  }
  return static_cast<double>(largest);
}

}  // namespace

Sensitivity sensitivity_of(const Problem& problem) {
  Sensitivity result;
  for (const double t : problem.times()) {
    result.mixing = std::max(result.mixing, mixing_at(problem, t));
    result.rate = std::max(result.rate, rate_at(problem, t));
  }
  result.growth = result.mixing * std::exp(result.rate * (problem.to() - problem.from())) *
                  std::pow(1.0 + result.rate, 3);
  return result;
}

}  // namespace daedal::manufactured

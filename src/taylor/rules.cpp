#include "taylor/rules.hpp"

namespace daedal::taylor {

double factorial(int k) {
  double result = 1.0;
  for (int j = 2; j <= k; ++j) result *= j;
  return result;
}

double shift_rule(int k, int n, std::span<const double> u) {
  double factor = 1.0;
  for (int j = k + 1; j <= k + n; ++j) factor *= j;
  return factor * u[k + n];
}

double multiply_rule(int k, std::span<const double> u, std::span<const double> v) {
  double sum = 0.0;
  for (int j = 0; j <= k; ++j) sum += u[j] * v[k - j];
  return sum;
}

double square_rule(int k, std::span<const double> u) {
  double sum = 0.0;
  for (int j = 0; 2 * j < k; ++j) sum += u[j] * u[k - j];
  sum *= 2.0;
  return k % 2 == 0 ? sum + u[k / 2] * u[k / 2] : sum;
}

double divide_rule(int k, std::span<const double> u, std::span<const double> v,
                   std::span<const double> z) {
  double sum = u[k];
  for (int j = 1; j <= k; ++j) sum -= v[j] * z[k - j];
  return sum / v[0];
}

double power_rule(int k, std::span<const double> u, double r, std::span<const double> z) {
  double sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += (r * j - (k - j)) * u[j] * z[k - j];
  return sum / (k * u[0]);
}

double function_rule(int k, std::span<const double> u, std::span<const double> g) {
  double sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += j * u[j] * g[k - j];
  return sum / k;
}

}  // namespace daedal::taylor

#include "integrate/bdf/bdf_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

// Coefficient m of x_j^(l) is (l + m)!/m! times coefficient l + m of x_j.
std::vector<double> differentiated(const std::vector<double>& series, int times) {
  std::vector<double> result;
  for (std::size_t m = 0; m + times < series.size(); ++m) {
    double factor = 1.0;
    for (int l = 1; l <= times; ++l) factor *= static_cast<double>(m) + l;
    result.push_back(factor * series[m + times]);
  }
  if (result.empty()) result.push_back(0.0);
  return result;
}

// Bound of the error of the first step of order k, of length h, divided by its weight. A formula of
// order k turns the term a_m h^m into an error of at most k! a_m h^m for m = k + 1, and about k
// times more with every further power.
double first_error(const std::vector<double>& series, double weight, int order, double h) {
  double factor = std::tgamma(order + 1.0) * std::pow(h, order + 1), sum = 0.0;
  for (std::size_t m = order + 1; m < series.size(); ++m) {
    sum += factor * std::abs(series[m]);
    factor *= order * h;
  }
  return sum / weight;
}

double first_error(const Coefficients& series, const BdfScales& scales, int order, double h) {
  double largest = 0.0;
  for (std::size_t u = 0; u < series.size(); ++u) {
    if (scales.is_auxiliary[u]) continue;
    const double error = first_error(series[u], scales.weight(static_cast<int>(u), h), order, h);
    if (std::isnan(error)) return error;
    largest = std::max(largest, error);
  }
  return largest;
}

// The first of the steps longest, longest/2, ... that is accurate.
double accurate_step(const Coefficients& series, const BdfScales& scales, int order,
                     double longest) {
  constexpr double largest_error = 0.5;
  constexpr int most_halvings = 60;
  double h = longest;
  for (int k = 0; k < most_halvings && !(first_error(series, scales, order, h) <= largest_error);
       ++k)
    h /= 2;
  return h;
}

// Without terms that show the error: z moves by sqrt(accuracy) of its size at most, so that
// an error of second order is within the tolerance.
BdfStart cautious_start(const Coefficients& series, const BdfScales& scales, int order,
                        double longest) {
  double step = 1e-3 * longest;
  for (std::size_t u = 0; u < series.size(); ++u)
    if (series[u].size() > 1 && series[u][1] != 0.0)
      step = std::min(step, std::sqrt(scales.accuracy) * scales.sizes[u] / std::abs(series[u][1]));
  return {order, step};
}

}  // namespace

double BdfScales::weight(int u, double h) const {
  if (levels[u] == 1) return accuracy * sizes[u];
  // Every level is a slope, whose coefficients add up to 8 times the first; the estimate sees ten
  // times the rounding of what it compares.
  constexpr double noise = 10 * std::numeric_limits<double>::epsilon(), growth = 8.0;
  return std::max(accuracy, noise * std::pow(growth, levels[u] - 1)) * sizes[u] *
         std::pow(std::max(1.0, time_units[u] / h), levels[u] - 1);
}

Coefficients series_of_form(const reduce::IndexForm& form, double t,
                            const std::vector<std::vector<double>>& derivatives,
                            const SeriesContinuation& continue_series) {
  Coefficients given = derivatives;
  for (std::vector<double>& series : given) {
    double factorial = 1.0;
    for (std::size_t m = 1; m < series.size(); ++m)
      series[m] /= factorial *= static_cast<double>(m);
  }
  Coefficients continued = given;
  if (continue_series && continue_series(t, continued)) given = std::move(continued);
  Coefficients result;
  for (const auto [unknown, order] : form.meaning)
    result.push_back(differentiated(given[unknown], order));
  return result;
}

double value_of(const std::vector<double>& coefficients, double h) {
  double sum = 0.0;
  for (std::size_t m = coefficients.size(); m-- > 0;) sum = sum * h + coefficients[m];
  return sum;
}

BdfStart choose_start(const Coefficients& series, const BdfScales& scales, int lowest_order,
                      int highest_order, double longest) {
  std::size_t num_known = series.empty() ? 0 : series[0].size();
  for (std::size_t u = 0; u < series.size(); ++u)
    if (!scales.is_auxiliary[u]) num_known = std::min(num_known, series[u].size());
  // Two terms of the error at least: one of them may vanish by symmetry.
  highest_order = std::min(highest_order, static_cast<int>(num_known) - 3);
  if (highest_order < lowest_order) return cautious_start(series, scales, lowest_order, longest);
  BdfStart best;
  for (int order = lowest_order; order <= highest_order; ++order) {
    const double step = accurate_step(series, scales, order, longest);
    if (step > best.step) best = {order, step};
  }
  return best;
}

}  // namespace daedal::integrate

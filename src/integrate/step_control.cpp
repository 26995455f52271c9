#include "integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr int smallest_order = 4;
constexpr int largest_order = 60;
// Three of many: solutions with symmetries have every second coefficient zero. Of a short
// polynomial the third last is not among the small ones.
int num_last_terms(int degree) { return degree < 8 ? 2 : 3; }

// The first term left out is smaller than the last one kept by the factor (step/radius of
// convergence) only; this leaves room for what the estimate does not see.
constexpr double safety = 0.9;

double binomial(int k, int n) {
  double result = 1.0;
  for (int i = 1; i <= n; ++i) result *= static_cast<double>(k - n + i) / i;
  return result;
}

}  // namespace

int choose_order(const taylor::OperationCount& cost, double tolerance) {
  int best = smallest_order;
  double least = std::numeric_limits<double>::infinity();
  for (int p = smallest_order; p <= largest_order; ++p) {
    const double stages = p - 1;
    const double operations =
        cost.start + stages * cost.stage + 0.5 * stages * stages * cost.convolution;
    const double per_length = operations * std::pow(tolerance, -1.0 / p);
    if (per_length < least) {
      least = per_length;
      best = p;
    }
  }
  return best;
}

SeriesShape::SeriesShape(const taylor::SeriesSolver& series) {
  for (int j = 0; j < series.num_unknowns(); ++j) {
    layout.first.push_back(layout.first.back() + series.degree(j) + 1);
    local_orders.push_back(series.local_order(j));
  }
}

ErrorScales::ErrorScales(double tolerance, std::vector<double> nominals, const SeriesShape& shape)
    : tolerance_(tolerance), nominals_(std::move(nominals)), first_{0}, weights_(nominals_.size()) {
  for (const int order : shape.local_orders) first_.push_back(first_.back() + std::max(order, 1));
  floors_.resize(first_.back());
  begin(1.0);
}

void ErrorScales::begin(double duration) {
  for (std::size_t j = 0; j < nominals_.size(); ++j) {
    double floor = nominals_[j];
    for (int k = first_[j]; k < first_[j + 1]; ++k) {
      floors_[k] = floor;
      if (duration > 0.0) floor /= duration;
    }
  }
  scales_ = floors_;
}

void ErrorScales::set_size(int unknown, int n, double size) {
  double& scale = scales_[first_[unknown] + n];
  const double now = floors_[first_[unknown] + n] + size;
  scale = n == 0 ? now : std::max(scale, now);
  if (n == 0) weights_[unknown] = tolerance_ * scale;
}

void ErrorScales::forget_slowly() {
  constexpr double memory = 0.9;
  for (std::size_t k = 0; k < scales_.size(); ++k)
    scales_[k] = std::max(memory * scales_[k], floors_[k]);
}

namespace {

struct Limit {
  double step = std::numeric_limits<double>::infinity();
  int unknown = -1;
};

// Where the first term left out of a series of this degree is expected to reach the tolerance, if
// coefficient k, relative to the scale of the series, is `term`.
double reach(double term, int k, int degree, double tolerance) {
  return safety * std::pow(term, -1.0 / k) * std::pow(tolerance, 1.0 / (degree + 1));
}

Limit step_limit(const solution::Step& step, const SeriesShape& shape, const ErrorScales& scales) {
  Limit limit;
  for (int j = 0; j < shape.layout.num_unknowns(); ++j) {
    const auto x = step.polynomial(shape.layout, j);
    double unit = 1.0;  // s^n/n!: what x^(n) is multiplied with in the series
    for (int n = 0; n < std::max(shape.local_orders[j], 1); ++n, unit *= step.scale / n) {
      const int degree = shape.layout.degree(j) - n;
      const double scale = unit * scales.scale(j, n);
      for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k) {
        const double term = binomial(k + n, n) * std::abs(x[k + n]) / scale;
        if (term == 0.0) continue;
        const double longest = step.scale * reach(term, k, degree, scales.tolerance());
        if (longest < limit.step) limit = {longest, j};
      }
    }
  }
  return limit;
}

}  // namespace

double longest_step(const solution::Step& step, const SeriesShape& shape,
                    const ErrorScales& scales) {
  return step_limit(step, shape, scales).step;
}

double longest_accurate(std::span<const double> polynomial, double tolerance) {
  const int degree = static_cast<int>(polynomial.size()) - 1;
  double scale = 0.0, longest = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= std::min(degree, 2); ++k) scale = std::max(scale, std::abs(polynomial[k]));
  for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k)
    if (scale > 0.0 && polynomial[k] != 0.0)
      longest = std::min(longest, reach(std::abs(polynomial[k]) / scale, k, degree, tolerance));
  return longest;
}

double radius_of_convergence(const solution::Step& step, const SeriesShape& shape,
                             const ErrorScales& scales) {
  const Limit limit = step_limit(step, shape, scales);
  if (limit.unknown < 0) return limit.step;
  const auto x = step.polynomial(shape.layout, limit.unknown);
  const std::size_t last = x.size() - 1;
  if (last < 2 || x[last] == 0.0) return limit.step;
  return x[last - 1] != 0.0 ? step.scale * std::abs(x[last - 1] / x[last])
                            : step.scale * std::sqrt(std::abs(x[last - 2] / x[last]));
}

}  // namespace daedal::integrate

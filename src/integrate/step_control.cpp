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

void ErrorWeights::set_value(int unknown, double value) {
  weights_[unknown] = tolerance_ * (nominals_[unknown] + std::abs(value));
}

SeriesShape::SeriesShape(const taylor::SeriesSolver& series) {
  for (int j = 0; j < series.num_unknowns(); ++j) {
    layout.first.push_back(layout.first.back() + series.degree(j) + 1);
    local_orders.push_back(series.local_order(j));
  }
}

namespace {

struct Limit {
  double step = std::numeric_limits<double>::infinity();
  int unknown = -1;
};

Limit step_limit(const solution::Step& step, const SeriesShape& shape,
                 const ErrorWeights& weights) {
  Limit limit;
  for (int j = 0; j < shape.layout.num_unknowns(); ++j) {
    const auto x = step.polynomial(shape.layout, j);
    const int degree = shape.layout.degree(j);
    const int derivative = std::max(shape.local_orders[j] - 1, 0);
    const double scale = weights[j] / weights.tolerance();
    for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k) {
      const double term = binomial(k, std::min(derivative, k)) * std::abs(x[k]) / scale;
      if (term == 0.0) continue;
      const double radius = step.scale * std::pow(term, -1.0 / k);
      const double longest = safety * radius * std::pow(weights.tolerance(), 1.0 / (degree + 1));
      if (longest < limit.step) limit = {longest, j};
    }
  }
  return limit;
}

}  // namespace

double longest_step(const solution::Step& step, const SeriesShape& shape,
                    const ErrorWeights& weights) {
  return step_limit(step, shape, weights).step;
}

double radius_of_convergence(const solution::Step& step, const SeriesShape& shape,
                             const ErrorWeights& weights) {
  const Limit limit = step_limit(step, shape, weights);
  if (limit.unknown < 0) return limit.step;
  const auto x = step.polynomial(shape.layout, limit.unknown);
  const std::size_t last = x.size() - 1;
  if (last < 2 || x[last] == 0.0) return limit.step;
  return x[last - 1] != 0.0 ? step.scale * std::abs(x[last - 1] / x[last])
                            : step.scale * std::sqrt(std::abs(x[last - 2] / x[last]));
}

}  // namespace daedal::integrate

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

// Part of the tolerance that the first term left out may take; the rest is room for what the
// estimate does not see.
constexpr double share_of_first_term = 0.25;

// Beyond this a longer step is hardly worth anything, even where higher coefficients cost next to
// nothing: with stages of equal cost the best order is -ln(tol) [JorbaZou2005].
int highest_sensible(double tolerance) {
  return std::min(largest_order, smallest_order + static_cast<int>(-0.85 * std::log(tolerance)));
}

double binomial(int k, int n) {
  double result = 1.0;
  for (int i = 1; i <= n; ++i) result *= static_cast<double>(k - n + i) / i;
  return result;
}

}  // namespace

int choose_order(const taylor::OperationCount& cost, double tolerance) {
  int best = smallest_order;
  double least = std::numeric_limits<double>::infinity();
  for (int p = smallest_order; p <= highest_sensible(tolerance); ++p) {
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

SeriesShape::SeriesShape(std::vector<int> orders, std::vector<int> degrees,
                         std::vector<int> unknown_of_column)
    : local_orders(std::move(orders)), unknowns(std::move(unknown_of_column)) {
  layout.degrees = std::move(degrees);
  layout.column.resize(unknowns.size());
  for (int c = 0; c < num_columns(); ++c) {
    const int j = unknowns[c], order = local_orders[j], degree = layout.degrees[j];
    layout.column[j] = c;
    layout.num_rows = std::max(layout.num_rows, degree + 1);
    if (ranges.empty() || ranges.back().local_order != order || ranges.back().degree != degree)
      ranges.push_back({c, c, order, degree});
    ++ranges.back().last;
    counts_.resize(std::max(counts_.size(), static_cast<std::size_t>(order) + 1), 0);
    for (int n = 0; n <= order; ++n) ++counts_[n];
  }
}

namespace {

template <typename Function>
std::vector<int> by_unknown(const taylor::SeriesSolver& series, Function function) {
  std::vector<int> values;
  for (int j = 0; j < series.num_unknowns(); ++j) values.push_back(function(j));
  return values;
}

}  // namespace

SeriesShape::SeriesShape(const taylor::SeriesSolver& series)
    : SeriesShape(by_unknown(series, [&](int j) { return series.local_order(j); }),
                  by_unknown(series, [&](int j) { return series.degree(j); }),
                  {series.columns().begin(), series.columns().end()}) {}

ErrorScales::ErrorScales(double tolerance, std::span<const double> nominals,
                         const SeriesShape& shape)
    : tolerance_(tolerance), width_(nominals.size()) {
  for (const int j : shape.unknowns) nominals_.push_back(nominals[j]);
  floors_.resize(width_ * std::max(shape.highest_local_order(), 1));
  begin(1.0);
}

void ErrorScales::begin(double duration) {
  for (std::size_t c = 0; c < width_; ++c) {
    double floor = nominals_[c];
    for (std::size_t at = c; at < floors_.size(); at += width_) {
      floors_[at] = floor;
      if (duration > 0.0) floor /= duration;
    }
  }
  scales_ = floors_;
}

void ErrorScales::forget_slowly() {
  constexpr double memory = 0.9;
  for (std::size_t k = 0; k < scales_.size(); ++k)
    scales_[k] = std::max(memory * scales_[k], floors_[k]);
}

namespace {

// log2 of where the first term left out of a series of this degree is expected to reach the
// tolerance, if coefficient k, relative to the scale of the series, is `term`.
double log_reach(double term, int k, int degree, double log_tolerance) {
  return log_tolerance / (degree + 1) - std::log2(term) / k;
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

double largest_ratio(const double* x, const double* scale, int first, int last) {
  double largest = 0.0;
  for (int c = first; c < last; ++c) {
    const double ratio = std::abs(x[c]) / scale[c];
    largest = ratio > largest ? ratio : largest;
  }
  return largest;
}

// log2 of the longest step of these columns, in units of the step's scale.
double log_limit(const solution::Step& step, const SeriesShape& shape, const ErrorScales& scales,
                 const SeriesShape::Range& range) {
  const double log_tolerance = std::log2(share_of_first_term * scales.tolerance());
  double limit = unlimited, unit = 1.0;  // s^n/n!: what x^(n) is multiplied with in the series
  for (int n = 0; n < std::max(range.local_order, 1); ++n, unit *= step.scale / n) {
    const int degree = range.degree - n;
    for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k) {
      const double* row = step.coefficients.data() + (k + n) * shape.unknowns.size();
      const double term =
          binomial(k + n, n) / unit * largest_ratio(row, scales.scales(n), range.first, range.last);
      if (term > 0.0) limit = std::min(limit, log_reach(term, k, degree, log_tolerance));
    }
  }
  return limit;
}

}  // namespace

double longest_step(const solution::Step& step, const SeriesShape& shape,
                    const ErrorScales& scales) {
  double limit = unlimited;
  for (const SeriesShape::Range& range : shape.ranges)
    limit = std::min(limit, log_limit(step, shape, scales, range));
  return limit == unlimited ? unlimited : step.scale * std::exp2(limit);
}

double longest_accurate(std::span<const double> polynomial, double tolerance) {
  const int degree = static_cast<int>(polynomial.size()) - 1;
  double scale = 0.0, limit = unlimited;
  for (int k = 0; k <= std::min(degree, 2); ++k) scale = std::max(scale, std::abs(polynomial[k]));
  for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k)
    if (scale > 0.0 && polynomial[k] != 0.0)
      limit = std::min(limit, log_reach(std::abs(polynomial[k]) / scale, k, degree,
                                        std::log2(share_of_first_term * tolerance)));
  return limit == unlimited ? unlimited : std::exp2(limit);
}

double radius_of_convergence(const solution::Step& step, const SeriesShape& shape,
                             const ErrorScales& scales) {
  double limit = unlimited;
  int limiting = -1;
  for (const SeriesShape::Range& range : shape.ranges)
    for (int c = range.first; c < range.last; ++c) {
      const double own =
          log_limit(step, shape, scales, {c, c + 1, range.local_order, range.degree});
      if (own >= limit) continue;
      limit = own;
      limiting = c;
    }
  if (limiting < 0) return unlimited;
  const solution::Polynomial x = step.polynomial(shape.layout, shape.unknowns[limiting]);
  const int last = x.degree();
  if (last < 2 || x[last] == 0.0) return step.scale * std::exp2(limit);
  return x[last - 1] != 0.0 ? step.scale * std::abs(x[last - 1] / x[last])
                            : step.scale * std::sqrt(std::abs(x[last - 2] / x[last]));
}

}  // namespace daedal::integrate

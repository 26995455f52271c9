#include "integrate/taylor/step_control.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

constexpr int smallest_order = 4;
constexpr int cap_at_tolerance_1 = 6;
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
  return std::min(largest_order, cap_at_tolerance_1 + static_cast<int>(-std::log(tolerance)));
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

ErrorScales::ErrorScales(double tolerance, const SeriesShape& shape, int num_lanes)
    : shape_(shape),
      tolerance_(tolerance),
      num_lanes_(num_lanes),
      width_(shape.unknowns.size() * num_lanes_),
      nominals_(width_, 1.0),
      floors_(width_ * std::max(shape.highest_local_order(), 1) + taylor::kernel_overrun, 1.0),
      scales_(floors_) {}

void ErrorScales::set_nominals(std::span<const double> nominals, int lane) {
  for (std::size_t c = 0; c < shape_.unknowns.size(); ++c)
    nominals_[c * num_lanes_ + lane] = nominals[shape_.unknowns[c]];
}

void ErrorScales::begin(double duration, int lane) {
  for (std::size_t c = lane; c < width_; c += num_lanes_) {
    double floor = nominals_[c];
    for (std::size_t at = c; at + taylor::kernel_overrun < floors_.size(); at += width_) {
      floors_[at] = scales_[at] = floor;
      if (duration > 0.0) floor /= duration;
    }
  }
}

void ErrorScales::set_sizes(int n, const double* values, const double* factors) {
  const std::size_t count = shape_.num_judged(n) * num_lanes_;
  const double* floors = floors_.data() + n * width_;
  double* scales = scales_.data() + n * width_;
  for (std::size_t i = 0; i < count; ++i) {
    const double now = floors[i] + factors[i] * std::abs(values[i]);
    scales[i] = n == 0 || now > scales[i] ? now : scales[i];
  }
}

void ErrorScales::forget_slowly(int lane) {
  constexpr double memory = 0.9;
  for (std::size_t at = width_ + lane; at + taylor::kernel_overrun < scales_.size();
       at += num_lanes_)  // those of n = 0 are always the present ones
    scales_[at] = std::max(memory * scales_[at], floors_[at]);
}

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// log2 of positive numbers: exact for powers of two, linear between them, at most 0.09 less.
double rough_log2(double positive) {
  constexpr double bias = 1023.0;
  return 0x1p-52 * static_cast<double>(std::bit_cast<std::int64_t>(positive)) - bias;
}

}  // namespace

StepLimits::StepLimits(const SeriesShape& shape, const ErrorScales& scales)
    : shape_(shape), scales_(scales) {
  for (const SeriesShape::Range& range : shape.ranges)
    for (int n = 0; n < std::max(range.local_order, 1); ++n) {
      const int degree = range.degree - n;
      for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k)
        terms_.push_back(term(range, n, degree, k));
    }
  largest_.resize(terms_.size() * scales.num_lanes() + taylor::kernel_overrun);
}

StepLimits::Term StepLimits::term(const SeriesShape::Range& range, int n, int degree, int k) const {
  const double log_tolerance = std::log2(share_of_first_term * scales_.tolerance());
  return {n,
          k,
          range.first,
          range.last,
          1.0 / k,
          std::log2(binomial(k + n, n)) + std::log2(std::tgamma(n + 1.0)),
          log_tolerance / (degree + 1)};
}

double StepLimits::length_without(int stages, const double* coefficients, double step_scale,
                                  int lane) const {
  const auto num_lanes = static_cast<std::size_t>(scales_.num_lanes());
  const std::size_t width = shape_.unknowns.size() * num_lanes;
  double strictest = unlimited;
  for (const SeriesShape::Range& range : shape_.ranges)
    for (int n = 0; n < std::max(range.local_order, 1); ++n) {
      const int degree = range.degree - n - stages;
      if (degree < smallest_order) return 0.0;
      for (int k = degree - num_last_terms(degree) + 1; k <= degree; ++k) {
        const Term last = term(range, n, degree, k);
        for (int c = range.first; c < range.last; ++c) {
          const std::size_t at = c * num_lanes + lane;
          const double x = std::abs(coefficients[(k + n) * width + at]);
          if (x > 0.0)
            strictest = std::min(strictest, log_length(last, std::log2(x / scales_.scales(n)[at]),
                                                       std::log2(step_scale)));
        }
      }
    }
  return strictest == unlimited ? unlimited : step_scale * std::exp2(strictest);
}

void StepLimits::find(const double* coefficients, std::span<const double> step_scales,
                      std::span<double> lengths) {
  const std::size_t num_lanes = step_scales.size(), width = shape_.unknowns.size() * num_lanes;
  const taylor::Kernels& kernels = taylor::best_kernels();
  std::fill(largest_.begin(), largest_.end(), 0.0);
  double* largest = largest_.data();
  for (const Term& term : terms_) {
    const std::size_t first = term.first * num_lanes;
    kernels.largest_ratio(coefficients + (term.k + term.n) * width + first,
                          scales_.scales(term.n) + first, term.last - term.first, num_lanes,
                          largest);
    largest += num_lanes;
  }
  for (std::size_t lane = 0; lane < num_lanes; ++lane)
    lengths[lane] = length_of(lane, step_scales[lane]);
}

// The strictest term is found by rough logarithms; its limit is then computed.
double StepLimits::length_of(std::size_t lane, double step_scale) const {
  const auto num_lanes = static_cast<std::size_t>(scales_.num_lanes());
  const double log_scale = rough_log2(step_scale);
  double strictest = unlimited;
  std::size_t number = 0;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const double ratio = largest_[k * num_lanes + lane];
    const double length = log_length(terms_[k], rough_log2(ratio), log_scale);
    const bool is_stricter = (ratio > 0.0) & (length < strictest);
    strictest = is_stricter ? length : strictest;
    number = is_stricter ? k : number;
  }
  if (strictest == unlimited) return unlimited;
  const double ratio = largest_[number * num_lanes + lane];
  return step_scale * std::exp2(log_length(terms_[number], std::log2(ratio), log_scale));
}

double StepLimits::radius_of_convergence(const solution::StepView& step, int lane) const {
  double limit = unlimited;
  int limiting = -1;
  for (const Term& term : terms_)
    for (int c = term.first; c < term.last; ++c) {
      const double x = step.polynomial(shape_.layout, shape_.unknowns[c])[term.k + term.n];
      if (x == 0.0) continue;
      const double ratio = std::abs(x) / scales_.scales(term.n)[c * scales_.num_lanes() + lane];
      const double own = log_length(term, std::log2(ratio), rough_log2(step.scale));
      if (own >= limit) continue;
      limit = own;
      limiting = c;
    }
  if (limiting < 0) return unlimited;
  const solution::Polynomial x = step.polynomial(shape_.layout, shape_.unknowns[limiting]);
  const int last = x.degree();
  if (last < 2 || x[last] == 0.0) return step.scale * std::exp2(limit);
  return x[last - 1] != 0.0 ? step.scale * std::abs(x[last - 1] / x[last])
                            : step.scale * std::sqrt(std::abs(x[last - 2] / x[last]));
}

double longest_accurate(solution::Polynomial polynomial, double tolerance, double scale) {
  const int degree = polynomial.degree();
  const double log_tolerance = std::log2(share_of_first_term * tolerance) / (degree + 1);
  double limit = unlimited;
  for (int k = std::max(degree - num_last_terms(degree) + 1, 1); k <= degree; ++k)
    if (scale > 0.0 && polynomial[k] != 0.0)
      limit = std::min(limit, log_tolerance - std::log2(std::abs(polynomial[k]) / scale) / k);
  return limit == unlimited ? unlimited : std::exp2(limit);
}

double longest_accurate(solution::Polynomial polynomial, double tolerance) {
  double scale = 0.0;
  for (int k = 0; k <= std::min(polynomial.degree(), 2); ++k)
    scale = std::max(scale, std::abs(polynomial[k]));
  return longest_accurate(polynomial, tolerance, scale);
}

}  // namespace daedal::integrate

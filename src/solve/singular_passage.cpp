#include "solve/singular_passage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::solving {
namespace {

using integrate::TaylorRun;
using solution::StepLayout;
using solution::StepView;

using Derivatives = std::vector<std::vector<double>>;

// Steps that shrink like this, twice in a row, are on the way to something.
constexpr double shrinks = 0.75;
// The two series may differ by this, relative to the unknowns: more than rounding near the point
// does, far less than another branch.
constexpr double agrees = 1e-4;

// x^(n)(t) from the terms of the polynomial up to the smallest: those behind it are noise.
double value_without_noise(const StepView& step, const StepLayout& layout, int unknown, double t,
                           int n) {
  const solution::Polynomial p = step.polynomial(layout, unknown);
  const double s = (t - step.begin) / step.scale;
  double factor = 1.0;  // n!/scale^n
  for (int m = 1; m <= n; ++m) factor *= m / step.scale;
  std::vector<double> terms;
  double power = 1.0, binomial = 1.0;  // s^(k-n), C(k, n)
  for (int k = n; k <= p.degree(); ++k) {
    terms.push_back(binomial * p[k] * power);
    power *= s;
    binomial *= static_cast<double>(k + 1) / (k + 1 - n);
  }
  // Two in a row, so that a gap in the series is not taken for its end.
  const auto size = [&](std::size_t k) {
    return std::max(std::abs(terms[k]), k > 0 ? std::abs(terms[k - 1]) : 0.0);
  };
  std::size_t end = 0;
  for (std::size_t k = 1; k < terms.size(); ++k)
    if (size(k) <= size(end) || k < 4) end = k;
  double sum = 0.0;
  for (std::size_t k = end + 1; k-- > 0;) sum += terms[k];
  return factor * sum;
}

Derivatives derivatives_at(const TaylorRun& run, double t) {
  const integrate::SeriesShape& shape = run.shape();
  Derivatives values(shape.local_orders.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    for (int n = 0; n <= shape.local_orders[j]; ++n)
      values[j].push_back(
          value_without_noise(run.current(), shape.layout, static_cast<int>(j), t, n));
  return values;
}

// The polynomials of a step about another time, from which on they count.
solution::Step moved(const StepView& step, const StepLayout& layout, double begin, double end) {
  solution::Step result(step, layout);
  result.begin = begin;
  result.end = end;
  const double s = (begin - step.begin) / step.scale;
  for (int j = 0; j < layout.num_unknowns(); ++j) {
    const solution::Polynomial p = step.polynomial(layout, j);
    for (int n = 0; n <= layout.degree(j); ++n)
      result.coefficients[static_cast<std::size_t>(n) * layout.column.size() + layout.column[j]] =
          solution::scaled_derivative(p, n, s);
  }
  return result;
}

}  // namespace

bool SingularPassage::is_slowing_down(integrate::TaylorIntegrator& integrator) {
  const TaylorRun& run = integrator.run();
  const double length = std::abs(run.accepted().end - run.accepted().begin);
  const bool shrank = last_ > 0.0 && length < shrinks * last_;
  last_ = length;
  const bool shrinks_on = shrank && (has_shrunk_ || integrator.longest_step() < shrinks * length);
  has_shrunk_ = shrank;
  return shrinks_on;
}

// Of many blocks only those are looked at whose condition is that of a matrix that loses its rank.
bool SingularPassage::is_suspect(int block, const TaylorRun& run) const {
  constexpr double poor = 5.0;
  constexpr std::size_t few = 50;
  return plan_.structure.fine_blocks.size() <= few ||
         run.series().condition(block, run.lane()) > poor;
}

std::optional<SingularPassage::Point> SingularPassage::next_point(const TaylorRun& run) {
  constexpr double ahead = 4.0;  // steps
  if (!times_) times_ = std::make_unique<SingularTime>(plan_);
  StepView view = run.current();
  view.begin = run.t();
  view.end = run.t() + std::copysign(ahead * last_, run.end() - run.t());
  std::optional<Point> nearest;
  for (std::size_t b = 0; b < plan_.structure.fine_blocks.size(); ++b) {
    if (!is_suspect(static_cast<int>(b), run)) continue;
    const auto t = times_->find(static_cast<int>(b), view, run.shape().layout, plan_.parameters);
    if (t && (!nearest || std::abs(*t - run.t()) < std::abs(nearest->t - run.t())))
      nearest = Point{*t, static_cast<int>(b)};
  }
  return nearest;
}

double SingularPassage::difference_at(double t, const StepView& a, const StepView& b,
                                      const StepLayout& layout) const {
  double largest = 0.0;
  for (int j = 0; j < layout.num_unknowns(); ++j) {
    const double x = a.value(layout, j, t), y = b.value(layout, j, t);
    largest = std::max(largest, std::abs(x - y) / (nominals_[j] + std::abs(x)));
    if (!std::isfinite(x - y)) return std::abs(x - y);
  }
  return largest;
}

std::optional<SingularPassage::Crossing> SingularPassage::cross(
    integrate::TaylorIntegrator& integrator) {
  TaylorRun& run = integrator.run();
  if (!is_slowing_down(integrator)) return std::nullopt;
  const std::optional<Point> point = next_point(run);
  if (!point) return std::nullopt;
  const double t = run.t(), end = run.end(), rho = point->t - t, target = point->t + rho;
  const bool is_inside = end > t ? target < end : target > end;
  if (std::abs(rho) < integrator.longest_step() || !is_inside) return std::nullopt;

  const StepLayout& layout = run.shape().layout;
  StepView view = run.current();
  view.end = point->t;
  solution::Step before(view, layout);
  const Derivatives here = derivatives_at(run, t), there = derivatives_at(run, target);
  double difference = std::numeric_limits<double>::infinity();
  if (integrator.begin(target, end, there, 0, std::abs(end - t)))
    difference = difference_at(point->t, before.view(), run.current(), layout);
  if (!(difference <= agrees)) {
    integrator.begin(t, end, here, 0, std::abs(end - t));
    return std::nullopt;
  }
  last_ = std::abs(rho);
  has_shrunk_ = false;
  return Crossing{.t = point->t,
                  .block = point->block,
                  .difference = difference,
                  .before = std::move(before),
                  .behind = moved(run.current(), layout, point->t, target)};
}

}  // namespace daedal::solving

#include "solve/singular_passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solve/run_parts.hpp"

namespace daedal::solving {
namespace {

using integrate::TaylorRun;
using solution::StepLayout;
using solution::StepView;

// Steps that shrink like this, twice in a row, are on the way to something.
constexpr double shrinks = 0.75;
// So many steps ahead a zero is looked for: near ones first, since the signs at the ends of an
// interval say nothing of two zeros in it.
constexpr std::array looks_ahead = {0.5, 1.0, 2.0, 4.0};
// A determinant that falls to this part in a step has its zero, if it goes on along a straight
// line, within the steps that are looked at: |D| = 4/5 after one step, 0 after four more.
constexpr double falls_to_zero = looks_ahead.back() / (1.0 + looks_ahead.back());
// The two series may differ by this, relative to the unknowns: more than rounding near the point
// does, far less than another branch.
constexpr double agrees = 1e-4;
// What was refused is tried again when the point is this much nearer.
constexpr double nearer = 0.9;
// Nearer than this part of the run there is nothing to win.
constexpr double too_near = 1e-6;

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

std::vector<std::vector<double>> derivatives_at(const TaylorRun& run, double t) {
  const integrate::SeriesShape& shape = run.shape();
  std::vector<std::vector<double>> values(shape.local_orders.size());
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

void SingularPassage::forget() {
  refused_ = std::numeric_limits<double>::infinity();
  has_shrunk_ = has_shrunk_twice_ = false;
  now_.are_known = before_.are_known = false;
  last_ = 0.0;
  if (trial_) trial_->run().forget();
}

bool SingularPassage::is_slowing_down(integrate::TaylorIntegrator& integrator) {
  const TaylorRun& run = integrator.run();
  const double length = std::abs(run.accepted().end - run.accepted().begin);
  const bool shrank = last_ > 0.0 && length < shrinks * last_;
  last_ = length;
  has_shrunk_twice_ = shrank && has_shrunk_;
  has_shrunk_ = shrank;
  const bool will_shrink = integrator.longest_step() < shrinks * length;
  std::swap(before_, now_);
  now_.are_known = shrank || will_shrink;
  if (now_.are_known) note_determinants(run);
  return has_shrunk_twice_ || (shrank && will_shrink);
}

void SingularPassage::note_determinants(const TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  if (!varying_blocks_) {
    varying_blocks_.emplace();
    for (int b = 0; b < series.num_blocks(); ++b)
      if (!series.has_constant_jacobian(b)) varying_blocks_->push_back(b);
  }
  now_.of_blocks.clear();
  for (const int b : *varying_blocks_) now_.of_blocks.push_back(series.determinant(b, run.lane()));
}

bool SingularPassage::falls(std::size_t number) const {
  return now_.of_blocks[number].ratio_to(before_.of_blocks[number]) < falls_to_zero;
}

std::optional<SingularPassage::Point> SingularPassage::next_point(const TaylorRun& run) {
  if (!now_.are_known || !before_.are_known) return std::nullopt;
  falling_.clear();
  for (std::size_t k = 0; k < varying_blocks_->size(); ++k)
    if (falls(k)) falling_.push_back((*varying_blocks_)[k]);
  if (falling_.empty()) return std::nullopt;
  if (!times_) times_ = std::make_unique<SingularTime>(plan_);
  StepView view = run.current();
  std::optional<Point> nearest;
  for (const double ahead : looks_ahead) {
    view.end = run.t() + std::copysign(ahead * last_, run.end() - run.t());
    for (const int b : falling_) {
      const auto t = times_->find(b, view, run.shape().layout, plan_.parameters);
      if (t && (!nearest || std::abs(*t - run.t()) < std::abs(nearest->t - run.t())))
        nearest = Point{*t, b};
    }
    if (nearest) break;
  }
  return nearest;
}

// Of what is solved for, too: where a solution ends, it is there that the sides differ.
double SingularPassage::difference_at(double t, const StepView& a, const StepView& b,
                                      const integrate::SeriesShape& shape) const {
  const double duration = std::abs(b.begin - a.begin);
  double largest = 0.0;
  for (int j = 0; j < shape.layout.num_unknowns(); ++j) {
    double least = nominals_[j];  // nominal/duration^n
    for (int n = 0; n <= shape.local_orders[j]; ++n, least /= duration) {
      const double x = a.value(shape.layout, j, t, n), y = b.value(shape.layout, j, t, n);
      const double difference = std::abs(x - y) / (least + std::abs(x));
      if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, difference);
    }
  }
  return largest;
}

// Tried by an integrator of its own, so that the run is as it was if nothing comes of it.
double SingularPassage::difference_from(double target, const Derivatives& there, const Point& point,
                                        const StepView& before, double end) {
  if (!trial_)
    trial_ = std::make_unique<integrate::TaylorIntegrator>(
        make_integrator(make_schedule(plan_), plan_, settings_, 1));
  if (!trial_->begin(target, end, there, 0, std::abs(end - before.begin)))
    return std::numeric_limits<double>::infinity();
  return difference_at(point.t, before, trial_->run().current(), trial_->run().shape());
}

std::optional<SingularPassage::Crossing> SingularPassage::cross(
    integrate::TaylorIntegrator& integrator) {
  TaylorRun& run = integrator.run();
  if (!is_slowing_down(integrator)) return std::nullopt;
  const std::optional<Point> point = next_point(run);
  if (!point) return std::nullopt;
  const double t = run.t(), end = run.end(), rho = point->t - t, target = point->t + rho;
  const bool is_inside = end > t ? target < end : target > end;
  const bool is_in_reach = !has_shrunk_twice_ && std::abs(rho) < integrator.longest_step();
  const bool is_too_near = std::abs(rho) < too_near * std::abs(end - t);
  if (is_in_reach || is_too_near || std::abs(rho) > nearer * refused_ || !is_inside)
    return std::nullopt;

  const StepLayout& layout = run.shape().layout;
  StepView view = run.current();
  view.end = point->t;
  solution::Step before(view, layout);
  const Derivatives there = derivatives_at(run, target);
  const double difference = difference_from(target, there, *point, before.view(), end);
  if (!(difference <= agrees) || !integrator.begin(target, end, there, 0, std::abs(end - t))) {
    refused_ = std::abs(rho);
    return std::nullopt;
  }
  last_ = std::abs(rho);
  refused_ = std::numeric_limits<double>::infinity();
  has_shrunk_ = false;
  now_.are_known = false;
  return Crossing{.t = point->t,
                  .block = point->block,
                  .difference = difference,
                  .before = std::move(before),
                  .behind = moved(run.current(), layout, point->t, target)};
}

}  // namespace daedal::solving

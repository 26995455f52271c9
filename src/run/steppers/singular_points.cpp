#include "run/steppers/singular_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/wording.hpp"
#include "run/steppers/series_engine.hpp"

namespace daedal::run {

// ---------------------------------------------------------------------------------------------------------------------
// When

std::optional<double> SingularTime::find(int block, int sign_at_begin,
                                         const solution::StepView& step,
                                         const solution::StepLayout& layout) {
  if (series_.has_constant_jacobian(block)) return std::nullopt;
  std::unique_ptr<taylor::BlockJacobian>& jacobian = jacobians_[block];
  if (!jacobian) jacobian = std::make_unique<taylor::BlockJacobian>(series_, block, lane_);
  const auto sign_at = [&](double t) {
    return jacobian->determinant_sign(
        t, [&](int unknown, int order) { return step.value(layout, unknown, t, order); });
  };
  double begin = step.begin, end = step.end;
  if (sign_at(end) == sign_at_begin) return std::nullopt;
  for (double middle = 0.5 * (begin + end); middle != begin && middle != end;
       middle = 0.5 * (begin + end))
    (sign_at(middle) == sign_at_begin ? begin : end) = middle;
  return end;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is seen along a run

namespace {

constexpr long never = -1000;
// A jump of the highest derivatives by this part of their size is no smooth passage.
constexpr double other_branch = 0.5;

void note_condition(int block, const integrate::TaylorRun& run, Statistics& statistics) {
  statistics.max_condition =
      std::max(statistics.max_condition, run.series().condition(block, run.lane()));
}

}  // namespace

void DeterminantWatch::begin(const integrate::TaylorRun& run, solution::Record& solution) {
  singular_time_.reset();
  lost_block_ = -1;
  last_change_.assign(run.series().num_blocks(), never);
  take_signs(run, solution);
}

// The determinants of blocks whose Jacobian is constant are looked at here only.
void DeterminantWatch::take_signs(const integrate::TaylorRun& run, solution::Record& solution) {
  const taylor::SeriesSolver& series = run.series();
  signs_.clear();
  varying_blocks_.clear();
  for (int b = 0; b < series.num_blocks(); ++b) {
    signs_.push_back(series.determinant_sign(b, run.lane()));
    if (!series.has_constant_jacobian(b)) varying_blocks_.push_back(b);
    note_condition(b, run, solution.statistics);
  }
}

void DeterminantWatch::look(const integrate::TaylorRun& run, solution::Record& solution) {
  for (const int b : varying_blocks_) {
    const int sign = run.determinant_sign(b);
    if (sign != signs_[b]) note_change(b, run, solution);
    signs_[b] = sign;
    note_condition(b, run, solution.statistics);
  }
}

void DeterminantWatch::note_change(int block, const integrate::TaylorRun& run,
                                   solution::Record& solution) {
  const long step_number = solution.statistics.steps;
  if (step_number - last_change_[block] <= 2 || run.jump(block) > other_branch) lost_block_ = block;
  last_change_[block] = step_number;
  const solution::StepView step = run.accepted();
  solution.singularities.push_back(
      {.t = time_of_change(block, run),
       .block = names_of(block),
       .why = fmt::format("the determinant of the block's Jacobian changes sign between t = {} "
                          "and t = {}",
                          step.begin, step.end)});
}

double DeterminantWatch::time_of_change(int block, const integrate::TaylorRun& run) {
  const solution::StepView step = run.accepted();
  if (!singular_time_) singular_time_ = std::make_unique<SingularTime>(run.series(), run.lane());
  return singular_time_->find(block, signs_[block], step, run.shape().layout)
      .value_or(0.5 * (step.begin + step.end));
}

std::string DeterminantWatch::names_of(int block) const {
  const std::vector<int>& unknowns = plan_.structure.fine_blocks[block].unknowns;
  return base::listed(unknowns.size(), [&](std::size_t k) {
    return plan_.model.label(model::UnknownId(static_cast<std::size_t>(unknowns[k])));
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Across

namespace {

using integrate::TaylorRun;
using solution::StepLayout;
using solution::StepView;

// Steps that shrink like this, twice in a row, are on the way to something.
constexpr double shrinks = 0.75;
// So many steps ahead the parabola of a determinant is looked at: steps that shrink by a quarter or
// more are on the way to a point at most three of them away.
constexpr double steps_ahead = 4.0;
// Zeros expected at the ends of two steps that differ by more than this part of their distance are
// none.
constexpr double wanders = 0.5;
// After so many steps in a row that shrink, chances are high that something is ahead.
constexpr int many_shrunk = 3;
// Steps after a look in vain until the next one needs no better reason than a determinant that
// falls: such looks, each of which costs a part of a step, are one in a hundred steps at most.
constexpr int long_ago = 100;
// A zero that is expected at some distance is looked for up to this part of the distance more.
constexpr double farther = 1.5;
// The two series may differ by this, relative to the unknowns, derivatives in units of the passage:
// more than rounding near the point does, far less than another branch.
constexpr double agrees = 1e-4;
// What the equations of the block are solved for may differ by this part of its size. Rounding
// makes less of it in a passage that is smooth, and a logarithm at the point more than a hundred
// times as much.
constexpr double agrees_in_size = 1e-4;
// What was refused is tried again when the point is this much nearer. A block that was looked at in
// vain is looked at again, while the same steps shrink, where its zero is expected this much
// nearer: steps that arrive at a point halve the distance.
constexpr double nearer = 0.9;
constexpr double infinity = std::numeric_limits<double>::infinity();

// However its zero is expected, a block is looked at again when steps have shrunk 4, 8, 16, ...
// times in a row: an expectation that was too small must not hide a point for ever.
bool is_look_due(int num_shrunk) {
  return num_shrunk >= 4 && std::has_single_bit(static_cast<unsigned>(num_shrunk));
}
// Nearer than this part of the run there is nothing to win.
constexpr double too_near = 1e-6;

// x^(n)(t) from the terms of the polynomial up to the smallest: those after it are noise.
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

// What is solved for counts, too: where a solution ends, it is there that the sides differ.
double difference_at(double t, const StepView& a, const StepView& b,
                     const integrate::SeriesShape& shape, const std::vector<double>& nominals) {
  const double duration = std::abs(b.begin - a.begin);
  double largest = 0.0;
  for (int j = 0; j < shape.layout.num_unknowns(); ++j) {
    double least = nominals[j];  // nominal/duration^n
    for (int n = 0; n <= shape.local_orders[j]; ++n, least /= duration) {
      const double x = a.value(shape.layout, j, t, n), y = b.value(shape.layout, j, t, n);
      const double difference = std::abs(x - y) / (least + std::abs(x));
      if (!std::isfinite(difference)) return infinity;
      largest = std::max(largest, difference);
    }
  }
  return largest;
}

// The largest of its values where the passage begins, at the point and where it ends.
double size_on_passage(double t, const StepView& a, const StepView& b, const StepLayout& layout,
                       int unknown, int order) {
  return std::max({std::abs(a.value(layout, unknown, a.begin, order)),
                   std::abs(a.value(layout, unknown, t, order)),
                   std::abs(b.value(layout, unknown, t, order)),
                   std::abs(b.value(layout, unknown, b.begin, order))});
}

}  // namespace

void SingularPassage::forget() {
  begin_after(0.0);
  num_since_look_ = long_ago;
  if (trial_) trial_->run().forget();
}

void SingularPassage::begin_after(double last_step) {
  refused_ = infinity;
  parted_.reset();
  num_shrunk_ = 0;
  num_ends_ = 0;
  std::ranges::fill(looked_for_, infinity);
  last_ = last_step;
}

bool SingularPassage::is_slowing_down(integrate::TaylorIntegrator& integrator, int lane) {
  const TaylorRun& run = integrator.run(lane);
  const double length = std::abs(run.accepted().end - run.accepted().begin);
  const bool shrank = last_ > 0.0 && length < shrinks * last_;
  last_ = length;
  if (!shrank && num_shrunk_ > 0) std::ranges::fill(looked_for_, infinity);
  num_shrunk_ = shrank ? num_shrunk_ + 1 : 0;
  num_since_look_ = std::min(num_since_look_ + 1, long_ago);
  note_determinants(run);
  return num_shrunk_ >= 2 || (shrank && integrator.longest_step(lane) < shrinks * length);
}

void SingularPassage::note_determinants(const TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  if (num_ends_ == 0) {
    varying_blocks_.clear();
    for (int b = 0; b < series.num_blocks(); ++b)
      if (!series.has_constant_jacobian(b)) varying_blocks_.push_back(b);
    for (StepEnd& end : last_ends_) end.determinants.resize(varying_blocks_.size());
    looked_for_.assign(varying_blocks_.size(), infinity);
  }
  num_ends_ = std::min(num_ends_ + 1, static_cast<int>(last_ends_.size()));
  StepEnd& now = last_ends_[++latest_end_ % last_ends_.size()];
  now.t = run.t();
  for (std::size_t k = 0; k < varying_blocks_.size(); ++k)
    now.determinants[k] = series.determinant(varying_blocks_[k], run.lane());
}

// The distance, from the end of a step, of the first zero of the parabola through the determinants
// D_0 = 1 there and D_1, D_2 at the ends of the two steps before:
//   p(s) = 1 + a s + b s (s + h_0),  a = (1 - D_1)/h_0,  b = (a - (D_1 - D_2)/h_1)/(h_0 + h_1).
std::optional<double> SingularPassage::zero_of_parabola(std::size_t number, std::size_t end) const {
  const linear::Determinant now = end_before(end).determinants[number];
  const auto relative = [&](const linear::Determinant& then) {
    return then.sign() * now.sign() * then.ratio_to(now);
  };
  const double d1 = relative(end_before(end + 1).determinants[number]);
  const double d2 = relative(end_before(end + 2).determinants[number]);
  const double h0 = std::abs(end_before(end).t - end_before(end + 1).t);
  const double h1 = std::abs(end_before(end + 1).t - end_before(end + 2).t);
  const double a = (1.0 - d1) / h0, b = (a - (d1 - d2) / h1) / (h0 + h1);
  const double half = 0.5 * (a + b * h0);  // p = 1 + 2 half s + b s^2
  const double discriminant = half * half - b;
  if (!(discriminant >= 0.0)) return std::nullopt;
  const double zero = 1.0 / (-half + std::copysign(std::sqrt(discriminant), -half));
  return zero > 0.0 ? std::optional(zero) : std::nullopt;
}

// The zero of the straight line through the last two.
double SingularPassage::zero_of_line(std::size_t number) const {
  const linear::Determinant &now = end_before(0).determinants[number],
                            &before = end_before(1).determinants[number];
  const double ratio = now.sign() * before.sign() * now.ratio_to(before);
  return std::abs(end_before(0).t - end_before(1).t) * ratio / (1.0 - ratio);
}

// A determinant that comes near to zero and turns back, as those of a mechanism do all the time,
// shows it by its curvature, or by zeros that wander from step to step. Where steps go on to
// shrink, and where too little is known of the steps before, falling towards zero is enough.
std::optional<double> SingularPassage::expected_zero(std::size_t number) const {
  const double step = std::abs(end_before(0).t - end_before(1).t);
  const auto in_reach = [&](double zero) {
    return zero > 0.0 && zero <= steps_ahead * step ? std::optional(zero) : std::nullopt;
  };
  const bool is_history_known = num_ends_ == static_cast<int>(last_ends_.size());
  // A look in vain long ago is as good as none.
  if (!is_history_known || num_shrunk_ >= many_shrunk || num_since_look_ >= long_ago)
    return in_reach(zero_of_line(number));
  const auto now = zero_of_parabola(number, 0), before = zero_of_parabola(number, 1);
  if (!now || !before || std::abs(*before - step - *now) > wanders * *now) return std::nullopt;
  return in_reach(*now);
}

std::optional<SingularPassage::Point> SingularPassage::next_point(const TaylorRun& run) {
  if (num_ends_ < 2) return std::nullopt;
  std::optional<Point> nearest;
  bool has_looked = false;
  for (std::size_t k = 0; k < varying_blocks_.size(); ++k) {
    const std::optional<double> expected = expected_zero(k);
    if (!expected || (*expected > nearer * looked_for_[k] && !is_look_due(num_shrunk_))) continue;
    has_looked = true;
    if (!times_) times_ = std::make_unique<SingularTime>(run.series(), run.lane());
    StepView view = run.current();
    view.end = run.t() + std::copysign(farther * *expected, run.end() - run.t());
    const int sign = run.series().determinant_sign(varying_blocks_[k], run.lane());
    const auto t = times_->find(varying_blocks_[k], sign, view, run.shape().layout);
    looked_for_[k] = t ? infinity : *expected;
    if (t && (!nearest || std::abs(*t - run.t()) < std::abs(nearest->t - run.t())))
      nearest = Point{*t, varying_blocks_[k]};
  }
  if (has_looked && !nearest) num_since_look_ = 0;
  return nearest;
}

// An integrator of its own, so that the run is as it was if nothing comes of a trial: with the
// equations, parameters and nominal values of the lane.
void SingularPassage::prepare_trial(const TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  const std::vector<double> nominals = series.nominals(run.lane());
  if (!trial_)
    trial_ = std::make_unique<integrate::TaylorIntegrator>(
        make_integrator(series.schedule(), plan_, settings_, 1, nominals));
  trial_->run().set_member(series.parameters(run.lane()), nominals);
}

double SingularPassage::difference_from(double target, const Derivatives& there, const Point& point,
                                        const StepView& before, double end) {
  if (!trial_->begin(target, end, there, 0, std::abs(end - before.begin))) return infinity;
  return difference_at(point.t, before, trial_->run().current(), trial_->run().shape(),
                       trial_->series().nominals());
}

// x_j^(d_j - c_i) stands in the block's equations as written. There solutions part that end at the
// point or have a choice there, such as (1 - t)(C - log|1 - t|): these meet in x, whatever C is,
// and x' is measured by itself, because a passage can be so short that it makes nothing of any x'.
// What it differs by must be rounding, or less than the tolerance in what is left of the run.
bool SingularPassage::agrees_in_block(const Point& point, const StepView& before,
                                      double end) const {
  const StepView& after = trial_->run().current();
  const StepLayout& layout = trial_->run().shape().layout;
  const structure::Block& block = plan_.structure.fine_blocks[point.block];
  int least_c = std::numeric_limits<int>::max();
  for (const int i : block.equations) least_c = std::min(least_c, plan_.structure.c[i]);
  const std::vector<double> nominals = trial_->series().nominals();
  for (const int j : block.unknowns) {
    const int n = plan_.structure.d[j] - least_c;
    const double difference =
        std::abs(before.value(layout, j, point.t, n) - after.value(layout, j, point.t, n));
    const double made_of_it = difference * std::pow(std::abs(end - point.t), n);
    const double tolerable =
        settings_.tolerance * (nominals[j] + size_on_passage(point.t, before, after, layout, j, 0));
    const double size = size_on_passage(point.t, before, after, layout, j, n);
    if (!(difference <= agrees_in_size * size || made_of_it <= tolerable)) return false;
  }
  return true;
}

std::optional<SingularPassage::Crossing> SingularPassage::cross_next_point(
    integrate::TaylorIntegrator& integrator, int lane, const EventTest& may_have_event) {
  TaylorRun& run = integrator.run(lane);
  const std::optional<Point> point = next_point(run);
  if (!point) return std::nullopt;
  const double t = run.t(), end = run.end(), rho = point->t - t, target = point->t + rho;
  const bool is_inside = end > t ? target < end : target > end;
  const bool is_in_reach = num_shrunk_ < 2 && std::abs(rho) < integrator.longest_step(lane);
  const bool is_too_near = std::abs(rho) < too_near * std::abs(end - t);
  if (is_in_reach || is_too_near || std::abs(rho) > nearer * refused_ || !is_inside)
    return std::nullopt;

  const StepLayout& layout = run.shape().layout;
  StepView view = run.current();
  view.end = point->t;
  if (meeting_.parts(point->block, point->t, view, layout, run.series(), lane)) {
    refused_ = std::abs(rho);
    return std::nullopt;
  }
  solution::Step before(view, layout);
  const Derivatives there = derivatives_at(run, target);
  prepare_trial(run);
  const double difference = difference_from(target, there, *point, before.view(), end);
  const bool is_near = difference <= agrees;
  const bool parts = is_near && !agrees_in_block(*point, before.view(), end);
  if (parts) parted_ = Parted{*point, std::abs(rho)};
  const auto is_free = [&] {
    return !may_have_event(before.view()) &&
           !may_have_event(moved(trial_->run().current(), layout, point->t, target).view());
  };
  if (!is_near || parts || !is_free() ||
      !integrator.begin(target, end, there, lane, std::abs(end - t))) {
    refused_ = std::abs(rho);
    return std::nullopt;
  }
  begin_after(std::abs(rho));
  return Crossing{.t = point->t,
                  .block = point->block,
                  .difference = difference,
                  .before = std::move(before),
                  .after = moved(run.current(), layout, point->t, target)};
}

}  // namespace daedal::run

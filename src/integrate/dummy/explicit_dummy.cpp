#include "integrate/dummy/explicit_dummy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solution/step.hpp"

namespace daedal::integrate {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
// Errors of steps add up: each may use this part of the tolerance.
constexpr double share_of_a_step = 0.1;
constexpr int most_trials = 30;
constexpr double most_growth = 5.0;  // of steps
// An error of polynomials of this part of the tolerance lets steps not grow.
constexpr double close = 0.1;

double power_of_two_near(double value) { return std::exp2(std::round(std::log2(value))); }

}  // namespace

ExplicitDummy::ExplicitDummy(const reduce::DummyProblem& problem, taylor::SeriesSolver series,
                             const MethodOptions& options, int order)
    : parameters_(problem.parameters),
      options_(options),
      order_(order),
      dummies_(problem),
      series_(std::move(series)) {
  int next = 0;
  for (const int d : problem.structure.d) {
    orders_.push_back(d + extra);
    first_.push_back(next);
    next += d + extra + 1;
  }
  known_.resize(next);
  before_.resize(next);
  a_.resize(most_derivatives + 1);
  b_.resize(most_derivatives + 1);
  p_.resize(2 * most_derivatives + 2);
}

bool ExplicitDummy::fail(MethodFailure failure) {
  failure_ = failure;
  count();
  return false;
}

bool ExplicitDummy::begin(double t, double end,
                          const std::vector<std::vector<double>>& derivatives) {
  t_ = t;
  end_ = end;
  failure_ = MethodFailure::none;
  dummies_.begin();
  series_.set_lane(0, parameters_, options_.nominals);
  items_ = dummies_.items_of(derivatives);
  trial_ = interpolated_ = items_;
  if (!dummies_.choose_state(t, items_)) return fail(MethodFailure::singular);
  const double length = std::min(std::abs(end - t), options_.max_step);
  if (!find_series(t, length > 0.0 ? length / 64 : 1.0)) return false;
  restart(first_step());
  return true;
}

// x_j, ..., x_j^(d_j + extra) at t from the items there.
bool ExplicitDummy::find_series(double t, double scale) {
  const std::vector<int>& d = dummies_.structure().d;
  const double unit = power_of_two_near(scale);
  series_.set_origin(t, unit);
  for (int j = 0; j < dummies_.num_unknowns(); ++j) {
    double factor = 1.0;
    for (int l = 0; l <= d[j]; ++l) {
      series_.coefficient(j, l) = factor * items_[dummies_.column(j, l)];
      factor *= unit / (l + 1);
    }
  }
  series_.solve_start();
  if (series_.report().ok()) series_.solve_rest();
  if (!series_.report().ok())
    return fail(series_.report().failure == taylor::StageFailure::not_finite
                    ? MethodFailure::not_finite
                    : MethodFailure::singular);
  for (int j = 0; j < dummies_.num_unknowns(); ++j) {
    double factor = 1.0;
    for (int l = 0; l <= orders_[j]; ++l) {
      known_[first_[j] + l] = factor * series_.coefficient(j, l);
      factor *= (l + 1) / unit;
    }
    for (int l = 0; l <= d[j]; ++l) items_[dummies_.column(j, l)] = known_[first_[j] + l];
  }
  return true;
}

// The state items at t are what is integrated from here on; without any, something that stays.
void ExplicitDummy::restart(double first_step) {
  state_.clear();
  nominals_.clear();
  for (const int column : dummies_.mode().state_columns()) {
    state_.push_back(items_[column]);
    nominals_.push_back(dummies_.nominal(column));
  }
  if (state_.empty()) {
    state_.push_back(0.0);
    nominals_.push_back(1.0);
  }
  if (!method_)
    method_ = std::make_unique<RungeKutta>(
        [this](double t, std::span<const double> x, std::span<double> slope) {
          return this->slope(t, x, slope);
        },
        t_, state_,
        RungeKuttaOptions{.tolerance = share_of_a_step * options_.tolerance,
                          .max_step = options_.max_step,
                          .nominals = nominals_,
                          .order = order_});
  method_->restart(t_, state_, nominals_, end_ > t_ ? first_step : -first_step);
}

// The last terms of all series are small for it; one alone may vanish.
double ExplicitDummy::first_step() const {
  constexpr double safety = 0.2;
  constexpr int num_terms = 3;
  double step = std::min(std::abs(end_ - t_), options_.max_step);
  for (int j = 0; j < dummies_.num_unknowns(); ++j) {
    const double weight =
        share_of_a_step * options_.tolerance * (options_.nominals[j] + std::abs(known_[first_[j]]));
    double factorial = 1.0;
    for (int n = 1; n <= orders_[j]; ++n) {
      factorial *= n;
      const double term = std::abs(known_[first_[j] + n]) / factorial;
      if (n + num_terms > orders_[j] && term > 0.0)
        step = std::min(step, safety * std::pow(weight / term, 1.0 / n));
    }
  }
  return step;
}

// Taylor polynomials from t_ on, for the items that are not state.
void ExplicitDummy::guess(double t) {
  const double s = t - t_;
  for (const int column : dummies_.mode().solved_columns()) {
    const reduce::Place item = dummies_.place(column);
    double value = 0.0;
    for (int l = orders_[item.index]; l >= item.order; --l)
      value = value * s / (l - item.order + 1) + known_[first_[item.index] + l];
    trial_[column] = value;
  }
}

// F of [Pryce2018, eq. (11)].
bool ExplicitDummy::slope(double t, std::span<const double> state, std::span<double> slope) {
  const std::span<const int> columns = dummies_.mode().state_columns();
  guess(t);
  for (std::size_t k = 0; k < columns.size(); ++k) trial_[columns[k]] = state[k];
  if (columns.empty()) slope[0] = 0.0;
  if (!dummies_.solve(t, trial_)) return false;
  for (std::size_t k = 0; k < columns.size(); ++k)
    slope[k] = trial_[dummies_.mode().slope_columns()[k]];
  return true;
}

// Rule D7: how far polynomials are off, in tolerances, where items are solved for again: at two
// points without symmetry.
double ExplicitDummy::error_between(double from) {
  double worst = 0.0;
  for (const double s : {0.37, 0.79}) worst = std::max(worst, error_at(s, from));
  return worst;
}

double ExplicitDummy::error_at(double s, double from) {
  const double h = t_ - from;
  for (int j = 0; j < dummies_.num_unknowns(); ++j) interpolate_inside(j, s, h);
  std::copy(trial_.begin(), trial_.end(), interpolated_.begin());
  if (!dummies_.solve(from + s * h, trial_)) return unlimited;
  double worst = defect_of(h);
  for (int j = 0; j < dummies_.num_unknowns(); ++j) {
    const double value = trial_[dummies_.column(j, 0)];
    const double weight = options_.tolerance * (options_.nominals[j] + std::abs(value));
    worst = std::max(worst, std::abs(value - interpolated_[dummies_.column(j, 0)]) / weight);
  }
  return worst;
}

// All items of an unknown, from the polynomial that is reported: what is judged is what users get.
void ExplicitDummy::interpolate_inside(int unknown, double s, double h) {
  const int r = interpolated(unknown);
  const double* before = &before_[first_[unknown]];
  const double* behind = &known_[first_[unknown]];
  const auto size = static_cast<std::size_t>(std::min(orders_[unknown] - r, most_derivatives) + 1);
  double factor = 1.0;
  for (std::size_t l = 0; l < size; ++l) {
    a_[l] = factor * before[r + l];
    b_[l] = factor * behind[r + l];
    factor *= h / static_cast<double>(l + 1);
  }
  const auto p = std::span(p_).first(2 * size);
  hermite_.interpolate(std::span(a_).first(size), std::span(b_).first(size), p);
  factor = 1.0;
  for (int l = r; l <= dummies_.structure().d[unknown]; ++l) {
    trial_[dummies_.column(unknown, l)] =
        factor * solution::scaled_derivative({p.data(), static_cast<int>(p.size())}, l - r, s);
    factor *= (l - r + 1) / h;
  }
  for (int l = 0; l < r; ++l)
    trial_[dummies_.column(unknown, l)] = integral(p, r - l, s, h, before + l);
}

// x(s) from x, x', ..., x^(times - 1) at the begin and the polynomial of x^(times).
double ExplicitDummy::integral(std::span<const double> p, int times, double s, double h,
                               const double* at_begin) {
  double sum = 0.0, factor = 1.0;
  for (int k = 0; k < times; ++k) {
    sum += factor * at_begin[k];
    factor *= s * h / (k + 1);
  }
  double power = 1.0;
  for (std::size_t k = 0; k < p.size(); ++k) {  // factor is (s h)^times/times!
    double share = power * p[k];
    for (int m = 1; m <= times; ++m) share *= m / static_cast<double>(k + m);
    sum += factor * share;
    power *= s;
  }
  return sum;
}

// The slopes of the state there, against those of the polynomials: an error of the end shows, also
// where the Runge-Kutta method does not see it (that of order 8 takes any quadrature for exact).
// Time itself is rounded, too.
double ExplicitDummy::defect_of(double h) const {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const std::span<const int> columns = dummies_.mode().state_columns();
  const std::span<const int> slopes = dummies_.mode().slope_columns();
  double worst = 0.0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double size = dummies_.nominal(columns[k]) + std::abs(trial_[columns[k]]);
    const double slope = trial_[slopes[k]], defect = slope - interpolated_[slopes[k]];
    const double weight = options_.tolerance * size + rounding * (size + std::abs(t_ * slope));
    worst = std::max(worst, std::abs(h * defect) / weight);
  }
  return worst;
}

bool ExplicitDummy::advance() {
  const double from = t_;
  before_ = known_;
  items_before_ = items_;
  for (int trial = 0; trial < most_trials; ++trial) {
    const bool is_made = method_->step(end_);
    last_trial_ = is_made ? std::abs(method_->t() - from) : method_->last_trial();
    const double error = is_made ? take_end(from) : unlimited;
    if (error <= 1.0) {
      method_->set_longest_step((error > close ? 1.0 : most_growth) * last_trial_);
      switch_state();
      count();
      return true;
    }
    ++num_too_long_;
    t_ = from;
    items_ = items_before_;
    known_ = before_;
    restart(0.5 * last_trial_);
  }
  return fail(dummies_.was_finite() ? MethodFailure::error_test : MethodFailure::not_finite);
}

// Items and series at the end of the step; how far polynomials are off, in tolerances.
double ExplicitDummy::take_end(double from) {
  const double t = method_->t();
  const std::span<const int> columns = dummies_.mode().state_columns();
  guess(t);
  for (std::size_t k = 0; k < columns.size(); ++k) trial_[columns[k]] = method_->x()[k];
  if (!dummies_.solve(t, trial_)) return unlimited;
  items_ = trial_;
  t_ = t;
  return find_series(t, last_trial_) ? error_between(from) : unlimited;
}

void ExplicitDummy::switch_state() {
  if (dummies_.switch_if_bad(t_, items_)) restart(last_trial_);
}

void ExplicitDummy::count() {
  const reduce::DummyCounters& counters = dummies_.counters();
  counters_.rejected = num_too_long_ + (method_ ? method_->num_rejected() : 0);
  counters_.evaluations = counters.evaluations;
  counters_.jacobians = counters.jacobians;
  counters_.factorisations = counters.factorisations;
  counters_.iterations = counters.evaluations;
}

}  // namespace daedal::integrate

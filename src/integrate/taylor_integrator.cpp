#include "integrate/taylor_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrate/sign_change.hpp"

namespace daedal::integrate {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A step shorter than this many units in the last place of t is no step.
constexpr double floor_units = 16.0;
// Switches in a row, each after a step shorter than this part of the interval: the solution does
// not get away from the switch.
constexpr int most_short_switches = 200;
constexpr double short_part = 1e-9;

double power_of_two_near(double value) { return std::exp2(std::round(std::log2(value))); }

// a + b = sum + lost, exactly (Knuth's TwoSum).
struct ExactSum {
  double sum;
  double lost;
};
ExactSum two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

}  // namespace

TaylorIntegrator::TaylorIntegrator(taylor::SeriesSolver series, std::vector<double> nominals,
                                   const TaylorOptions& options)
    : series_(std::move(series)),
      shape_(series_),
      scales_(options.tolerance, std::move(nominals), shape_),
      options_(options),
      first_{0},
      block_of_(series_.num_unknowns()) {
  for (const int order : shape_.local_orders) first_.push_back(first_.back() + order + 1);
  for (const taylor::BlockSchedule& block : series_.schedule().blocks)
    for (int k = 0; k < block.size(); ++k)
      block_of_[block.unknowns[k]] = block.fine_blocks[block.is_diagonal ? k : 0];
  accepted_.coefficients.resize(shape_.layout.size());
  current_.coefficients.resize(shape_.layout.size());
  for (auto* values : {&predicted_, &magnitude_, &lost_, &lost_new_})
    values->assign(first_.back(), 0.0);
}

taylor::StageReport TaylorIntegrator::solve_at_start(
    const std::vector<std::vector<double>>& derivatives) {
  for (int j = 0; j < series_.num_unknowns(); ++j) {
    double factor = 1.0;
    for (int n = 0; n <= shape_.local_orders[j]; ++n) {
      const bool is_given = n < static_cast<int>(derivatives[j].size());
      series_.coefficient(j, n) = is_given ? factor * derivatives[j][n] : 0.0;
      factor *= series_.scale() / (n + 1);
    }
    scales_.set_size(j, 0, std::abs(series_.coefficient(j, 0)));
  }
  series_.solve_start(scales_.weights());
  if (series_.report().ok()) series_.solve_rest();
  return series_.report();
}

// The scale should be near the step for coefficients of reasonable size, and the step follows from
// the coefficients: start from a guess, correct it until both agree.
bool TaylorIntegrator::begin(double t, double end,
                             const std::vector<std::vector<double>>& derivatives) {
  constexpr int most_scales = 40;
  constexpr double near_enough = 16.0;
  t_ = t;
  end_ = end;
  std::fill(lost_.begin(), lost_.end(), 0.0);
  duration_ = std::abs(end - t);
  num_short_switches_ = 0;
  scales_.begin(duration_);
  const double longest = std::min(std::abs(end - t), options_.max_step);
  double scale = longest > 0.0 ? power_of_two_near(longest / 16) : 1.0;
  for (int trial = 0; trial < most_scales; ++trial) {
    series_.set_origin(t, scale);
    failure_ = solve_at_start(derivatives);
    if (failure_.failure == taylor::StageFailure::not_finite) {
      scale *= 0x1p-10;
      continue;
    }
    if (!failure_.ok()) return false;
    keep_series();
    set_sizes(current_);
    const double step = std::min(longest_step(current_, shape_, scales_), longest);
    const double wanted = step > 0.0 ? power_of_two_near(step) : scale;
    if (wanted <= near_enough * scale && scale <= near_enough * wanted) break;
    scale = wanted;
  }
  return failure_.ok();
}

void TaylorIntegrator::keep_series() {
  current_.begin = current_.end = t_;
  current_.scale = series_.scale();
  for (int j = 0; j < series_.num_unknowns(); ++j)
    for (int k = 0; k <= series_.degree(j); ++k)
      current_.coefficients[shape_.layout.first[j] + k] = series_.coefficient(j, k);
  keep_switches();
}

void TaylorIntegrator::keep_switches() {
  switches_.resize(series_.num_switches());
  is_switch_positive_.resize(series_.num_switches());
  is_due_at_once_.resize(series_.num_switches());
  for (int number = 0; number < series_.num_switches(); ++number) {
    std::vector<double>& polynomial = switches_[number];
    polynomial.resize(series_.switch_degree(number) + 1);
    for (std::size_t k = 0; k < polynomial.size(); ++k)
      polynomial[k] = series_.switch_coefficient(number, static_cast<int>(k));
    is_switch_positive_[number] = series_.is_switch_positive(number);
    is_due_at_once_[number] =
        series_.is_switch_undecided(number) &&
        std::any_of(polynomial.begin(), polynomial.end(), [](double x) { return x != 0.0; });
  }
}

double TaylorIntegrator::derivative(int unknown, int order) const {
  double factor = 1.0;
  for (int k = 1; k <= order; ++k) factor *= k / current_.scale;
  return factor * current_.polynomial(shape_.layout, unknown)[order];
}

void TaylorIntegrator::restore() {
  series_.set_origin(t_, current_.scale);
  for (int j = 0; j < series_.num_unknowns(); ++j)
    for (int n = 0; n <= shape_.local_orders[j]; ++n)
      series_.coefficient(j, n) = current_.polynomial(shape_.layout, j)[n];
  set_sizes(current_);
  series_.solve_start(scales_.weights());
  if (series_.report().ok()) series_.solve_rest();
}

// At the beginning of a step.
void TaylorIntegrator::set_sizes(const solution::Step& step) {
  for (int j = 0; j < series_.num_unknowns(); ++j) {
    const auto x = step.polynomial(shape_.layout, j);
    double factor = 1.0;  // n!/s^n
    for (int n = 0; n < std::max(shape_.local_orders[j], 1); ++n, factor *= n / step.scale)
      scales_.set_size(j, n, factor * std::abs(x[n]));
  }
}

double TaylorIntegrator::proposed_step() const {
  double step =
      std::min({longest_step(current_, shape_, scales_), options_.max_step, std::abs(end_ - t_)});
  for (const std::vector<double>& function : switches_)
    step = std::min(step, current_.scale * longest_accurate(function, options_.tolerance));
  return step;
}

// A shorter step makes the error smaller: by 2^p, or at a jump of the highest derivative by 2. An
// error that stays is rounding, amplified by differentiation (variables of high index); then the
// comparison is made that much coarser, within limits, and tried again with the step first
// proposed.
bool TaylorIntegrator::advance() {
  constexpr double shrink = 0.5, noise_decay = 0.9;
  constexpr double coarsest = 1e-7;  // in units of the weights at tolerance 1
  constexpr int most_useless = 3;
  constexpr double hardly_smaller = 0.7;  // a jump in x' halves it
  constexpr double regain = 4.0;          // growth from step to step after a rejection
  set_sizes(current_);
  noise_ = std::max(1.0, noise_decay * noise_);
  const double direction = end_ > t_ ? 1.0 : -1.0;
  const double remaining = std::abs(end_ - t_);
  const double proposed = proposed_step();
  const double longest = std::min(proposed, trusted_step_);
  double h = longest, last_error = std::numeric_limits<double>::infinity();
  int num_useless = 0;  // trials in a row in which a shorter step was hardly better
  for (;; ++num_rejected_) {
    const double wanted = h >= remaining * (1 - 4 * epsilon) ? end_ : t_ + direction * h;
    const double t_new = up_to_first_switch(wanted);
    if (std::abs(t_new - t_) <= shortest_step() || num_short_switches_ > most_short_switches)
      return false;
    const Trial trial = attempt(t_new);
    if (trial == Trial::accepted) {
      trusted_step_ = h < proposed ? regain * h : unlimited;
      return true;
    }
    const bool is_too_far = trial == Trial::too_far;
    num_useless = is_too_far && error_ > hardly_smaller * last_error ? num_useless + 1 : 0;
    last_error = is_too_far ? error_ : std::numeric_limits<double>::infinity();
    h *= shrink;
    if (num_useless < most_useless || 2 * error_ * options_.tolerance > coarsest) continue;
    noise_ = 2 * error_;
    largest_noise_ = std::max(largest_noise_, noise_);
    num_useless = 0;
    h = longest;
  }
}

double TaylorIntegrator::shortest_step() const { return floor_units * epsilon * std::abs(t_); }

// A step must not go on with a branch of abs, sign, min or max that is no longer the active one: it
// ends just behind the first switch. A switch that is due at once is passed by a step of next to no
// length.
double TaylorIntegrator::up_to_first_switch(double t_new) {
  switch_ahead_ = -1;
  double nearest = (t_new - t_) / current_.scale;
  for (std::size_t number = 0; number < switches_.size(); ++number) {
    const auto found =
        is_due_at_once_[number]
            ? std::optional(0.0)
            : first_sign_change(switches_[number], is_switch_positive_[number], nearest);
    if (!found || std::abs(*found) >= std::abs(nearest)) continue;
    nearest = *found;
    switch_ahead_ = static_cast<int>(number);
  }
  if (switch_ahead_ < 0) return t_new;
  const double direction = t_new > t_ ? 1.0 : -1.0;
  const double shortest = std::max(4 * shortest_step(), 4 * epsilon * std::abs(current_.scale));
  const double length = std::max(std::abs(nearest * current_.scale), shortest);
  num_short_switches_ = length <= short_part * duration_ ? num_short_switches_ + 1 : 0;
  const double t_switch = t_ + direction * length;
  return std::abs(t_switch - t_) < std::abs(t_new - t_) ? t_switch : t_new;
}

taylor::NodeId TaylorIntegrator::chattering() const {
  return num_short_switches_ > most_short_switches && switch_ahead_ >= 0
             ? series_.switch_node(switch_ahead_)
             : taylor::NodeId();
}

// The new time is a double, and the step is its exact distance: nothing accumulates.
TaylorIntegrator::Trial TaylorIntegrator::attempt(double t_new) {
  const double h = std::abs(t_new - t_), scale = power_of_two_near(h);
  predict(t_new, scale);
  series_.set_origin(t_new, scale);
  for (int j = 0; j < series_.num_unknowns(); ++j) {
    for (int n = 0; n <= shape_.local_orders[j]; ++n)
      series_.coefficient(j, n) = predicted_[first_[j] + n];
    scales_.set_size(j, 0, std::abs(predicted_[first_[j]]));
  }
  series_.solve_start(scales_.weights());
  failure_ = series_.report();
  if (!failure_.ok()) return Trial::failed;
  error_ = comparison_error(h);
  if (!(error_ <= noise_)) return Trial::too_far;
  series_.solve_rest();
  failure_ = series_.report();
  if (!failure_.ok()) return Trial::failed;
  std::swap(accepted_, current_);
  accepted_.end = t_ = t_new;
  scales_.forget_slowly();
  std::swap(lost_, lost_new_);
  keep_series();
  return Trial::accepted;
}

// x_n at the end of the step, in the new scale: sum_k C(k, n) x_k s^(k-n), largest term last, with
// what rounding lost in the last sum.
void TaylorIntegrator::predict(double t_new, double scale) {
  const double s = (t_new - t_) / current_.scale, ratio = scale / current_.scale;
  for (int j = 0; j < series_.num_unknowns(); ++j) {
    const auto x = current_.polynomial(shape_.layout, j);
    double rescale = 1.0;
    for (int n = 0; n <= shape_.local_orders[j]; ++n, rescale *= ratio) {
      const int at = first_[j] + n;
      const double rest = s * solution::scaled_tail(x, n, s);
      const ExactSum sum = two_sum(x[n], rest + lost_[at]);
      predicted_[at] = rescale * sum.sum;
      lost_new_[at] = rescale * sum.lost;
      magnitude_[at] = rescale * (std::abs(x[n]) + std::abs(rest));
    }
  }
}

// How far the new state may be from the prediction, in units of h^n x^(n)/n!: tol times its scale
// for what the next step starts from; for the first coefficient that is solved for, the larger
// error that differentiating the polynomial once more brings; and what rounding does to both.
double TaylorIntegrator::allowance(int unknown, int n, double h) const {
  const int d = shape_.local_orders[unknown], degree = shape_.layout.degree(unknown);
  const bool is_solved_for = n == d;
  const int state = is_solved_for && d > 0 ? d - 1 : n;
  const double amplified = is_solved_for && d > 0 ? static_cast<double>(degree + 2 - d) / d : 1.0;
  double unit = 1.0;  // h^state/state!
  for (int k = 1; k <= state; ++k) unit *= h / k;
  const double condition =
      is_solved_for ? std::min(series_.condition(block_of_[unknown]), 1e8) : 1.0;
  const double noise = 64 * epsilon * condition * magnitude_[first_[unknown] + n];
  return amplified * scales_.tolerance() * unit * scales_.scale(unknown, state) + noise;
}

double TaylorIntegrator::comparison_error(double h) {
  double worst = 0.0;
  for (int j = 0; j < series_.num_unknowns(); ++j) {
    double power = 1.0;
    // at a switch what is solved for may jump
    const int last = shape_.local_orders[j] - (switch_ahead_ >= 0 ? 1 : 0);
    for (int n = 0; n <= last; ++n, power *= h / series_.scale()) {
      const double difference =
          power * std::abs(series_.coefficient(j, n) - predicted_[first_[j] + n]);
      const double error = difference / allowance(j, n, h);
      if (!(error <= worst)) {
        worst = error;
        worst_unknown_ = j;
      }
    }
  }
  return worst;
}

}  // namespace daedal::integrate

#include "integrate/taylor_run.hpp"

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

TaylorRun::TaylorRun(taylor::SeriesSolver& series, int lane, const SeriesShape& shape,
                     std::span<const double> nominals, const TaylorOptions& options)
    : series_(series),
      lane_(lane),
      shape_(shape),
      scales_(options.tolerance, nominals, shape),
      options_(options),
      block_of_(shape.num_columns()) {
  for (const taylor::BlockSchedule& block : series.schedule().blocks)
    for (int k = 0; k < block.size(); ++k)
      block_of_[shape.layout.column[block.unknowns[k]]] =
          block.fine_blocks[block.is_diagonal ? k : 0];
  for (solution::Step* step : {&accepted_, &current_})
    step->coefficients.resize(shape.layout.size() + taylor::kernel_overrun);
  const int highest = shape.highest_local_order(), num_rows = shape.layout.num_rows;
  for (auto* values : {&predicted_, &magnitude_, &lost_, &lost_new_})
    values->assign(shape.num_columns() * (highest + 1), 0.0);
  binomials_.assign(num_rows * (highest + 1), 1.0);
  for (int n = 1; n <= highest; ++n)
    for (int k = n + 1; k < num_rows; ++k)  // C(k, n) = C(k-1, n) k/(k-n)
      binomials_[n * num_rows + k] = binomials_[n * num_rows + k - 1] * k / (k - n);
}

void TaylorRun::set_member(std::vector<double> parameters, std::span<const double> nominals) {
  series_.set_lane(lane_, std::move(parameters), nominals);
  scales_ = ErrorScales(options_.tolerance, nominals, shape_);
  trusted_step_ = unlimited;
  noise_ = largest_noise_ = 1.0;
  num_rejected_ = 0;
}

void TaylorRun::judge_this_lane_only() {
  for (int lane = 0; lane < series_.num_lanes(); ++lane) series_.set_idle(lane, lane != lane_);
}

void TaylorRun::solve() {
  judge_this_lane_only();
  series_.solve_start();
  failure_ = series_.report(lane_);
  if (!failure_.ok()) return;
  series_.solve_rest();
  failure_ = series_.report(lane_);
}

// Weights and sizes from the values at the point: [column]. The weights are not multiplied by the
// tolerance, which would change no projection but make its matrix look singular.
void TaylorRun::set_weights(const double* values) {
  for (int c = 0; c < shape_.num_columns(); ++c) {
    scales_.set_size(c, 0, std::abs(values[c]));
    series_.set_weight(shape_.unknowns[c], scales_.scale(c, 0), lane_);
  }
}

void TaylorRun::solve_at_start(const std::vector<std::vector<double>>& derivatives) {
  for (int c = 0; c < shape_.num_columns(); ++c) {
    const int j = shape_.unknowns[c];
    double factor = 1.0;
    for (int n = 0; n <= shape_.local_orders[j]; ++n) {
      const bool is_given = n < static_cast<int>(derivatives[j].size());
      series_.coefficient(j, n, lane_) = is_given ? factor * derivatives[j][n] : 0.0;
      factor *= series_.scale(lane_) / (n + 1);
    }
    predicted_[c] = series_.coefficient(j, 0, lane_);
  }
  set_weights(predicted_.data());
  solve();
}

// The scale should be near the step for coefficients of reasonable size, and the step follows from
// the coefficients: start from a guess, correct it until both agree.
bool TaylorRun::begin(double t, double end, const std::vector<std::vector<double>>& derivatives) {
  constexpr int most_scales = 40;
  constexpr double near_enough = 16.0;
  t_ = t;
  end_ = end;
  is_trying_ = false;
  std::fill(lost_.begin(), lost_.end(), 0.0);
  duration_ = std::abs(end - t);
  num_short_switches_ = 0;
  scales_.begin(duration_);
  const double longest = std::min(std::abs(end - t), options_.max_step);
  double scale = longest > 0.0 ? power_of_two_near(longest / 16) : 1.0;
  for (int trial = 0; trial < most_scales; ++trial) {
    series_.set_origin(t, scale, lane_);
    solve_at_start(derivatives);
    if (failure_.failure == taylor::StageFailure::not_finite) {
      scale *= 0x1p-10;
      continue;
    }
    if (!failure_.ok()) return false;
    keep_series();
    set_sizes();
    const double step = std::min(longest_step(current_, shape_, scales_), longest);
    const double wanted = step > 0.0 ? power_of_two_near(step) : scale;
    if (wanted <= near_enough * scale && scale <= near_enough * wanted) break;
    scale = wanted;
  }
  return failure_.ok();
}

void TaylorRun::keep_series() {
  current_.begin = current_.end = t_;
  current_.scale = series_.scale(lane_);
  double* to = current_.coefficients.data();
  const int num_columns = shape_.num_columns(), num_lanes = series_.num_lanes();
  for (int k = 0; k < shape_.layout.num_rows; ++k) {
    const double* row = series_.row(k) + lane_;
    for (int c = 0; c < num_columns; ++c) *to++ = row[c * num_lanes];
  }
  keep_switches();
}

void TaylorRun::keep_switches() {
  switches_.resize(series_.num_switches());
  is_switch_positive_.resize(series_.num_switches());
  is_due_at_once_.resize(series_.num_switches());
  for (int number = 0; number < series_.num_switches(); ++number) {
    std::vector<double>& polynomial = switches_[number];
    polynomial.resize(series_.switch_degree(number) + 1);
    for (std::size_t k = 0; k < polynomial.size(); ++k)
      polynomial[k] = series_.switch_coefficient(number, static_cast<int>(k), lane_);
    is_switch_positive_[number] = series_.is_switch_positive(number, lane_);
    is_due_at_once_[number] =
        series_.is_switch_undecided(number, lane_) &&
        std::any_of(polynomial.begin(), polynomial.end(), [](double x) { return x != 0.0; });
  }
}

double TaylorRun::derivative(int unknown, int order) const {
  double factor = 1.0;
  for (int k = 1; k <= order; ++k) factor *= k / current_.scale;
  return factor * current_.polynomial(shape_.layout, unknown)[order];
}

void TaylorRun::restore() {
  series_.set_origin(t_, current_.scale, lane_);
  for (int j = 0; j < series_.num_unknowns(); ++j)
    for (int n = 0; n <= shape_.local_orders[j]; ++n)
      series_.coefficient(j, n, lane_) = current_.polynomial(shape_.layout, j)[n];
  set_weights(current_.coefficients.data());
  judge_this_lane_only();
  series_.solve_start();
  if (series_.report(lane_).ok()) series_.solve_rest();
}

// At the beginning of a step.
void TaylorRun::set_sizes() {
  double factor = 1.0;  // n!/s^n
  const double* x = current_.coefficients.data();
  for (int n = 0; shape_.num_judged(n) > 0; x += shape_.num_columns()) {
    for (int c = 0; c < shape_.num_judged(n); ++c) scales_.set_size(c, n, factor * std::abs(x[c]));
    factor *= ++n / current_.scale;
  }
}

double TaylorRun::proposed_step() const {
  double step =
      std::min({longest_step(current_, shape_, scales_), options_.max_step, std::abs(end_ - t_)});
  for (const std::vector<double>& function : switches_)
    step = std::min(step, current_.scale * longest_accurate(function, options_.tolerance));
  return step;
}

void TaylorRun::begin_step() {
  constexpr double noise_decay = 0.9;
  set_sizes();
  noise_ = std::max(1.0, noise_decay * noise_);
  proposed_ = proposed_step();
  longest_ = std::min(proposed_, trusted_step_);
  h_ = longest_;
  last_error_ = unlimited;
  num_useless_ = 0;
  is_trying_ = true;
}

// The new time is a double, and the step is its exact distance: nothing accumulates.
bool TaylorRun::prepare_trial() {
  const double direction = end_ > t_ ? 1.0 : -1.0, remaining = std::abs(end_ - t_);
  const double wanted = h_ >= remaining * (1 - 4 * epsilon) ? end_ : t_ + direction * h_;
  t_new_ = up_to_first_switch(wanted);
  if (std::abs(t_new_ - t_) <= shortest_step() || num_short_switches_ > most_short_switches) {
    is_trying_ = false;
    return false;
  }
  const double scale = power_of_two_near(std::abs(t_new_ - t_));
  predict(t_new_, scale);
  series_.set_origin(t_new_, scale, lane_);
  const int num_columns = shape_.num_columns(), num_lanes = series_.num_lanes();
  for (int n = 0; n <= shape_.highest_local_order(); ++n) {
    double* row = series_.row(n) + lane_;
    for (int c = 0; c < shape_.num_with_order(n); ++c)
      row[c * num_lanes] = predicted_[n * num_columns + c];
  }
  set_weights(predicted_.data());
  return true;
}

bool TaylorRun::is_close() {
  failure_ = series_.report(lane_);
  is_too_far_ = false;
  if (!failure_.ok()) return false;
  error_ = comparison_error(std::abs(t_new_ - t_));
  is_too_far_ = !(error_ <= noise_);
  return !is_too_far_;
}

bool TaylorRun::accept() {
  constexpr double regain = 4.0;  // growth from step to step after a rejection
  failure_ = series_.report(lane_);
  if (!failure_.ok()) return false;
  std::swap(accepted_, current_);
  accepted_.end = t_ = t_new_;
  scales_.forget_slowly();
  std::swap(lost_, lost_new_);
  keep_series();
  trusted_step_ = h_ < proposed_ ? regain * h_ : unlimited;
  is_trying_ = false;
  return true;
}

// A shorter step makes the error smaller: by 2^p, or at a jump of the highest derivative by 2. An
// error that stays is rounding, amplified by differentiation (variables of high index); then the
// comparison is made that much coarser, within limits, and tried again with the step first
// proposed.
void TaylorRun::reject() {
  constexpr double shrink = 0.5;
  constexpr double coarsest = 1e-7;  // in units of the weights at tolerance 1
  constexpr int most_useless = 3;
  constexpr double hardly_smaller = 0.7;  // a jump in x' halves it
  ++num_rejected_;
  num_useless_ = is_too_far_ && error_ > hardly_smaller * last_error_ ? num_useless_ + 1 : 0;
  last_error_ = is_too_far_ ? error_ : unlimited;
  h_ *= shrink;
  if (num_useless_ < most_useless || 2 * error_ * options_.tolerance > coarsest) return;
  noise_ = 2 * error_;
  largest_noise_ = std::max(largest_noise_, noise_);
  num_useless_ = 0;
  h_ = longest_;
}

double TaylorRun::shortest_step() const { return floor_units * epsilon * std::abs(t_); }

// A step must not go on with a branch of abs, sign, min or max that is no longer the active one: it
// ends just behind the first switch. A switch that is due at once is passed by a step of next to no
// length.
double TaylorRun::up_to_first_switch(double t_new) {
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

taylor::NodeId TaylorRun::chattering() const {
  return num_short_switches_ > most_short_switches && switch_ahead_ >= 0
             ? series_.switch_node(switch_ahead_)
             : taylor::NodeId();
}

// x_n at the end of the step, in the new scale: sum_k C(k, n) x_k s^(k-n), largest term last, with
// what rounding lost in the last sum.
void TaylorRun::predict(double t_new, double scale) {
  const double s = (t_new - t_) / current_.scale, ratio = scale / current_.scale;
  const int num_columns = shape_.num_columns(), num_rows = shape_.layout.num_rows;
  double rescale = 1.0;
  for (int n = 0; n <= shape_.highest_local_order(); ++n, rescale *= ratio) {
    const int count = shape_.num_with_order(n);
    double* rest = predicted_.data() + n * num_columns;
    const double* x = current_.coefficients.data() + n * num_columns;
    taylor::best_kernels().horner(
        {current_.coefficients.data(), static_cast<std::size_t>(num_columns)}, n + 1, num_rows - 1,
        s, binomials_.data() + n * num_rows, rest, count);
    for (int c = 0; c < count; ++c) {
      const int at = n * num_columns + c;
      const double change = s * rest[c];
      const ExactSum sum = two_sum(x[c], change + lost_[at]);
      predicted_[at] = rescale * sum.sum;
      lost_new_[at] = rescale * sum.lost;
      magnitude_[at] = rescale * (std::abs(x[c]) + std::abs(change));
    }
  }
}

double TaylorRun::jump(int block) const {
  if (switch_ahead_ >= 0) return 0.0;  // a jump is in order
  double difference = 0.0, size = 0.0;
  for (int c = 0; c < shape_.num_columns(); ++c) {
    if (block_of_[c] != block) continue;
    const int at = shape_.local_orders[shape_.unknowns[c]] * shape_.num_columns() + c;
    const double found = current_.coefficients[at];
    difference = std::max(difference, std::abs(found - predicted_[at]));
    size = std::max({size, std::abs(found), std::abs(predicted_[at])});
  }
  return size > 0.0 ? difference / size : 0.0;
}

// How far the new state is from the prediction, in units of what is allowed: tol times its scale
// for what the next step starts from, measured in h^n x^(n)/n!; for the first coefficient that is
// solved for, the larger error that differentiating the polynomial once more brings; and what
// rounding does to both.
double TaylorRun::comparison_error(double h) {
  constexpr double largest_condition = 1e8, rounding = 64 * epsilon;
  const int num_columns = shape_.num_columns(), num_lanes = series_.num_lanes();
  const double h_in_scale = h / series_.scale(lane_);
  double worst = 0.0;
  for (const SeriesShape::Range& range : shape_.ranges) {
    const int d = range.local_order;
    // at a switch what is solved for may jump
    const int last = d - (switch_ahead_ >= 0 ? 1 : 0);
    double power = 1.0, unit = 1.0, last_unit = 1.0;  // units: h^n/n!
    for (int n = 0; n <= last; ++n, power *= h_in_scale, last_unit = unit, unit *= h / n) {
      const bool is_solved_for = n == d;
      const int state = is_solved_for && d > 0 ? d - 1 : n;
      const double amplified =
          is_solved_for && d > 0 ? static_cast<double>(range.degree + 2 - d) / d : 1.0;
      const double allowed = amplified * scales_.tolerance() * (state == n ? unit : last_unit);
      const double* found = series_.row(n) + lane_;
      for (int c = range.first; c < range.last; ++c) {
        const int at = n * num_columns + c;
        const double condition =
            is_solved_for ? std::min(series_.condition(block_of_[c], lane_), largest_condition)
                          : 1.0;
        const double allowance =
            allowed * scales_.scale(c, state) + rounding * condition * magnitude_[at];
        const double difference = power * std::abs(found[c * num_lanes] - predicted_[at]);
        if (difference <= worst * allowance) continue;
        worst = difference / allowance;
        worst_unknown_ = shape_.unknowns[c];
        if (std::isnan(worst)) return worst;
      }
    }
  }
  return worst;
}

}  // namespace daedal::integrate

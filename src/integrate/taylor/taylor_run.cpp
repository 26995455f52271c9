#include "integrate/taylor/taylor_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
// The weight of an unknown that is held when others are projected.
constexpr double hardly_movable = 1e-20;

// A part of the step that was wanted: where an event cuts it much shorter, the coefficients at its
// end would vanish below the smallest numbers, and with them what limits the next step.
constexpr double smallest_part_of_scale = 0x1p-10;

double power_of_two_near(double value) { return std::exp2(std::round(std::log2(value))); }

}  // namespace

TaylorRun::TaylorRun(taylor::SeriesSolver& series, LaneTable& table, int lane,
                     const SeriesShape& shape, std::span<const double> nominals,
                     const TaylorOptions& options)
    : series_(series),
      table_(table),
      lane_(lane),
      shape_(shape),
      options_(options),
      events_(options.tolerance),
      domains_(series, lane),
      features_(series, lane, options.tolerance) {
  if (series.schedule().tape.depends_on_time()) forcing_.emplace(series, lane, options.tolerance);
  table.scales().set_nominals(nominals, lane);
  for (int b = 0; b < series.num_blocks(); ++b)
    if (!series.has_constant_jacobian(b)) varying_blocks_.push_back(b);
  signs_.assign(series.num_blocks(), 0);
}

void TaylorRun::set_member(std::vector<double> parameters, std::span<const double> nominals) {
  series_.set_lane(lane_, std::move(parameters), nominals);
  table_.scales().set_nominals(nominals, lane_);
  forget();
}

void TaylorRun::forget() {
  series_.forget(lane_);
  trusted_step_ = unlimited;
  noise_ = largest_noise_ = 1.0;
  num_rejected_ = 0;
  worst_unknown_ = -1;
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

void TaylorRun::solve_at_start(const std::vector<std::vector<double>>& derivatives) {
  for (int c = 0; c < shape_.num_columns(); ++c) {
    const int j = shape_.unknowns[c];
    double factor = 1.0;
    for (int n = 0; n <= shape_.local_orders[j]; ++n) {
      const bool is_given = n < static_cast<int>(derivatives[j].size());
      series_.coefficient(j, n, lane_) = is_given ? factor * derivatives[j][n] : 0.0;
      factor *= series_.scale(lane_) / (n + 1);
    }
  }
  table_.set_weights(series_.row(0));
  const std::vector<double> hardly(series_.num_lanes(), hardly_movable);
  for (const int j : held_) series_.set_weights(j, hardly.data());
  solve();
}

// The scale should be near the step for coefficients of reasonable size, and the step follows from
// the coefficients: start from a guess, correct it until both agree.
bool TaylorRun::begin(double t, double end, const std::vector<std::vector<double>>& derivatives,
                      double duration) {
  constexpr int most_scales = 40;
  constexpr double near_enough = 16.0;
  t_ = t;
  end_ = end;
  is_trying_ = false;
  duration_ = duration > 0.0 ? duration : std::abs(end - t);
  trusted_step_ = unlimited;
  events_.clear_arrivals();
  num_short_switches_ = 0;
  progress_.begin(t, duration_);
  if (forcing_) forcing_->begin(duration_);
  features_.begin();
  table_.begin(lane_);
  table_.scales().begin(duration_, lane_);
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
    table_.keep_at_start(lane_, t);
    table_.begin_steps();
    const double step = std::min(table_.longest_step(lane_), longest);
    const double wanted = step > 0.0 ? power_of_two_near(step) : scale;
    if (wanted <= near_enough * scale && scale <= near_enough * wanted) break;
    scale = wanted;
  }
  if (!failure_.ok()) return false;
  take_series();
  take_signs();
  return true;
}

void TaylorRun::take_signs() {
  for (const int b : varying_blocks_) signs_[b] = series_.determinant_sign(b, lane_);
}

bool TaylorRun::stays_on_branch() {
  bool is_any_changed = false;
  for (const int b : varying_blocks_) {
    if (series_.determinant_sign(b, lane_) == signs_[b]) continue;
    is_any_changed = true;
    solution::StepView step = current();
    step.end = t_new_;
    if (judge_ == nullptr || judge_->may_change_sign(b, signs_[b], step)) continue;
    parting_block_ = b;
    return false;
  }
  if (is_any_changed) take_signs();
  return true;
}

void TaylorRun::take_series() {
  switches_.resize(series_.num_switches());
  switch_term_sizes_.resize(series_.num_switches());
  is_switch_positive_.resize(series_.num_switches());
  is_due_at_once_.resize(series_.num_switches());
  for (int number = 0; number < series_.num_switches(); ++number) {
    std::vector<double>& polynomial = switches_[number];
    polynomial.resize(series_.switch_degree(number) + 1);
    switch_term_sizes_[number].resize(polynomial.size());
    for (std::size_t k = 0; k < polynomial.size(); ++k) {
      polynomial[k] = series_.switch_coefficient(number, static_cast<int>(k), lane_);
      switch_term_sizes_[number][k] = series_.switch_term_sizes(number, static_cast<int>(k), lane_);
    }
    is_switch_positive_[number] = series_.is_switch_positive(number, lane_);
    is_due_at_once_[number] =
        series_.is_switch_undecided(number, lane_) &&
        std::any_of(polynomial.begin(), polynomial.end(), [](double x) { return x != 0.0; });
  }
}

int TaylorRun::highest_told(int unknown) const {
  return std::min(std::max(shape_.local_orders[unknown], 2), shape_.layout.degree(unknown));
}

solution::StepQuality TaylorRun::quality() const {
  double condition = 0.0;
  for (int b = 0; b < series_.num_blocks(); ++b)
    condition = std::max(condition, series_.condition(b, lane_));
  return {.condition = condition, .residual = series_.constraint_residual(lane_)};
}

double TaylorRun::t() const { return t_; }

solution::StepView TaylorRun::accepted() const { return table_.accepted(lane_); }

const solution::StepLayout& TaylorRun::layout() const { return shape_.layout; }

double TaylorRun::derivative(int unknown, int order) const {
  const solution::StepView step = current();
  double factor = 1.0;
  for (int k = 1; k <= order; ++k) factor *= k / step.scale;
  return factor * step.polynomial(shape_.layout, unknown)[order];
}

// C(m, n) x_m s^(m-n), summed over m.
double TaylorRun::shifted_coefficient(int unknown, int n, double s) const {
  const auto polynomial = current().polynomial(shape_.layout, unknown);
  double sum = 0.0;
  for (int m = shape_.layout.degree(unknown); m >= n; --m) {
    double binomial = 1.0;
    for (int k = 1; k <= n; ++k) binomial = binomial * (m - n + k) / k;
    sum = sum * s + binomial * polynomial[m];
  }
  return sum;
}

// Stages <= 0 at t + s scale, from a state that is near.
void TaylorRun::solve_near(double s, const std::function<double(int unknown, int n)>& state) {
  const double scale = current().scale;
  series_.set_origin(t_ + s * scale, scale, lane_);
  for (int j = 0; j < series_.num_unknowns(); ++j)
    for (int n = 0; n <= shape_.local_orders[j]; ++n)
      series_.coefficient(j, n, lane_) = state(j, n);
  table_.set_weights(series_.row(0));
  judge_this_lane_only();
  series_.solve_start();
}

void TaylorRun::restore() {
  const solution::StepView step = current();
  solve_near(0.0, [&](int j, int n) { return step.polynomial(shape_.layout, j)[n]; });
  if (series_.report(lane_).ok()) series_.solve_rest();
}

double TaylorRun::distance_from_shifted(double s) const {
  double largest = 0.0;
  for (int c = 0; c < shape_.num_columns(); ++c) {
    const int j = shape_.unknowns[c];
    const double difference = series_.coefficient(j, 0, lane_) - shifted_coefficient(j, 0, s);
    largest = std::max(largest, std::abs(difference) / table_.scale(c, lane_));
  }
  return largest / options_.tolerance;
}

double TaylorRun::noise_behind() {
  constexpr int num_samples = 8;
  constexpr double part = 0.1;  // of the way that the series is good for
  const double reach = part * proposed_step_from_here() / current().scale;
  double noise = 0.0;
  for (int k = 1; k <= num_samples; ++k) {
    const double s = -reach * k / num_samples;
    solve_near(s, [&](int j, int n) { return shifted_coefficient(j, n, s); });
    if (series_.report(lane_).ok()) noise = std::max(noise, distance_from_shifted(s));
  }
  return noise;
}

double TaylorRun::proposed_step() {
  double step = std::min({table_.longest_step(lane_), options_.max_step, std::abs(end_ - t_)});
  for (const std::vector<double>& function : switches_)
    step = std::min(step, current().scale * longest_accurate(function, options_.tolerance));
  return events_.longest_accurate_step(current(), shape_.layout, step);
}

// The way that the present series is good for, with its sign.
double TaylorRun::proposed_step_from_here() const {
  const double longest = std::min(table_.longest_step(lane_), std::abs(end_ - t_));
  return end_ >= t_ ? longest : -longest;
}

// The part of it on which operations do not come to the edges of their domains: after an edge the
// series go on as if nothing were there, and say nothing.
double TaylorRun::way_in_domains() {
  const double scale = current().scale, s = proposed_step_from_here() / scale;
  domains_.begin_step(s);
  return domains_.inside(s) * scale;
}

void TaylorRun::begin_step() {
  constexpr double noise_decay = 0.9;
  noise_ = std::max(1.0, noise_decay * noise_);
  proposed_ = proposed_step();
  longest_ = std::min(proposed_, trusted_step_);
  h_ = longest_;
  const double h = end_ > t_ ? h_ : -h_;
  domains_.begin_step(h / current().scale);
  pass_zero_by_zero();
  if (forcing_) forcing_->begin_step(t_, t_ + h);
  last_error_ = unlimited;
  num_useless_ = 0;
  num_refined_ = 0;
  parting_block_ = -1;
  is_looked_at_ = is_asking_ = false;
  is_trying_ = true;
}

// Next to a quotient's 0/0 the last stages are rounding errors, and limit the step: without them it
// goes as far to the other side. A step that could go somewhat farther is sure to be good.
void TaylorRun::pass_zero_by_zero() {
  constexpr double farther = 1.25;
  const double direction = end_ > t_ ? 1.0 : -1.0, scale = current().scale;
  const double passed = 2 * std::abs(domains_.zero_by_zero(direction * h_ / scale) * scale);
  if (h_ >= farther * passed || passed >= std::min(options_.max_step, std::abs(end_ - t_))) return;
  if (!table_.drop_stages_for(lane_, farther * passed)) return;
  h_ = longest_ = proposed_ = passed;
  domains_.begin_step(direction * h_ / scale);
}

// The new time is a double, and the step is its exact distance: nothing accumulates.
bool TaylorRun::prepare_trial() {
  const double direction = end_ > t_ ? 1.0 : -1.0, remaining = std::abs(end_ - t_);
  const double wanted = remaining - h_ <= hardly_longer() ? end_ : t_ + direction * h_;
  t_new_ = num_refined_ > 0 ? refined_t_ : while_features_are_seen(first_stop(wanted));
  if (num_refined_ == 0) ask_inside();
  if (std::abs(t_new_ - t_) <= shortest_step() || num_short_switches_ > most_short_switches ||
      progress_.is_hopeless()) {
    is_trying_ = false;
    table_.set_target(lane_, t_, current().scale);
    return false;
  }
  const double scale =
      power_of_two_near(std::max(std::abs(t_new_ - t_), h_ * smallest_part_of_scale));
  table_.set_target(lane_, t_new_, scale);
  table_.allow_jump(lane_, switch_ahead_ >= 0 && !is_asking_);
  series_.set_origin(t_new_, scale, lane_);
  return true;
}

// Where a step towards t_new has to end.
double TaylorRun::first_stop(double t_new) {
  return while_forcing_is_seen(inside_domains(events_.up_to_first(
      current(), shape_.layout, up_to_first_switch(t_new), shortest_to_event())));
}

// A step must not pass the edge of a domain. An event there is the model's own business.
double TaylorRun::inside_domains(double t_new) {
  const double scale = current().scale, s = (t_new - t_) / scale;
  const bool is_event = !events_.arrivals().empty();
  const double inside = is_event ? domains_.inside_until_event(s) : domains_.inside(s);
  return inside == s ? t_new : cut_at(t_ + inside * scale);
}

double TaylorRun::while_forcing_is_seen(double t_new) {
  if (!forcing_) return t_new;
  const double seen = forcing_->resolved(t_new);
  if (seen == t_new) return t_new;
  h_ = std::abs(seen - t_);
  return cut_at(seen);
}

double TaylorRun::while_features_are_seen(double t_new) {
  const double scale = current().scale, s = (t_new - t_) / scale;
  if (!std::exchange(is_looked_at_, true)) features_.begin_step(t_, s);
  const double reach = features_.reach(std::abs(s));
  if (reach >= std::abs(s)) return t_new;
  h_ = reach * std::abs(scale);
  return inside_domains(cut_at(t_new > t_ ? t_ + h_ : t_ - h_));
}

// Whether a difference inside the step matters is tried there first.
void TaylorRun::ask_inside() {
  const double scale = current().scale;
  const auto place = features_.question(std::abs((t_new_ - t_) / scale));
  is_asking_ = place.has_value();
  if (!is_asking_) return;
  const double length = std::max(*place * std::abs(scale), 2 * shortest_step());
  t_new_ = t_new_ > t_ ? t_ + length : t_ - length;
}

// Before what would have ended the step.
double TaylorRun::cut_at(double t) {
  events_.clear_arrivals();
  switch_ahead_ = -1;
  return t;
}

bool TaylorRun::is_close() {
  failure_ = series_.report(lane_);
  is_too_far_ = false;
  if (failure_.ok()) {
    error_ = table_.error(lane_);
    is_too_far_ = !(error_ <= noise_);
  }
  const bool is_close = failure_.ok() && !is_too_far_;
  if (is_asking_) features_.answer(is_close);
  return is_close && !is_asking_;
}

// The event was found on the polynomial, whose error is up to a tolerance; the state found at its
// end is better.
bool TaylorRun::refines_event() {
  constexpr int most_refinements = 3;
  if (num_refined_ == most_refinements) return false;
  const WatchedFunction* function = events_.crossing();
  if (function == nullptr || !is_known_at_start(*function)) return false;
  const double value = function->value(
      t_new_, [&](int unknown, int order) { return derivative_found(unknown, order); });
  const double zero = t_new_ - events_.correction(current(), shape_.layout, t_new_, value);
  const double t = leaves_a_step(zero, end_) ? zero : end_;
  const bool is_inside =
      end_ > t_ ? t > t_ + shortest_step() && t <= end_ : t < t_ - shortest_step() && t >= end_;
  if (t == t_new_ || !is_inside) return false;
  refined_t_ = t;
  ++num_refined_;
  return true;
}

// Whether the value of a function follows from stages up to 0.
bool TaylorRun::is_known_at_start(const WatchedFunction& function) const {
  return std::all_of(function.terms.begin(), function.terms.end(), [&](const auto& term) {
    return term.order <= shape_.local_orders[term.unknown];
  });
}

// x_j^(order) as the solver has it, for the trial.
double TaylorRun::derivative_found(int unknown, int order) const {
  double factor = 1.0;
  for (int k = 1; k <= order; ++k) factor *= k / series_.scale(lane_);
  return factor * series_.coefficient(unknown, order, lane_);
}

bool TaylorRun::accept() {
  constexpr double regain = 4.0;  // growth from step to step after a rejection
  failure_ = series_.report(lane_);
  if (!failure_.ok() || !stays_on_branch()) return false;
  t_ = t_new_;
  progress_.add(t_);
  trusted_step_ = h_ < proposed_ ? regain * h_ : unlimited;
  events_.leave_zero(t_);
  num_refined_ = 0;
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
  if (std::exchange(is_asking_, false)) return;
  ++num_rejected_;
  num_refined_ = 0;
  if (is_too_far_) worst_unknown_ = table_.worst_unknown(lane_);
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

// A step that comes to the end but for rounding goes to the end: a hundred steps of 0.1 leave a
// rest of the way to 10 that is too short for a step. No step grows by a part that its error would
// notice.
double TaylorRun::hardly_longer() const {
  constexpr double unnoticed_part = 0x1p-20;
  const double no_step = 2 * floor_units * epsilon * std::max(std::abs(t_), std::abs(end_));
  return std::max(4 * epsilon * h_, std::min(no_step, unnoticed_part * h_));
}

// At t = 0, too, something longer than nothing.
double TaylorRun::shortest_to_event() const {
  return std::max(4 * shortest_step(), 4 * epsilon * std::abs(current().scale));
}

// A step must not go on with a branch of abs, sign, min or max that is no longer the active one: it
// ends just after the first switch. A switch that is due at once is passed by a step of next to no
// length.
double TaylorRun::up_to_first_switch(double t_new) {
  switch_ahead_ = -1;
  const double scale = current().scale;
  double nearest = (t_new - t_) / scale;
  for (std::size_t number = 0; number < switches_.size(); ++number) {
    const auto found = is_due_at_once_[number] ? std::optional(hybrid::Root{})
                                               : first_root_of_switch(number, nearest);
    if (!found || found->touches || std::abs(found->s) >= std::abs(nearest)) continue;
    nearest = found->s;
    switch_ahead_ = static_cast<int>(number);
  }
  if (switch_ahead_ < 0) return t_new;
  const double direction = t_new > t_ ? 1.0 : -1.0;
  const double length = std::max(std::abs(nearest * scale), shortest_to_event());
  num_short_switches_ = length <= short_part * duration_ ? num_short_switches_ + 1 : 0;
  const double t_switch = t_ + direction * length;
  return std::abs(t_switch - t_) < std::abs(t_new - t_) ? t_switch : t_new;
}

// Where the function of a switch is beyond zero by more than rounding. Up to there its sign says
// nothing, and the branches agree: the difference of two solutions that are one would switch at
// random.
std::optional<hybrid::Root> TaylorRun::first_root_of_switch(std::size_t number, double end) {
  const int side = is_switch_positive_[number] ? 1 : -1;
  if (!switch_finder_.first_root(switches_[number], side, end, 0.0)) return std::nullopt;
  switch_beyond_rounding_ = switches_[number];
  switch_beyond_rounding_[0] += side * rounding_of_switch(number, end);
  return switch_finder_.first_root(switch_beyond_rounding_, side, end, 0.0);
}

// Horner's rule is off by at most 2 n u sum |p_k s^k|, a term p_k, itself a sum, by as much of the
// sizes of its own.
double TaylorRun::rounding_of_switch(std::size_t number, double end) const {
  const std::vector<double>& sizes = switch_term_sizes_[number];
  double sum = 0.0;
  for (std::size_t k = sizes.size(); k-- > 0;) sum = sizes[k] + std::abs(end) * sum;
  return epsilon * static_cast<double>(sizes.size()) * sum;
}

taylor::NodeId TaylorRun::chattering() const {
  return num_short_switches_ > most_short_switches && switch_ahead_ >= 0
             ? series_.switch_node(switch_ahead_)
             : taylor::NodeId();
}

double TaylorRun::jump(int block) const {
  if (switch_ahead_ >= 0) return 0.0;  // a jump is in order
  const solution::StepView step = current();
  double difference = 0.0, size = 0.0;
  for (int c = 0; c < shape_.num_columns(); ++c) {
    if (table_.block_of(c) != block) continue;
    const int j = shape_.unknowns[c], order = shape_.local_orders[j];
    const double found = step.polynomial(shape_.layout, j)[order];
    const double predicted = table_.predicted(order, c, lane_);
    difference = std::max(difference, std::abs(found - predicted));
    size = std::max({size, std::abs(found), std::abs(predicted)});
  }
  return size > 0.0 ? difference / size : 0.0;
}

}  // namespace daedal::integrate

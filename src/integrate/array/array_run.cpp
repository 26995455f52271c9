#include "integrate/array/array_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taylor/rules.hpp"

namespace daedal::integrate {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double safety = 0.8;        // of the proposed step
constexpr int most_scales = 12;       // of time that are tried at the start
constexpr double newton_aim = 0.01;   // tolerances
constexpr int samples_per_step = 4;   // of the singular values
constexpr double dip = 0.3;           // of the median: rank is low
constexpr double much_shorter = 0.6;  // than the last step: something is ahead
constexpr double short_step = 0.03;   // of the longest
constexpr int most_short = 20;        // in a row: rounding has taken over
constexpr double lost = 1e-4;         // of the median: rank is lost there
constexpr int most_refinements = 3;   // of the time of an event

// What a shorter step does not improve is rounding, and no reason to make it shorter still.
bool is_small_or_rounding(double value, double with_a_longer_step) {
  return value <= 1.0 || (with_a_longer_step > 0.0 && value > 0.9 * with_a_longer_step);
}

}  // namespace

ArrayRun::ArrayRun(reduce::ArrayStudy& study, reduce::FirstOrderForm& form,
                   const std::vector<double>& parameters, const reduce::ArrayFinding& finding,
                   const ArrayOptions& options)
    : study_(study),
      options_(options),
      nominals_(study.nominals()),
      index_(std::max(finding.index, 1)),
      rank_(finding.condition.rank),
      solver_(form, parameters, nominals_, finding.index, finding.projectors.rank_Pi,
              finding.projectors.has_full_row_rank, options.order),
      start_(finding.whole),
      pace_(finding.time_scale),
      orders_(form.highest),
      events_(options.tolerance, true) {
  for (int j = 0; j < form.num_unknowns(); ++j) layout_.column.push_back(j);
  layout_.degrees.assign(static_cast<std::size_t>(form.num_unknowns()), options.order);
  layout_.num_rows = options.order + 1;
}

bool ArrayRun::begin(double t, double end) {
  t_ = begin_ = t;
  end_ = end;
  double scale = study_.time_scale(t, start_);
  for (int attempt = 0; attempt < most_scales; ++attempt, scale *= 0.1) {
    const auto found =
        solver_.find({.t = t,
                      .scale = scale,
                      .z = reduce::scaled_coefficients(start_, solver_.num_coefficients(), scale)},
                     newton_aim * options_.tolerance);
    num_factorisations_ += found.num_factorisations;
    num_iterations_ += found.num_iterations;
    was_finite_ = found.is_finite;
    if (!found.is_converged || is_growing(found.z)) continue;
    z_ = last_ = found.z;
    scale_ = last_scale_ = scale;
    residual_ = found.residual;
    if (rank_ > 0) indicators_.push_back(indicator_at(t));
    return true;
  }
  return false;
}

bool ArrayRun::is_state_good() const {
  const int n = solver_.num_unknowns(), size = (solver_.order() + 1) * n;
  const auto is_unknown = [&](int j) { return j >= 0 && j < n; };
  return std::isfinite(t_) && z_.size() >= size && last_.size() >= size &&
         !indicators_.empty() == (rank_ > 0) &&
         std::all_of(losses_.begin(), losses_.end(), [&](const RankLoss& loss) {
           return std::all_of(loss.unknowns.begin(), loss.unknowns.end(), is_unknown);
         });
}

// In powers of a time longer than the radius of convergence, coefficients grow, and those that
// matter drown in the rounding of those that do not.
bool ArrayRun::is_growing(const Vector& z) const {
  const int n = solver_.num_unknowns();
  for (int k = n; k < (solver_.order() + 1) * n; ++k)
    if (std::abs(z[k]) > 1e3 * (nominals_[k % n] + std::abs(z[k % n]))) return true;
  return false;
}

double ArrayRun::weight(int unknown) const {
  return options_.tolerance * (nominals_[unknown] + std::abs(z_[unknown]));
}

// From the last two coefficients of every unknown: |z_m| (h/scale)^m <= tolerance.
double ArrayRun::proposed_step() const {
  const int n = solver_.num_unknowns(), p = solver_.order();
  double longest = std::min(options_.max_step, limit_);
  for (const int m : {p - 1, p})
    for (int j = 0; j < n; ++j) {
      const double term = std::abs(z_[m * n + j]);
      if (term > 0.0)
        longest =
            std::min(longest, safety * std::abs(scale_) * std::pow(weight(j) / term, 1.0 / m));
    }
  return longest;
}

// In powers of what time coefficients are solved for: the pace of the model, less where the
// coefficients would grow, and more if the step is longer. In powers of the step, rows of high
// order would lose as many digits as the step is shorter than the pace to the power of the index:
// errors that make steps short would make them shorter.
double ArrayRun::scale_for(double h) const {
  const int n = solver_.num_unknowns(), p = solver_.order();
  double scale = pace_;
  for (const int m : {p - 1, p})
    for (int j = 0; j < n; ++j)
      if (const double term = std::abs(z_[m * n + j]); term > 0.0)
        scale = std::min(
            scale, std::abs(scale_) * std::pow(weight(j) / options_.tolerance / term, 1.0 / m));
  return std::copysign(std::max(scale, std::abs(h)), h);
}

int ArrayRun::side_behind(const WatchedFunction& function) {
  const double length = std::min(proposed_step(), std::abs(end_ - t_));
  return events_.side_behind(function, current(), layout_, end_ >= t_ ? length : -length);
}

bool ArrayRun::is_stuck() const { return num_short_ >= most_short; }

ArrayRun::Moved ArrayRun::moved(const Vector& predicted, const Vector& z, double t, double h,
                                double scale) const {
  const int n = solver_.num_unknowns();
  reduce::Derivatives point(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) point[j] = {z[j], z[n + j] / scale};
  Vector change(n);
  for (int j = 0; j < n; ++j) change[j] = (z[j] - predicted[j]) / nominals_[j];
  const Vector differentiated = study_.differentiated_projector(t, point) * change;
  Moved result;
  for (int j = 0; j < n; ++j) {
    const double unit = weight(j) / nominals_[j];
    result.differentiated = std::max(result.differentiated, std::abs(differentiated[j]) / unit);
    result.others = std::max(result.others, std::abs(change[j] - differentiated[j]) / unit);
    const double slope = std::abs((z[n + j] - predicted[n + j]) * h / scale);
    result.slopes = std::max(result.slopes, slope / weight(j) / (solver_.order() + 1));
  }
  return result;
}

double ArrayRun::shortest_step() const {
  return 64 * eps * std::max(std::abs(t_), std::abs(scale_));
}

ArrayRun::Trial ArrayRun::trial_to(double t, double h, double scale) {
  const int n = solver_.num_unknowns(), p = solver_.order();
  Trial trial{.t = t,
              .h = h,
              .scale = scale,
              .predicted = reduce::shifted(z_, n, p, h / scale_, scale / scale_),
              .found = {}};
  trial.found = solver_.solve({.t = t, .scale = scale, .z = trial.predicted, .reach = h},
                              newton_aim * options_.tolerance);
  num_factorisations_ += trial.found.num_factorisations;
  num_iterations_ += trial.found.num_iterations;
  was_finite_ = trial.found.is_finite;
  return trial;
}

// The zero of a function is that of its polynomial; with the solution found there its value is
// known, and the step ends where that is zero to rounding.
ArrayRun::Trial ArrayRun::trial_to_event(Trial trial) {
  const int n = solver_.num_unknowns();
  const double direction = end_ >= t_ ? 1.0 : -1.0;
  for (int count = 0; count < most_refinements; ++count) {
    const WatchedFunction* function = events_.crossing();
    if (function == nullptr || !trial.found.is_converged) break;
    const double value = function->value(trial.t, [&](int unknown, int order) {
      return trial.found.z[order * n + unknown] * taylor::factorial(order) /
             std::pow(trial.scale, order);
    });
    const double zero = trial.t - events_.correction(current(), layout_, trial.t, value);
    const double t = leaves_a_step(zero, end_) ? zero : end_;
    const bool is_inside = direction * (t - t_) > shortest_step() && direction * (end_ - t) >= 0.0;
    if (t == trial.t || !is_inside) break;
    trial = trial_to(t, t - t_, trial.scale);
  }
  return trial;
}

bool ArrayRun::advance() {
  events_.keep_state();
  z_before_ = z_;
  scale_before_ = scale_;
  num_indicators_before_ = indicators_.size();
  num_losses_before_ = losses_.size();
  if (!make_step()) return false;
  limit_ *= 2;
  return true;
}

void ArrayRun::take_back(double longest) {
  events_.return_to_kept();
  t_ = begin_;
  z_ = last_ = z_before_;
  scale_ = last_scale_ = scale_before_;
  indicators_.resize(num_indicators_before_);
  losses_.resize(num_losses_before_);
  limit_ = longest;
  ++num_rejected_;
}

bool ArrayRun::make_step() {
  events_.clear_arrivals();
  if (is_stuck()) return false;
  const double direction = end_ >= t_ ? 1.0 : -1.0, left = std::abs(end_ - t_);
  double length = std::min(proposed_step(), left);
  Moved last;
  was_rejected_ = false;
  if (left - length < 0.1 * length) length = left;  // no crumb at the end
  const double first = length;
  if (length < much_shorter * std::abs(t_ - begin_) && length < left && cross_singularity())
    return true;
  while (length > 16 * eps * std::max(std::abs(t_), left)) {
    trial_ = length;
    const double h = direction * length, wanted = length == left ? end_ : t_ + h;
    const double stop = events_.up_to_first(current(), layout_, wanted, shortest_step());
    const Trial trial =
        trial_to_event(trial_to(stop, stop == wanted ? h : stop - t_, scale_for(h)));
    if (trial.found.is_converged && trial.found.z.allFinite()) {
      const Moved moved =
          this->moved(trial.predicted, trial.found.z, trial.t, trial.h, trial.scale);
      const bool is_good = moved.differentiated <= 1.0 &&
                           is_small_or_rounding(moved.others, last.others) &&
                           is_small_or_rounding(moved.slopes, last.slopes);
      last = moved;
      if (is_good) {
        residual_ = trial.found.residual;
        accept(trial.t, trial.scale, trial.found.z);
        return true;
      }
    }
    ++num_rejected_;
    was_rejected_ = true;
    if (length == first && cross_singularity()) return true;
    events_.clear_arrivals();
    length = 0.5 * std::min(length, std::abs(trial.h));
  }
  return false;
}

void ArrayRun::accept(double t, double scale, Vector z) {
  begin_ = t_;
  last_ = std::move(z_);
  last_scale_ = scale_;
  const double length = std::abs(t - t_);
  longest_ = std::max(longest_, length);
  if (!was_rejected_)
    num_short_ = 0;
  else if (length < short_step * longest_)
    ++num_short_;
  t_ = t;
  scale_ = scale;
  z_ = std::move(z);
  events_.leave_zero(accepted(), layout_);
  if (rank_ > 0) watch_rank();
}

double ArrayRun::derivative(int unknown, int order) const {
  return z_[order * solver_.num_unknowns() + unknown] * taylor::factorial(order) /
         std::pow(scale_, order);
}

// At the end of the last step from the coefficients there, before it from its polynomial.
reduce::Derivatives ArrayRun::derivatives_at(double t) const {
  const int n = solver_.num_unknowns();
  reduce::Derivatives point(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j)
    for (int m = 0; m <= std::min(index_, solver_.order()); ++m)
      point[j].push_back(t == t_ ? derivative(j, m) : accepted().value(layout_, j, t, m));
  return point;
}

ArrayIndicator ArrayRun::indicator_at(double t) const {
  const reduce::Derivatives point = derivatives_at(t);
  const reduce::Matrix P = study_.differentiated_projector(t, point);
  const auto values = [&](reduce::ArrayStudy::Scaling scaling) {
    return reduce::singular_values(study_.matrices(t, point, index_, scaling), P);
  };
  const auto raw = values(reduce::ArrayStudy::Scaling::none),
             scaled = values(reduce::ArrayStudy::Scaling::as_at_start);
  if (raw[rank_ - 1] == 0.0) return {t, std::numeric_limits<double>::infinity(), 0.0};
  return {t, raw[0] / raw[rank_ - 1], scaled[rank_ - 1] / scaled[0]};
}

double ArrayRun::usual_smallest() const {
  std::vector<double> values;
  for (const ArrayIndicator& indicator : indicators_) values.push_back(indicator.smallest);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Rule A7: dips of sigma_r between three samples in a row, the last of which may be in the next
// step.
void ArrayRun::watch_rank() {
  // Crumbs of steps say nothing new, and would outweigh the rest in the median.
  if (std::abs(t_ - indicators_.back().t) < short_step * longest_ && t_ != end_) return;
  for (int k = 1; k <= samples_per_step; ++k) {
    const double t = k == samples_per_step ? t_ : begin_ + (t_ - begin_) * k / samples_per_step;
    indicators_.push_back(indicator_at(t));
    const std::size_t count = indicators_.size();
    if (count < 3) continue;
    const ArrayIndicator &a = indicators_[count - 3], &b = indicators_[count - 2],
                         &c = indicators_[count - 1];
    if (b.smallest < a.smallest && b.smallest <= c.smallest) follow_dip(a.t, c.t);
  }
}

void ArrayRun::follow_dip(double left, double right) {
  const RankLoss loss = loss_at(minimum_of_rank(left, right));
  if (loss.smallest <= lost * loss.usual) losses_.push_back(loss);
}

RankLoss ArrayRun::loss_at(double t) const {
  const ArrayIndicator found = indicator_at(t);
  return {t, found.smallest, found.condition, usual_smallest(), undetermined_at(t)};
}

// Where sigma_r is smallest, by golden section on the polynomial of the last step, which is used a
// little outside of it, too.
double ArrayRun::minimum_of_rank(double left, double right) const {
  constexpr double golden = 0.6180339887498949;
  constexpr int num_sections = 60;
  double x = right - golden * (right - left), y = left + golden * (right - left);
  double at_x = indicator_at(x).smallest, at_y = indicator_at(y).smallest;
  for (int k = 0; k < num_sections && right != left; ++k) {
    if (at_x < at_y) {
      right = y;
      y = x;
      at_y = at_x;
      x = right - golden * (right - left);
      at_x = indicator_at(x).smallest;
    } else {
      left = x;
      x = y;
      at_x = at_y;
      y = left + golden * (right - left);
      at_y = indicator_at(y).smallest;
    }
  }
  return 0.5 * (left + right);
}

bool ArrayRun::is_rank_low() const {
  return !indicators_.empty() && indicators_.back().smallest < dip * usual_smallest();
}

bool ArrayRun::is_rank_fading() const {
  const std::size_t count = indicators_.size();
  return count >= 2 && is_rank_low() &&
         indicators_[count - 1].smallest < indicators_[count - 2].smallest;
}

// The nearest time ahead at which rank is lost, by the polynomial of the last step.
std::optional<double> ArrayRun::singularity_ahead(double reach) const {
  constexpr int num_samples = 40;
  double nearest = t_, smallest = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= num_samples; ++k) {
    const double t = t_ + reach * k / num_samples, value = indicator_at(t).smallest;
    if (value >= smallest) break;
    smallest = value;
    nearest = t;
  }
  const double apart = reach / num_samples;
  const double t = minimum_of_rank(nearest - apart, nearest + apart);
  if (indicator_at(t).smallest > lost * usual_smallest()) return std::nullopt;
  return t;
}

// Near a point where rank is lost rounding errors grow in the highest coefficients, and steps that
// believe them become ever shorter. A solution that passes smoothly is followed across: with the
// coefficients that the last step predicts here, which were made farther away, to the other side.
bool ArrayRun::cross_singularity() {
  if (!is_rank_fading()) return false;
  const double last_length = t_ - begin_;
  const auto singular = singularity_ahead(2 * last_length);
  if (!singular || (end_ - *singular) * last_length <= 0.0) return false;
  const int n = solver_.num_unknowns();
  const Vector here = reduce::shifted(last_, n, solver_.order(), last_length / last_scale_, 1.0);
  for (const double part : {1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1}) {
    const double t_new = *singular + part * last_length;
    if ((end_ - t_new) * last_length < 0.0) continue;
    if (try_crossing(here, *singular, t_new)) return true;
  }
  return false;
}

bool ArrayRun::try_crossing(const Vector& here, double singular, double t_new) {
  constexpr double far = 10.0;  // tolerances: once, where no step keeps to one
  const int n = solver_.num_unknowns();
  const double h = t_new - t_;
  if (std::abs(h) > limit_) return false;
  if (events_.has_event({t_, t_new, last_scale_, here.data()}, layout_, shortest_step()))
    return false;
  const auto found = solver_.solve(
      {.t = t_new,
       .scale = h,
       .z = reduce::shifted(here, n, solver_.order(), h / last_scale_, h / last_scale_)},
      newton_aim * options_.tolerance);
  num_factorisations_ += found.num_factorisations;
  num_iterations_ += found.num_iterations;
  const Vector alpha = reduce::shifted(here, n, solver_.order(), h / last_scale_, 1.0);
  if (!found.is_converged || moved(alpha, found.z, t_new, h, h).differentiated > far) return false;
  losses_.push_back(loss_at(singular));
  residual_ = found.residual;
  begin_ = t_;
  last_ = here;
  t_ = t_new;
  scale_ = h;
  z_ = found.z;
  indicators_.push_back(indicator_at(singular));
  indicators_.push_back(indicator_at(t_));
  return true;
}

// Unknowns with a large part in the vector that B nearly maps to zero.
std::vector<int> ArrayRun::undetermined_at(double t) const {
  constexpr double large = 0.3;
  const reduce::Derivatives point = derivatives_at(t);
  const reduce::Matrix P = study_.differentiated_projector(t, point);
  const Vector direction = reduce::weakest_direction(
      study_.matrices(t, point, index_, reduce::ArrayStudy::Scaling::as_at_start), P, rank_);
  const int n = solver_.num_unknowns();
  Vector part = Vector::Zero(n);
  for (int k = 0; k < direction.size(); ++k)
    part[k % n] = std::max(part[k % n], std::abs(direction[k]));
  std::vector<int> unknowns;
  for (int j = 0; j < n; ++j)
    if (part[j] > large * part.maxCoeff()) unknowns.push_back(j);
  return unknowns;
}

}  // namespace daedal::integrate

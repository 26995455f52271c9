#include "integrate/taylor/forcing_watch.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {
namespace {

// What lasts longer than two of these parts of a run is seen. A run of many steps looks once or so
// in each of them.
constexpr double points_of_run = 1024.0;
// A series that is off by this part of the range of its function has not seen something. The
// comparison at the end of the step finds smaller differences.
constexpr double smallest_part = 0.01, largest_part = 0.3, part_in_tolerances = 10.0;
constexpr double rounding = 1e-12;
constexpr double least_progress = 0.01;
constexpr double most_points = 1e15;  // whole numbers beyond are not exact

}  // namespace

ForcingWatch::ForcingWatch(const taylor::SeriesSolver& series, int lane, double tolerance)
    : series_(series),
      lane_(lane),
      allowed_(std::clamp(part_in_tolerances * tolerance, smallest_part, largest_part)) {
  const taylor::TimeFunctions found = taylor::time_functions(series.schedule());
  if (found.functions.empty()) return;
  values_.emplace(series.schedule().tape, 1);
  ranges_.emplace(series.schedule().tape, found.bounded);
  evaluated_ = found.evaluated;
  for (const taylor::Slot slot : found.functions)
    functions_.push_back({slot, std::vector<double>(degree_of(slot) + 1)});
  for (const taylor::Slot slot : found.operations) operations_.push_back({slot, degree_of(slot)});
}

int ForcingWatch::degree_of(taylor::Slot slot) const {
  return std::min(series_.last_stage() + series_.schedule().offset[slot], series_.highest_degree());
}

void ForcingWatch::begin(double duration) {
  spacing_ = duration / points_of_run;
  if (functions_.empty()) return;
  for (const taylor::Slot slot : series_.schedule().constant) {
    values_->at(slot, 0) = series_.slot_coefficient(slot, 0, lane_);
    const double value = values_->at(slot, 0);
    ranges_->set(slot, {value, value});
  }
}

void ForcingWatch::copy_series(Function& function) const {
  for (std::size_t k = 0; k < function.series.size(); ++k)
    function.series[k] = series_.slot_coefficient(function.slot, static_cast<int>(k), lane_);
}

// The first trial overwrites the solver's series: what a later look may need is copied before.
void ForcingWatch::begin_step(double t, double farthest) {
  t_ = t;
  is_clear_ = functions_.empty() || !(std::abs(farthest - t) > 0.0);
  if (is_clear_) return;
  scale_ = series_.scale(lane_);
  is_clear_ = all_move_as_series(farthest);
  if (is_clear_) return;
  for (Function& function : functions_) copy_series(function);
}

bool ForcingWatch::all_move_as_series(double farthest) {
  ranges_->evaluate(t_, farthest);
  const double s = std::abs(farthest - t_) / scale_;
  return std::ranges::all_of(
      operations_, [&](const Operation& operation) { return moves_as_series(operation, s); });
}

// The bound of a function that the series converge to is met by the terms, up to those left out.
bool ForcingWatch::moves_as_series(const Operation& operation, double s) const {
  const std::size_t stride = series_.stride();
  const double* const first =
      series_.row(0) + std::size_t{operation.slot} * series_.num_lanes() + lane_;
  const double* coefficient = first + stride * static_cast<std::size_t>(operation.degree);
  double motion = 0.0;
  for (; coefficient != first; coefficient -= stride)
    motion = s * (motion + std::abs(*coefficient));
  const double allowed = (1.0 + allowed_) * motion + rounding * std::abs(*first);
  const expr::Range range = ranges_->of(operation.slot);
  return range.low >= *first - allowed && range.high <= *first + allowed;
}

// Not at equal distances, which a periodic function might share.
double ForcingWatch::grid_point(double number) const {
  constexpr double golden = 0.6180339887498949;
  const double turns = number * golden;
  return spacing_ * (number + 0.5 * (turns - std::floor(turns)));
}

double ForcingWatch::series_value(const Function& function, double t) const {
  const double s = (t - t_) / scale_;
  double sum = 0.0;
  for (std::size_t k = function.series.size(); k-- > 0;) sum = sum * s + function.series[k];
  return sum;
}

bool ForcingWatch::is_like_series(double t) {
  values_->set_origin({.time = t});
  for (const taylor::Slot slot : evaluated_) values_->evaluate(slot, 0);
  for (Function& function : functions_) {
    const double value = values_->at(function.slot, 0);
    function.lowest = std::min(function.lowest, value);
    function.highest = std::max(function.highest, value);
    const double size = std::max(std::abs(function.lowest), std::abs(function.highest));
    const double allowed = allowed_ * (function.highest - function.lowest) + rounding * size;
    if (!(std::abs(series_value(function, t) - value) <= allowed)) return false;
  }
  return true;
}

double ForcingWatch::resolved(double t_new) {
  return is_clear_ || !(std::abs(t_new - t_) > 0.0) ? t_new : resolved_on_grid(t_new);
}

double ForcingWatch::resolved_on_grid(double t_new) {
  if (!(std::max(std::abs(t_), std::abs(t_new)) < most_points * spacing_)) return t_new;
  for (Function& function : functions_) function.lowest = function.highest = function.series[0];
  const double direction = t_new > t_ ? 1.0 : -1.0;
  double like = t_;
  for (double number = std::floor(t_ / spacing_) - direction;; number += direction) {
    const double t = grid_point(number);
    if (direction * (t - t_) <= 0.0) continue;
    if (direction * (t - t_new) >= 0.0) return t_new;
    if (!is_like_series(t)) return last_like(like, t);
    like = t;
  }
}

// By bisection, but not for ever.
double ForcingWatch::last_like(double like, double unlike) {
  constexpr int most_halvings = 20;
  const double least = t_ + least_progress * (unlike - t_);
  for (int n = 0; n < most_halvings; ++n) {
    const double middle = 0.5 * (like + unlike);
    (is_like_series(middle) ? like : unlike) = middle;
  }
  return std::abs(like - t_) > std::abs(least - t_) ? like : least;
}

}  // namespace daedal::integrate

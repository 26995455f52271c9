#include "integrate/bdf/bdf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// What a step may contribute so that the sum ends near the tolerance on smooth problems. n steps of
// order 5 with errors e each make n e, and n is proportional to e^(-1/6): so e is tol^(6/5), times
// a factor that was measured (docs/theory/bdf.md). Below the floor there is nothing but rounding.
double error_of_a_step(double tolerance) {
  constexpr double factor = 0.05, exponent = 1.2, floor = 5e-14;
  return std::max(factor * std::pow(tolerance, exponent), floor);
}

// Fixed steps are solved as exactly as rounding permits.
constexpr double accuracy_of_fixed_steps = 1e-14;
// They cannot become shorter where Newton's method has a long way to go.
constexpr int patience = 20;

// The step that would have been right for an error, compared to the one that made it; half of the
// tolerance is aimed at.
double step_factor(double error, int order) {
  constexpr double aim = 0.5, longest = 1e3;
  return error <= 0.0 ? longest : std::min(longest, std::pow(aim / error, 1.0 / (order + 1)));
}

}  // namespace

Bdf::Bdf(const UserEquations& equations, const std::vector<double>& parameters, BdfOptions options)
    : options_(std::move(options)),
      form_(reduce::index_form(equations.graph, equations.residuals, equations.structure,
                               options_.index)),
      system_(form_, parameters),
      newton_(system_, counters_, options_.newton),
      constraints_(equations, form_.orders, parameters, options_.method.nominals),
      history_(form_.num_unknowns()),
      least_sizes_(form_.num_unknowns()),
      recent_sizes_(form_.num_unknowns()),
      sizes_(form_.num_unknowns()),
      weights_(form_.num_unknowns()),
      time_units_(form_.num_unknowns()),
      gains_(form_.num_unknowns()),
      z_(form_.num_unknowns()),
      slope_(form_.num_unknowns()),
      accepted_slope_(form_.num_unknowns()),
      predicted_(form_.num_unknowns()),
      extrapolated_(form_.num_unknowns()) {
  const double accuracy =
      is_fixed() ? accuracy_of_fixed_steps : error_of_a_step(options_.method.tolerance);
  scales_ = {accuracy, sizes_, time_units_, form_.levels, form_.is_auxiliary};
  rounding_ = eps / accuracy;
  // What is computed by differentiating l times needs order l at least when the step changes.
  lowest_order_ = std::clamp(form_.highest_level() - 1, 1, highest_bdf_order);
  if (is_fixed())
    lowest_order_ = std::min(lowest_order_, options_.order);
  else
    options_.order = std::max(lowest_order_, options_.order);
}

// ---------------------------------------------------------------------------------------------------------------------
// The start

bool Bdf::begin(double t, double end, const std::vector<std::vector<double>>& derivatives) {
  start_ = t;
  end_ = end;
  duration_ = std::max(duration_, std::abs(end - t));
  num_steps_ = 0;
  failure_ = MethodFailure::none;
  newton_.forget();
  const Coefficients series = series_of_form(form_, t, derivatives, options_.continue_series);
  for (std::size_t u = 0; u < series.size(); ++u) {
    z_[u] = series[u][0];
    slope_[u] = series[u].size() > 1 ? series[u][1] : 0.0;
  }
  accepted_slope_ = slope_;
  std::fill(recent_sizes_.begin(), recent_sizes_.end(), 0.0);
  find_least_sizes();
  find_sizes(z_);
  find_first_time_units(t);
  choose_first_step(series);
  fill_history(t, series);
  return true;
}

// That of an unknown is its nominal value; that of a derivative makes so much of the unknown in the
// time of a run, the longest if there are several, one after another.
void Bdf::find_least_sizes() {
  for (int u = 0; u < form_.num_unknowns(); ++u) {
    const auto [unknown, order] = form_.meaning[u];
    least_sizes_[u] =
        options_.method.nominals[unknown] / (duration_ > 0.0 ? std::pow(duration_, order) : 1.0);
  }
}

// An unknown is measured by its present size; a derivative, which is zero at every turn, by its
// recent one.
void Bdf::find_sizes(std::span<const double> z) {
  for (int u = 0; u < form_.num_unknowns(); ++u)
    sizes_[u] = least_sizes_[u] + std::max(std::abs(z[u]), recent_sizes_[u]);
}

void Bdf::remember_sizes() {
  constexpr double decay = 0.95;
  for (int u = 0; u < form_.num_unknowns(); ++u)
    if (form_.meaning[u].order > 0)
      recent_sizes_[u] = std::max(std::abs(z_[u]), decay * recent_sizes_[u]);
}

// From the matrix of a step that is short compared to all that is known of the solution.
void Bdf::find_first_time_units(double t) {
  constexpr double short_step = 1e-6;
  std::fill(time_units_.begin(), time_units_.end(), 0.0);
  const double duration = duration_ > 0.0 ? duration_ : 1.0;
  ++counters_.jacobians;
  ++counters_.factorisations;
  if (system_.linearise(t, z_, slope_) &&
      system_.factorise(direction() / (short_step * duration), sizes_))
    update_time_units();
}

// Errors of size e in the past are amplified to (T alpha)^(level - 1) e: that is T.
void Bdf::update_time_units() {
  constexpr double decay = 0.5;
  num_jacobians_seen_ = counters_.jacobians;
  if (form_.highest_level() == 1) return;
  system_.find_gains(gains_);
  for (int u = 0; u < form_.num_unknowns(); ++u)
    if (form_.levels[u] > 1)
      time_units_[u] =
          std::max(decay * time_units_[u], std::pow(gains_[u], 1.0 / (form_.levels[u] - 1)) /
                                               std::abs(system_.factorised_alpha()));
}

// What later steps do not see is not judged.
void Bdf::find_weights(double h) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (int u = 0; u < form_.num_unknowns(); ++u)
    weights_[u] = form_.is_auxiliary[u] ? infinite : scales_.weight(u, h);
}

void Bdf::choose_first_step(const Coefficients& series) {
  num_equal_steps_ = 0;
  if (is_fixed()) {
    step_ = *options_.fixed_step;
    order_ = options_.order;
    return;
  }
  constexpr double part_of_duration = 1.0 / 16;
  const double longest =
      std::min(options_.method.max_step, part_of_duration * std::abs(end_ - start_));
  const BdfStart start = choose_start(series, scales_, lowest_order_, options_.order, longest);
  order_ = start.order;
  step_ = start.step;
}

// The start and, before it, as many points of the series as the first step looks at.
void Bdf::fill_history(double t, const Coefficients& series) {
  history_.clear();
  const bool has_past = !is_fixed() || options_.start_up == BdfStartUp::series;
  for (int age = has_past ? order_ : 0; age > 0; --age) {
    const double h = -direction() * age * step_;
    for (std::size_t u = 0; u < series.size(); ++u) extrapolated_[u] = value_of(series[u], h);
    history_.add(t + h, extrapolated_);
  }
  history_.add(t, z_);
}

// ---------------------------------------------------------------------------------------------------------------------
// A step

bool Bdf::advance() {
  for (int num_failures = 0;; ++num_failures) {
    const double t_next = time_of_next_step();
    if (is_too_short(t_next - t())) {  // after failures, or because ever shorter steps are needed
      if (num_failures == 0) failure_ = MethodFailure::error_test;
      return false;
    }
    failure_ = attempt(t_next);
    if (failure_ == MethodFailure::none) {
      accept(t_next);
      return true;
    }
    ++counters_.rejected;
    if (is_fixed()) return false;
    shorten(failure_, num_failures);
  }
}

// Never beyond the end; what is left after the step is nothing, or as long as the step.
double Bdf::time_of_next_step() const {
  constexpr double slack = 1e-9;
  const double left = std::abs(end_ - t());
  if (is_fixed()) {
    const double t_next = start_ + direction() * static_cast<double>(num_steps_ + 1) * step_;
    return std::abs(end_ - t_next) < slack * step_ || (end_ - t_next) * direction() < 0.0 ? end_
                                                                                          : t_next;
  }
  const double step = std::min(step_, options_.method.max_step);
  if (step >= left * (1 - slack)) return end_;
  return t() + direction() * (2 * step > left ? left / 2 : step);
}

bool Bdf::is_too_short(double h) const {
  constexpr double least_units = 16.0, part_of_duration = 1e-8;
  const double unit = eps * std::max(std::abs(t()), part_of_duration * std::abs(end_ - start_));
  return !(std::abs(h) > 0.0) || (std::abs(h) < least_units * unit && t() + h != end_);
}

MethodFailure Bdf::attempt(double t_next) {
  trial_ = t_next - t();
  const int order = std::min(order_, history_.size());
  last_order_ = order;
  const BdfFormula formula = bdf_formula(t_next, history_.times(order), order);
  history_.extrapolate(t_next, std::min(order + 1, history_.size()), predicted_);
  std::copy(predicted_.begin(), predicted_.end(), z_.begin());
  history_.differentiate(formula, z_, slope_);
  find_sizes(predicted_);
  find_weights(1.0 / std::abs(formula.alpha[0]));
  const NewtonScales newton_scales = {.weights = weights_,
                                      .sizes = sizes_,
                                      .rounding = rounding_,
                                      .most_linearisations = is_fixed() ? patience : 1};
  const MethodFailure failure = newton_.solve(t_next, formula.alpha[0], newton_scales, z_, slope_);
  if (failure != MethodFailure::none || is_fixed()) return failure;
  error_ = error_of_order(t_next, order);
  return error_ <= 1.0 ? MethodFailure::none : MethodFailure::error_test;
}

// Rule B6, in weights: what a step of this order would have made wrong. The largest of all
// components.
double Bdf::error_of_order(double t_next, int order) {
  history_.extrapolate(t_next, order + 1, extrapolated_);
  double largest = 0.0;
  for (int u = 0; u < form_.num_unknowns(); ++u)
    largest = std::max(largest, std::abs(z_[u] - extrapolated_[u]) / weights_[u]);
  return std::abs(bdf_error_constant(t_next, history_.times(order + 1), order)) * largest;
}

void Bdf::shorten(MethodFailure failure, int num_failures) {
  constexpr double shortest = 0.25, longest = 0.9;
  num_equal_steps_ = 0;
  const bool is_error_known = failure == MethodFailure::error_test && num_failures < 2;
  step_ = std::abs(trial_) *
          (is_error_known ? std::clamp(longest * step_factor(error_, order_), shortest, longest)
                          : shortest);
  if (num_failures > 1) order_ = std::max(lowest_order_, order_ - 1);
}

void Bdf::accept(double t_next) {
  ++num_steps_;
  if (!is_fixed()) choose_next_step(t_next);
  history_.add(t_next, z_);
  accepted_slope_.swap(slope_);
  remember_sizes();
  if (counters_.jacobians != num_jacobians_seen_) update_time_units();
}

// The order that allows the longest step, if that is worth a change; differences are estimates for
// other orders when the points are equally spaced.
void Bdf::choose_next_step(double t_next) {
  constexpr double worth_it = 1.2, longest = 2.0, too_long = 0.9, shortest = 0.5;
  // The estimate for another order is less certain.
  constexpr double caution = 0.9;
  ++num_equal_steps_;
  double factor = step_factor(error_, order_);
  int order = order_;
  if (num_equal_steps_ > order_) {
    const auto consider = [&](int other) {
      const double candidate = caution * step_factor(error_of_order(t_next, other), other);
      if (candidate > factor) factor = candidate, order = other;
    };
    if (order_ > lowest_order_) consider(order_ - 1);
    if (order_ < options_.order && history_.size() > order_ + 1) consider(order_ + 1);
  }
  const bool grows = num_equal_steps_ > order_ && factor >= worth_it;
  if (!grows && factor >= too_long) return;
  step_ = std::abs(trial_) * std::clamp(factor, shortest, longest);
  order_ = order;
  num_equal_steps_ = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The solution between the points

void Bdf::interpolate(int unknown, std::span<double> coefficients) const {
  const reduce::FormPlace place = form_.places[unknown][interpolated(unknown)];
  const int count = std::min(last_order_ + 1, history_.size());
  history_.interpolate(place.unknown, count, coefficients);
}

double Bdf::derivative(int unknown, int order) const {
  const reduce::FormPlace place = form_.places[unknown][order];
  return place.is_slope ? accepted_slope_[place.unknown] : history_.z()[place.unknown];
}

void Bdf::watch_constraints() {
  constraints_.evaluate(t(), [this](int unknown, int order) { return derivative(unknown, order); });
}

double Bdf::constraint_residual() {
  watch_constraints();
  return constraints_.largest_relative();
}

std::optional<double> Bdf::constraint_value(int equation, int times) {
  watch_constraints();
  return constraints_.value(equation, times);
}

}  // namespace daedal::integrate

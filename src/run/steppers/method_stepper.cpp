#include "run/steppers/method_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wording.hpp"
#include "run/series_opinion.hpp"
#include "run/steppers/methods.hpp"
#include "run/steppers/series_engine.hpp"

namespace daedal::run {
namespace {

// Relative tolerances lead ever nearer to a pole; what the series call its reason there is not.
constexpr double far_too_large = 1e12;

double largest_value(const integrate::MethodRun& run) {
  double largest = 0.0;
  for (int j = 0; j < run.layout().num_unknowns(); ++j)
    largest = std::max(largest, std::abs(run.derivative(j, 0)));
  return largest;
}

explain::StopReason blow_up(const plan::Plan& plan, const integrate::MethodRun& run,
                            long num_steps) {
  return {Status::blow_up,
          {.id = "S-INT-004",
           .what = fmt::format("the solution blows up near t = {:.15g}", run.t()),
           .where = fmt::format("{}, after {}", plan.model.place.text(),
                                base::plural(num_steps, "accepted step")),
           .why = fmt::format("it has reached {:.3g}", largest_value(run)),
           .todo = "end the run before this time; if the model should have no pole here, check its "
                   "signs"}};
}

// Shortening such a step changes t by hardly more than rounding.
double shortest_step(double t) {
  constexpr double units = 256.0;
  return units * std::numeric_limits<double>::epsilon() * std::abs(t);
}

std::string why_no_step(const integrate::StepMethod& method) {
  switch (method.failure()) {
    case integrate::MethodFailure::singular: return "the matrices of the method are singular here";
    case integrate::MethodFailure::not_converged:
      return fmt::format("Newton's method does not converge with steps down to {:.1e}",
                         method.last_trial());
    case integrate::MethodFailure::not_finite: return "a value is not a finite number";
    default:
      return fmt::format("steps down to {:.1e} do not meet the tolerance", method.last_trial());
  }
}

// Modes of a model may have the same one.
StateVector& entry_of(std::vector<StateVector>& vectors, const std::vector<std::string>& items) {
  const auto found = std::find_if(vectors.begin(), vectors.end(),
                                  [&](const StateVector& vector) { return vector.items == items; });
  return found != vectors.end() ? *found : vectors.emplace_back(StateVector{.items = items});
}

}  // namespace

MethodStepper::MethodStepper(plan::Plan& plan, const settings::Settings& settings,
                             const SolveOptions& options, std::vector<double> nominals)
    : plan_(plan), settings_(settings), options_(options), nominals_(std::move(nominals)) {
  forget();
}

void MethodStepper::forget() {
  is_begun_ = false;
  num_counted_ = 0;
  num_factorised_ = 0;
  edges_.emplace(plan_, settings_);
  signs_.emplace(plan_, settings_);
  series_.reset();
  run_.emplace(make_step_method(plan_, settings_, options_, nominals_), settings_.tolerance);
}

bool MethodStepper::begin(double t, const Derivatives& values) {
  if (!series_) series_.emplace(make_short_series(plan_, settings_));
  has_series_ = series_->begin(t, settings_.to, values);
  return has_series_ && begin_with(t, settings_.to, derivatives_of(series_->run()));
}

bool MethodStepper::begin_with(double t, double end, const Derivatives& derivatives) {
  has_series_ = true;
  signs_->forget();
  is_begun_ = run_->begin(t, end, derivatives);
  return is_begun_;
}

// All derivatives there, for the method to begin with.
bool MethodStepper::stand_with_series(double t, const Derivatives& values) {
  series_.emplace(make_short_series(plan_, settings_));
  return series_->begin(t, settings_.to, values);
}

// A method that was kept short goes on for twice as long.
bool MethodStepper::advance() {
  if (!run_->is_at_limit()) return run_->advance();
  longest_ *= 2;
  return stand_with_series(run_->t(), run_->derivatives()) &&
         run_->go_on(longest_, derivatives_of(series_->run())) && run_->advance();
}

bool MethodStepper::shorten(solution::Record& solution) {
  const solution::StepView step = run_->accepted();
  const double length = shorter * std::abs(step.end - step.begin);
  Derivatives values(run_->layout().column.size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= run_->highest_reliable(j); ++order)
      values[j].push_back(step.value(run_->layout(), j, step.begin, order));
  if (length <= shortest_step(step.begin) || !stand_with_series(step.begin, values)) return false;
  longest_ = length;
  signs_->forget();
  ++solution.statistics.rejected;
  return run_->go_back(longest_, derivatives_of(series_->run()));
}

// What the series say there, or that this method finds no step.
explain::StopReason MethodStepper::explain(const solution::Record& solution) {
  if (!has_series_) return explain::explain_no_series(plan_, series_->run());
  const integrate::MethodRun& run = *run_;
  const long num_steps = solution.statistics.steps;
  const auto opinion =
      ask_series(plan_, settings_, run.t(), settings_.to, run.derivatives(), num_steps);
  const bool is_end = opinion && opinion->reason.status != Status::ok;
  if (is_end && opinion->reason.status != Status::blow_up && largest_value(run) > far_too_large)
    return blow_up(plan_, run, num_steps);
  if (is_end) return opinion->reason;
  if (run.progress().is_hopeless())
    return explain::explain_creeping(run.progress(), run.t(),
                                     fmt::format("method {}, after {}", solution.method,
                                                 base::plural(num_steps, "accepted step")));
  return {Status::step_floor,
          {.id = "S-INT-003",
           .what = fmt::format("the method {} finds no step from t = {:.17g}", solution.method,
                               run.t()),
           .where = fmt::format("{}, after {}", plan_.model.place.text(),
                                base::plural(num_steps, "accepted step")),
           .why = why_no_step(run.method()),
           .todo = "try the method taylor, which can make a step here, or a larger tolerance"}};
}

void MethodStepper::note_step(solution::Record& solution) {
  count_rejected(solution);
  look_at_signs(solution);
}

// After steps that needed new factors. A method that counts none is looked at always.
void MethodStepper::look_at_signs(solution::Record& solution) {
  const long now = run_->method().counters().factorisations;
  if (now == 0 || now != num_factorised_) signs_->look(*run_, solution);
  num_factorised_ = now;
}

void MethodStepper::count_rejected(solution::Record& solution) {
  const long now = run_->method().counters().rejected;
  solution.statistics.rejected += now - num_counted_;
  num_counted_ = now;
}

std::optional<explain::StopReason> MethodStepper::objection(const solution::Record& solution) {
  if (auto reason = edges_->look(*run_, settings_.to, solution.statistics.steps)) return reason;
  return signs_->take_objection();
}

// Steps of fixed length are a study of the formula: it is not begun again on the way.
bool MethodStepper::can_begin_again() const { return !options_.bdf.fixed_step; }

void MethodStepper::save(base::Writer* archive) {
  state_ = {run_->t(), run_->derivatives(), run_->progress()};
  if (archive != nullptr) (*archive)(state_);
}

void MethodStepper::load(base::Reader& archive) {
  archive(state_);
  if (!std::isfinite(state_.t) || state_.values.size() != run_->layout().column.size())
    throw base::BadArchive("the state in it makes no sense");
}

bool MethodStepper::begin_again() {
  forget();
  if (!begin(state_.t, state_.values)) return false;
  run_->set_progress(state_.progress);
  return true;
}

void MethodStepper::settle(solution::Record& solution) {
  count(solution);
  if (is_begun_) note_residual(solution);
}

// Drift adds up: now and then is often enough.
void MethodStepper::note_residual(solution::Record& solution) {
  double& residual = solution.statistics.constraint_residual;
  residual = std::max(residual, run_->method().constraint_residual());
}

void MethodStepper::count(solution::Record& solution) {
  count_rejected(solution);
  const integrate::MethodCounters& counters = run_->method().counters();
  Statistics& statistics = solution.statistics;
  statistics.evaluations += counters.evaluations;
  statistics.jacobians += counters.jacobians;
  statistics.factorisations += counters.factorisations;
  statistics.newton_iterations += counters.iterations;
  statistics.switches += run_->method().num_switches();
  for (const integrate::StateVectorUse& use : run_->method().state_vectors()) {
    std::vector<std::string> items;
    for (const reduce::Place item : use.items)
      items.push_back(model::derivative_name(
          plan_.model.variables[static_cast<std::size_t>(item.index)].name, item.order));
    StateVector& vector = entry_of(solution.state_vectors, items);
    vector.entries += use.entries;
    vector.time += use.time;
  }
}

}  // namespace daedal::run

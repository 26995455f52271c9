#include "solve/method_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/wording.hpp"
#include "solve/bdf_method.hpp"
#include "solve/checkpoints.hpp"
#include "solve/edge_watch.hpp"
#include "solve/original_residual.hpp"
#include "solve/run_limits.hpp"
#include "solve/run_parts.hpp"
#include "solve/series_opinion.hpp"
#include "solve/step_methods.hpp"
#include "solve/step_recorder.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {
namespace {

constexpr double far_too_large = 1e12;

double largest_value(const integrate::MethodRun& run) {
  double largest = 0.0;
  for (int j = 0; j < run.layout().num_unknowns(); ++j)
    largest = std::max(largest, std::abs(run.derivative(j, 0)));
  return largest;
}

StopReason blow_up(const Plan& plan, const integrate::MethodRun& run, long num_steps) {
  return {Status::blow_up,
          {.id = "S-INT-004",
           .what = fmt::format("the solution blows up near t = {:.15g}", run.t()),
           .where = fmt::format("{}, after {}", plan.model.place.text(),
                                base::plural(num_steps, "accepted step")),
           .why = fmt::format("it has reached {:.3g}", largest_value(run)),
           .todo = "end the run before this time; if the model should have no pole here, check its "
                   "signs"}};
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

// Derivatives of all unknowns at the start, some more than the items: a method's first step is
// chosen by them.
integrate::TaylorIntegrator make_start_series(Plan& plan, const Settings& settings) {
  constexpr int order = 4;
  Settings few = settings;
  few.order = order;
  return make_integrator(make_schedule(plan), plan, few, 1);
}

// Modes of a model may have the same one.
StateVector& entry_of(std::vector<StateVector>& vectors, const std::vector<std::string>& items) {
  const auto found = std::find_if(vectors.begin(), vectors.end(),
                                  [&](const StateVector& vector) { return vector.items == items; });
  return found != vectors.end() ? *found : vectors.emplace_back(StateVector{.items = items});
}

// A run from its start, or from a checkpoint, to its end.
class MethodSolve {
 public:
  MethodSolve(RegularizedModel& model, const Settings& settings, const SolveOptions& options,
              Solution& solution)
      : plan_(model.plan()),
        settings_(settings),
        options_(options),
        solution_(solution),
        recorder_(settings, options, solution),
        anchors_(settings, options.method == "dd-erk" ? steps_of_runge_kutta : steps_of_multistep) {
    if (model.is_converted()) original_.emplace(model.original(), plan_.parameters);
    make_method();
  }

  StopReason run() {
    const auto state =
        resumed_state(settings_, solution_, solution_.method, State{}, [&](const State& read) {
          return std::isfinite(read.t) && read.values.size() == run_->layout().column.size();
        });
    const bool is_begun = state ? resume(*state) : begin_at_start();
    if (!is_begun) return reason_;
    StopReason reason = take_steps();
    solving::finish(recorder_, *run_, reason);
    take_residual();
    return reason;
  }

  // The method's own figures; once.
  void finish() {
    solution_.order = run_->method().order();
    take_counters();
  }

 private:
  // Where a method can be begun again.
  struct State {
    double t = 0.0;
    Values values;
    integrate::Progress progress;
  };
  template <typename Archive>
  friend void transfer(Archive& archive, State& state) {
    archive(state.t, state.values, state.progress);
  }

  void make_method() {
    edges_.emplace(plan_, settings_);
    series_.emplace(make_start_series(plan_, settings_));
    run_.emplace(make_step_method(plan_, settings_, options_, plan_.nominals()),
                 settings_.tolerance);
  }

  bool begin_at_start() {
    if (!begin({settings_.from, solution_.start.values, {}})) return false;
    if (original_) solution_.statistics.original_residual = original_->at(series_->run());
    if (const auto lost =
            explain_lost_equations(plan_, settings_, settings_.from, solution_.statistics)) {
      reason_ = *lost;
      return false;
    }
    recorder_.begin(*run_);
    return true;
  }

  bool resume(const State& state) {
    recorder_.resume();
    return begin_again(state);
  }

  bool begin(const State& state) {
    if (!series_->begin(state.t, settings_.to, state.values)) {
      reason_ = explain_no_series(plan_, series_->run());
      return false;
    }
    if (run_->begin(state.t, settings_.to, derivatives_of(series_->run()))) return true;
    reason_ = explain_method_stop(plan_, settings_, *run_, solution_);
    return false;
  }

  bool begin_again(const State& state) {
    anchors_.begin_at(solution_.statistics.steps);
    rejected_before_ = solution_.statistics.rejected;
    if (!begin(state)) return false;
    run_->set_progress(state.progress);
    recorder_.enter(*run_);
    return true;
  }

  // Rule K1: the method begins again at the present point, with nothing learnt until then.
  bool anchor() {
    const State state{run_->t(), run_->derivatives(), run_->progress()};
    take_counters();
    take_residual();
    keep_state(settings_, solution_, solution_.method, state.t, state);
    make_method();
    return begin_again(state);
  }

  void take_counters() {
    solution_.statistics.rejected = rejected_before_;
    add_statistics(plan_, *run_, solution_);
  }

  // Drift adds up: now and then is often enough.
  void take_residual() {
    double& residual = solution_.statistics.constraint_residual;
    residual = std::max(residual, run_->method().constraint_residual());
  }

  StopReason take_steps() {
    Statistics& statistics = solution_.statistics;
    while (!run_->is_done()) {
      if (const auto limit = reached_limit(settings_, options_, run_->t(), solution_))
        return *limit;
      if (!run_->advance()) return explain_method_stop(plan_, settings_, *run_, solution_);
      ++statistics.steps;
      statistics.rejected = rejected_before_ + run_->method().counters().rejected;
      if (original_)
        statistics.original_residual = std::max(statistics.original_residual, original_->at(*run_));
      if (const auto lost = explain_lost_equations(plan_, settings_, run_->t(), statistics))
        return *lost;
      if (const auto reason = edges_->look(*run_, settings_.to, statistics.steps)) return *reason;
      recorder_.accept(*run_);
      if (!recorder_.report(*run_)) return explain_interruption(run_->t(), statistics.steps);
      if (!run_->is_done() && !options_.fixed_step && anchors_.is_due(statistics.steps) &&
          !anchor())
        return reason_;
    }
    return {};
  }

  Plan& plan_;
  const Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  std::optional<OriginalResidual> original_;
  std::optional<integrate::TaylorIntegrator> series_;  // derivatives to begin with
  std::optional<integrate::MethodRun> run_;
  std::optional<EdgeWatch> edges_;
  StepRecorder recorder_;
  AnchorRhythm anchors_;
  long rejected_before_ = 0;  // the method was last begun
  StopReason reason_;         // why it could not be
};

}  // namespace

StopReason explain_method_stop(Plan& plan, const Settings& settings,
                               const integrate::MethodRun& run, const Solution& solution) {
  const long num_steps = solution.statistics.steps;
  const auto opinion =
      ask_series(plan, settings, run.t(), settings.to, run.derivatives(), num_steps);
  const bool is_end = opinion && opinion->reason.status != Status::ok;
  if (is_end && opinion->reason.status != Status::blow_up && largest_value(run) > far_too_large)
    return blow_up(plan, run, num_steps);
  if (is_end) return opinion->reason;
  if (run.progress().is_hopeless())
    return explain_creeping(run.progress(), run.t(),
                            fmt::format("method {}, after {}", solution.method,
                                        base::plural(num_steps, "accepted step")));
  return {Status::step_floor,
          {.id = "S-INT-004",
           .what = fmt::format("the method {} finds no step from t = {:.17g}", solution.method,
                               run.t()),
           .where = fmt::format("{}, after {}", plan.model.place.text(),
                                base::plural(num_steps, "accepted step")),
           .why = why_no_step(run.method()),
           .todo = "try the method taylor, which can make a step here, or a larger tolerance"}};
}

void add_statistics(const Plan& plan, integrate::MethodRun& run, Solution& solution) {
  const integrate::MethodCounters& counters = run.method().counters();
  Statistics& statistics = solution.statistics;
  statistics.rejected += counters.rejected;
  statistics.evaluations += counters.evaluations;
  statistics.jacobians += counters.jacobians;
  statistics.factorisations += counters.factorisations;
  statistics.newton_iterations += counters.iterations;
  statistics.switches += run.method().num_switches();
  for (const integrate::StateVectorUse& use : run.method().state_vectors()) {
    std::vector<std::string> items;
    for (const reduce::Place item : use.items)
      items.push_back(model::derivative_name(
          plan.model.variables[static_cast<std::size_t>(item.index)].name, item.order));
    StateVector& vector = entry_of(solution.state_vectors, items);
    vector.entries += use.entries;
    vector.time += use.time;
  }
}

void run_by_method(RegularizedModel& model, const Settings& settings, const SolveOptions& options,
                   Solution& solution) {
  Stopwatch watch;
  Plan& plan = model.plan();
  if (options.method == "bdf" && !options.index && index_of_form(plan, options))
    solution.method_reason =
        fmt::format("the model is of index {}; bdf integrates its form of index {}",
                    plan.structure.index, *index_of_form(plan, options));
  MethodSolve solve(model, settings, options, solution);
  solution.seconds.compile = watch.lap();
  const StopReason reason = solve.run();
  solve.finish();
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  solution.seconds.integrate = watch.lap();
}

}  // namespace daedal::solving

#include "solve/method_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/wording.hpp"
#include "solve/bdf_method.hpp"
#include "solve/original_residual.hpp"
#include "solve/run_limits.hpp"
#include "solve/run_parts.hpp"
#include "solve/step_methods.hpp"
#include "solve/step_recorder.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {
namespace {

constexpr double far_too_large = 1e12;
// Of the Taylor method, which a singularity that another method stopped at is to be within.
constexpr int most_steps_ahead = 30;

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
  return found != vectors.end() ? *found : vectors.emplace_back(items);
}

StopReason take_steps(RegularizedModel& model, integrate::MethodRun& run, StepRecorder& recorder,
                      const Settings& settings, const SolveOptions& options, Solution& solution) {
  Plan& plan = model.plan();
  std::optional<OriginalResidual> original;
  if (model.is_converted()) original.emplace(model.original(), plan.parameters);
  Statistics& statistics = solution.statistics;
  while (!run.is_done()) {
    if (const auto limit = reached_limit(settings, options, run.t(), solution)) return *limit;
    if (!run.advance()) return explain_method_stop(plan, settings, run, solution);
    ++statistics.steps;
    statistics.rejected = run.method().counters().rejected;
    if (original)
      statistics.original_residual = std::max(statistics.original_residual, original->at(run));
    recorder.accept(run);
    if (!recorder.report(run)) return explain_interruption(run.t(), statistics.steps);
  }
  return {};
}

}  // namespace

std::vector<std::vector<double>> derivatives_of(const integrate::TaylorRun& run) {
  std::vector<std::vector<double>> all(run.layout().column.size());
  for (int j = 0; j < run.layout().num_unknowns(); ++j)
    for (int order = 0; order <= run.layout().degree(j); ++order)
      all[j].push_back(run.derivative(j, order));
  return all;
}

StopReason explain_method_stop(Plan& plan, const Settings& settings,
                               const integrate::MethodRun& run, const Solution& solution) {
  const long num_steps = solution.statistics.steps;
  integrate::TaylorIntegrator series =
      make_integrator(make_schedule(plan), plan, settings, 1, plan.nominals());
  if (!series.begin(run.t(), settings.to, run.derivatives()))
    return largest_value(run) > far_too_large ? blow_up(plan, run, num_steps)
                                              : explain_no_series(plan, series.run());
  for (int n = 0; n < most_steps_ahead && !series.run().is_done(); ++n)  // is the end near?
    if (!series.advance()) return explain_stop(plan, series.run(), num_steps);
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
  integrate::TaylorIntegrator series = make_start_series(plan, settings);
  integrate::MethodRun run(make_step_method(plan, settings, options, plan.nominals()),
                           settings.tolerance);
  solution.seconds.compile = watch.lap();
  StopReason reason;
  if (!series.begin(settings.from, settings.to, solution.start.values)) {
    reason = explain_no_series(plan, series.run());
  } else if (!run.begin(settings.from, settings.to, derivatives_of(series.run()))) {
    reason = explain_method_stop(plan, settings, run, solution);
  } else {
    StepRecorder recorder(settings, options, solution);
    recorder.begin(run);
    reason = take_steps(model, run, recorder, settings, options, solution);
    recorder.finish(run);
    solution.statistics.constraint_residual = run.method().constraint_residual();
  }
  solution.order = run.method().order();
  solution.statistics.rejected = 0;
  add_statistics(plan, run, solution);
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  solution.seconds.integrate = watch.lap();
}

}  // namespace daedal::solving

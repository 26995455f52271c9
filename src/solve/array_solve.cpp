#include "solve/array_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "integrate/array_run.hpp"
#include "integrate/completion_run.hpp"
#include "solve/array_start.hpp"
#include "solve/run_limits.hpp"
#include "solve/run_parts.hpp"
#include "solve/step_recorder.hpp"
#include "solve/stop_reason.hpp"
#include "solve/stopwatch.hpp"

namespace daedal::solving {
namespace {

// Steps cost (n K)^3, so orders are lower than those of the Taylor method on structure.
int order_of(const Settings& settings) {
  return settings.order.value_or(
      std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(settings.tolerance))) + 2, 5, 20));
}

std::string names_of(const ArrayModel& model, const std::vector<int>& unknowns) {
  return base::listed(unknowns.size(), [&](std::size_t k) { return model.name(unknowns[k]); });
}

Singularity in_words(const ArrayModel& model, const integrate::RankLoss& loss, int index) {
  return {.t = loss.t,
          .block = names_of(model, loss.unknowns),
          .why = fmt::format(
              "the smallest singular value of the derivative array of index {} falls to {:.1e} "
              "(usually {:.1e}), its condition number rises to {:.1e}",
              index, loss.smallest, loss.usual, loss.condition)};
}

StopReason explain_array_stop(const ArrayModel& model, const integrate::ArrayRun& run,
                              long num_steps) {
  const std::string after =
      num_steps == 0 ? "at the start" : "after " + base::plural(num_steps, "accepted step");
  if (!run.was_finite())
    return {Status::left_domain,
            {.id = "S-INT-002",
             .what = fmt::format("an equation left its domain near t = {:.17g}", run.t()),
             .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
             .why = "a value of the derivative array is not a finite number",
             .todo = "end the run before this time, or write the equation so that it stays "
                     "defined here"}};
  if (run.is_stuck() && run.is_rank_low())
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations are singular near t = {:.17g}", run.t()),
         .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
         .why = "the derivative array loses rank here; rounding errors grow so much before that "
                "point that this tolerance cannot be kept",
         .todo = "ask for a larger tolerance to go across, or end the run before"}};
  const double condition = run.indicators().empty() ? 0.0 : run.indicators().back().condition;
  return {Status::step_floor,
          {.id = "S-INT-004",
           .what = fmt::format("no step is possible from t = {:.17g}", run.t()),
           .where = fmt::format("{}, {}", model.plan().model.place.text(), after),
           .why = fmt::format(
               "steps down to {:.1e} do not meet the tolerance; the condition number of the "
               "derivative array is {:.1e} here",
               run.last_trial(), condition),
           .todo = "if the condition number grows towards this time the solution is singular: end "
                   "before; otherwise ask for a larger tolerance"}};
}

void take_statistics(const integrate::ArrayRun& run, Statistics& statistics) {
  statistics.rejected = run.num_rejected();
  statistics.factorisations = run.num_factorisations();
  statistics.newton_iterations = run.num_iterations();
  statistics.constraint_residual = std::max(statistics.constraint_residual, run.residual());
  for (const integrate::ArrayIndicator& indicator : run.indicators())
    if (std::isfinite(indicator.condition))
      statistics.max_condition = std::max(statistics.max_condition, indicator.condition);
}

std::string reason_for_array(const Plan& plan) {
  if (plan.regularity.singular.empty())
    return "the system Jacobian is singular at the start, so the derivative array was used";
  if (plan.conversion_obstacle.empty())
    return "the converted model has no start at the point nearest to the guesses, so the "
           "derivative "
           "array was used";
  return fmt::format(
      "structural analysis fails and no conversion helps ({}), so the derivative array was used",
      plan.conversion_obstacle);
}

// The steps of a run that has begun; why it ended.
StopReason take_steps(const ArrayModel& model, integrate::ArrayRun& run, StepRecorder& recorder,
                      const Settings& settings, const SolveOptions& options, Solution& solution) {
  while (!run.is_done()) {
    if (const auto limit = reached_limit(settings, options, run.t(), solution)) return *limit;
    if (!run.advance()) return explain_array_stop(model, run, solution.statistics.steps);
    ++solution.statistics.steps;
    take_statistics(run, solution.statistics);
    recorder.accept(run);
    if (!recorder.report(run)) return explain_interruption(run.t(), solution.statistics.steps);
  }
  return {};
}

StopReason explain_completion_stop(const ArrayModel& model, const integrate::CompletionRun& run,
                                   long num_steps) {
  return {
      Status::step_floor,
      {.id = "S-INT-004",
       .what = fmt::format("no step is possible from t = {:.17g}", run.t()),
       .where = fmt::format("{}, after {}", model.plan().model.place.text(),
                            base::plural(num_steps, "accepted step")),
       .why = "the derivative array gives no x' here, or no step of the Runge-Kutta method meets "
              "the tolerance",
       .todo = "ask for a larger tolerance, or try the method array or taylor"}};
}

StopReason take_steps(const ArrayModel& model, const reduce::Completion& completion,
                      integrate::CompletionRun& run, StepRecorder& recorder,
                      const Settings& settings, const SolveOptions& options, Solution& solution) {
  Statistics& statistics = solution.statistics;
  const bool is_forward = settings.to >= settings.from;
  auto next = settings.at.begin();
  while (run.t() != settings.to) {
    if (const auto limit = reached_limit(settings, options, run.t(), solution)) return *limit;
    while (next != settings.at.end() && (is_forward ? *next <= run.t() : *next >= run.t())) ++next;
    if (!run.advance(next != settings.at.end() ? *next : settings.to))
      return explain_completion_stop(model, run, statistics.steps);
    ++statistics.steps;
    statistics.rejected = run.num_rejected();
    statistics.constraint_residual =
        std::max(statistics.constraint_residual, completion.residual());
    recorder.accept(run);
    if (!recorder.report(run)) return explain_interruption(run.t(), statistics.steps);
  }
  return {};
}

}  // namespace

Solution run_by_array(Plan& plan, const Settings& settings, const SolveOptions& options) {
  const bool is_last_resort = options.method == "auto";
  Stopwatch watch;
  ArrayModel model(plan, settings.from);
  const reduce::ArrayFinding finding = model.study().at(settings.from);
  const auto start = is_last_resort ? array_start_instead_of_structure : array_start;
  Solution solution = begin_solution(plan, start(model, finding, settings.from), settings);
  if (is_last_resort) solution.method_reason = reason_for_array(plan);
  solution.method = "array";
  solution.order = order_of(settings);
  solution.seconds.initialise = watch.lap();
  if (!solution.ok()) return solution;

  integrate::ArrayRun run(
      model.study(), model.mutable_form(), plan.parameters, finding,
      {.tolerance = settings.tolerance, .max_step = settings.max_step, .order = solution.order});
  StopReason reason;
  if (run.begin(settings.from, settings.to)) {
    StepRecorder recorder(settings, options, solution);
    recorder.begin(run);
    reason = take_steps(model, run, recorder, settings, options, solution);
    take_statistics(run, solution.statistics);
    recorder.finish(run);
  } else {
    reason = explain_array_stop(model, run, 0);
  }
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  for (const integrate::RankLoss& loss : run.losses())
    solution.singularities.push_back(in_words(model, loss, finding.index));
  for (const integrate::ArrayIndicator& indicator : run.indicators())
    solution.indicators.push_back({indicator.t, indicator.condition, indicator.smallest});
  solution.seconds.integrate = watch.lap();
  return solution;
}

// Steps end at the times wanted, because polynomials of degree 3 are less accurate than the steps.
Solution run_by_completion(Plan& plan, const Settings& settings, const SolveOptions& options) {
  Stopwatch watch;
  ArrayModel model(plan, settings.from);
  const reduce::ArrayFinding finding = model.study().at(settings.from);
  Solution solution = begin_solution(plan, array_start(model, finding, settings.from), settings);
  solution.method = "completion";
  solution.order = integrate::RungeKuttaOptions{}.order;
  solution.seconds.initialise = watch.lap();
  if (!solution.ok()) return solution;

  const std::vector<double> nominals = model.study().nominals();
  reduce::Completion completion(model.mutable_form(), plan.parameters, nominals, finding.index,
                                finding.time_scale);
  completion.begin(finding.point.derivatives);
  std::vector<double> x;
  for (const std::vector<double>& known : finding.point.derivatives) x.push_back(known[0]);
  integrate::CompletionRun run(
      completion, settings.from, x,
      {.tolerance = settings.tolerance, .max_step = settings.max_step, .nominals = nominals});
  StepRecorder recorder(settings, options, solution);
  recorder.begin(run);
  const StopReason reason =
      run.is_defined() ? take_steps(model, completion, run, recorder, settings, options, solution)
                       : explain_completion_stop(model, run, 0);
  recorder.finish(run);
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
  solution.statistics.factorisations = completion.num_factorisations();
  solution.seconds.integrate = watch.lap();
  return solution;
}

}  // namespace daedal::solving

// The whole run, in order: plan, consistent start, steps, and what there is to say at the end.
#include "daedal/solve.hpp"

#include <chrono>
#include <limits>

#include "expr/evaluate.hpp"
#include "integrate/taylor_integrator.hpp"
#include "solve/consistent_start.hpp"
#include "solve/kernel_switch.hpp"
#include "solve/plan.hpp"
#include "solve/recorder.hpp"
#include "solve/settings.hpp"
#include "solve/stop_reason.hpp"

namespace daedal {
namespace {

using integrate::TaylorIntegrator;
using solving::KernelSwitch;
using solving::Plan;
using solving::Settings;
using solving::StopReason;

// Seconds since it was made or last read.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

TaylorIntegrator make_integrator(Plan& plan, const Settings& settings, Solution& solution) {
  taylor::SeriesSchedule schedule = taylor::make_series_schedule(
      {*plan.equations.graph, plan.residuals(), plan.structure, plan.leads, plan.is_linear});
  solution.order = settings.order.value_or(
      integrate::choose_order(taylor::count_operations(schedule), settings.tolerance));
  taylor::SeriesSolver series(std::move(schedule), plan.structure, solution.order - 1,
                              {plan.parameters}, plan.nominals());
  return {std::move(series),
          plan.nominals(),
          {.tolerance = settings.tolerance, .max_step = settings.max_step}};
}

StopReason integrate_to_end(const Plan& plan, const Settings& settings, const SolveOptions& options,
                            TaylorIntegrator& integrator, KernelSwitch& kernels,
                            Solution& solution) {
  solving::Recorder recorder(plan, settings, options, solution);
  integrate::TaylorRun& run = integrator.run();
  if (!integrator.begin(settings.from, settings.to, solution.start.values))
    return solving::explain_no_series(plan, run);
  recorder.begin(run);
  StopReason reason;
  while (reason.status == Status::ok && !run.is_done()) {
    kernels.switch_if_ready(integrator);
    const long num_steps = solution.statistics.steps;
    if (num_steps == options.max_steps)
      reason = solving::explain_step_limit(run.t(), num_steps);
    else if (!integrator.advance())
      reason = solving::explain_stop(plan, run, num_steps);
    else if (!recorder.accept(run))
      reason = solving::explain_interruption(run.t(), num_steps + 1);
    else if (recorder.lost_block() >= 0)
      reason = solving::explain_lost_block(plan, run, num_steps + 1, recorder.lost_block());
  }
  recorder.finish(run);
  return reason;
}

void end_with(Solution& solution, const StopReason& reason) {
  solution.status = reason.status;
  if (!solution.ok()) solution.problems.push_back(reason.problem);
}

// The start is all there is; what was not found there is not a number.
void take_start_as_end(Solution& solution) {
  constexpr double not_found = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& derivatives : solution.start.values) {
    solution.final.push_back(derivatives.empty() ? not_found : derivatives.front());
    solution.final_derivatives.emplace_back(
        derivatives.empty() ? derivatives.begin() : derivatives.begin() + 1, derivatives.end());
  }
}

}  // namespace

Solution solve(const Model& user_model, const SolveOptions& options) {
  Stopwatch total, watch;
  const model::ModelData& model = user_model.data();
  const Settings settings = solving::settings_of(model, options);
  Solution solution;
  solution.method = "taylor";
  solution.tolerance = settings.tolerance;
  solution.t = settings.from;

  Plan plan = solving::make_plan(model);
  solution.variables = plan.variable_names();
  solution.seconds.analysis = watch.lap();

  solution.start = solving::consistent_start(plan, settings.from);
  solution.seconds.initialise = watch.lap();
  take_start_as_end(solution);
  if (!solution.start.ok()) {
    solution.status = solution.start.status;
    solution.problems = solution.start.problems;
  } else if (settings.tolerance < solving::smallest_tolerance) {
    end_with(solution, solving::explain_tolerance(settings.tolerance));
  } else {
    TaylorIntegrator integrator = make_integrator(plan, settings, solution);
    KernelSwitch kernels(options, integrator);
    solution.seconds.compile = watch.lap();
    end_with(solution, integrate_to_end(plan, settings, options, integrator, kernels, solution));
    solution.kernel = kernels.name();
    solution.seconds.integrate = watch.lap();
  }
  solution.seconds.total = total.lap();
  return solution;
}

}  // namespace daedal

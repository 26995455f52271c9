#include "run/run_parts.hpp"

#include <limits>

#include "explain/stop_reason.hpp"
#include "solution/access.hpp"

namespace daedal::run {
namespace {

// The start is all there is; what was not found there is not a number.
void take_start_as_end(Solution& solution) {
  constexpr double not_found = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t j = 0; j < solution.variables.size(); ++j) {
    const std::vector<double>& derivatives = solution.start.values[j];
    solution.final.push_back(derivatives.empty() ? not_found : derivatives.front());
    solution.final_derivatives.emplace_back(
        derivatives.empty() ? derivatives.begin() : derivatives.begin() + 1, derivatives.end());
  }
  solution.final_outputs = solution.start.output_values;
}

}  // namespace

Solution begin_solution(start::StartSearch& search, const settings::Settings& settings) {
  return begin_solution(search.plan(), search.at(settings.from), settings);
}

Solution begin_solution(const plan::Plan& plan, ConsistentPoint start,
                        const settings::Settings& settings) {
  Solution solution;
  solution.method = "taylor";
  solution.tolerance = settings.tolerance;
  solution.t = settings.from;
  solution.variables = plan.variable_names();
  solution.start = std::move(start);
  SolutionAccess::keep_outputs(solution, plan.outputs, plan.parameters);
  take_start_as_end(solution);
  if (!solution.start.ok()) {
    solution.status = solution.start.status;
    solution.problems = solution.start.problems;
  } else if (settings.tolerance < settings.smallest_tolerance) {
    const explain::StopReason reason = explain::explain_tolerance(settings);
    solution.status = reason.status;
    solution.problems.push_back(reason.problem);
  }
  return solution;
}

taylor::SeriesSchedule make_schedule(plan::Plan& plan) {
  return taylor::make_series_schedule(
      {*plan.equations.graph, plan.residuals(), plan.structure, plan.leads, plan.is_linear});
}

integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes) {
  return make_integrator(std::move(schedule), plan, settings, num_lanes, plan.nominals());
}

integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes,
                                            const std::vector<double>& nominals) {
  const int order = settings.order.value_or(
      integrate::choose_order(taylor::count_operations(schedule), settings.tolerance));
  taylor::SeriesSolver series(std::move(schedule), plan.structure, order - 1,
                              std::vector(num_lanes, plan.parameters), nominals);
  return {std::move(series),
          nominals,
          {.tolerance = settings.tolerance, .max_step = settings.max_step}};
}

integrate::TaylorIntegrator make_short_series(plan::Plan& plan,
                                              const settings::Settings& settings) {
  constexpr int order = 4;
  settings::Settings few = settings;
  few.order = order;
  return make_integrator(make_schedule(plan), plan, few, 1);
}

std::vector<std::vector<double>> derivatives_of(const solution::StepSource& run) {
  std::vector<std::vector<double>> all(run.layout().column.size());
  for (int j = 0; j < run.layout().num_unknowns(); ++j)
    for (int order = 0; order <= run.layout().degree(j); ++order)
      all[j].push_back(run.derivative(j, order));
  return all;
}

int order_of(const integrate::TaylorIntegrator& integrator) {
  return integrator.series().last_stage() + 1;
}

}  // namespace daedal::run

// The whole run, in order: plan, consistent start, steps, and what there is to say at the end.
#include "daedal/solve.hpp"

#include "hybrid/guards.hpp"
#include "solve/array_solve.hpp"
#include "solve/array_start.hpp"
#include "solve/balanced_model.hpp"
#include "solve/converted_start.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/kernel_switch.hpp"
#include "solve/member.hpp"
#include "solve/regularized_model.hpp"
#include "solve/run_parts.hpp"
#include "solve/stopwatch.hpp"

namespace daedal {

using solving::Plan;
using solving::Settings;

Solution solve(const Model& model, const SolveOptions& options) {
  solving::Stopwatch total;
  const Settings settings = solving::settings_of(model.data(), options);
  Solution solution = hybrid::is_hybrid(model.data())
                          ? solving::HybridRun(model.data(), settings, options).run()
                          : solving::run_without_modes(model.data(), settings, options);
  solution.seconds.total = total.lap();
  return solution;
}

Solution solving::run_without_modes(const model::ModelData& user_model, const Settings& settings,
                                    const SolveOptions& options) {
  Stopwatch watch;
  const BalancedModel model(user_model, settings.from);
  if (options.method == "array") {
    Plan plan = make_plan(model.data());
    return run_by_array(plan, settings, options);
  }
  if (options.method == "completion") {
    Plan plan = make_plan(model.data());
    return run_by_completion(plan, settings, options);
  }
  RegularizedModel regular(model.data());
  Plan& plan = regular.plan();
  const double analysis = watch.lap();
  const bool is_structure_of_use = plan.regularity.singular.empty();
  if (options.method == "auto" && !is_structure_of_use)
    return run_by_array(regular.original(), settings, options);
  std::optional<ConvertedStart> converted;
  if (regular.is_converted() && options.method == "auto")
    converted = start_of_converted(regular, settings.from);
  if (converted && !converted->agrees) return run_by_array(regular.original(), settings, options);
  StartSearch start(plan);
  Solution solution = converted ? begin_solution(plan, std::move(converted->point), settings)
                                : begin_solution(start, settings);
  if (options.method == "auto" && solution.status == Status::singular_point &&
      has_regular_array(regular.original(), settings.from))
    return run_by_array(regular.original(), settings, options);
  solution.converted = regular.is_converted();
  solution.seconds.analysis = analysis;
  solution.seconds.initialise = watch.lap();
  if (solution.ok()) {
    integrate::TaylorIntegrator integrator =
        make_integrator(make_schedule(plan), plan, settings, 1);
    solution.order = order_of(integrator);
    KernelSwitch kernels(options, integrator);
    solution.seconds.compile = watch.lap();
    Member member(plan, settings, options, solution);
    if (regular.is_converted())
      member.check(std::make_unique<OriginalResidual>(regular.original(), plan.parameters));
    SingularPassage passage(plan, settings);
    member.begin(integrator, 0);
    while (member.is_under_way()) {
      kernels.switch_if_ready(integrator);
      if (integrator.advance())
        member.take_step();
      else
        member.take_failure();
      if (!member.is_under_way()) break;
      if (const auto crossing = passage.cross(integrator)) member.take_crossing(*crossing);
    }
    solution.kernel = kernels.name();
    solution.seconds.integrate = watch.lap();
  }
  solution.start = without_auxiliaries(std::move(solution.start), model.data());
  return solution;
}

}  // namespace daedal

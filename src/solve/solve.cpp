// The whole run, in order: plan, consistent start, steps, and what there is to say at the end.
#include "daedal/solve.hpp"

#include "hybrid/guards.hpp"
#include "solve/balanced_model.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/kernel_switch.hpp"
#include "solve/member.hpp"
#include "solve/run_parts.hpp"
#include "solve/stopwatch.hpp"

namespace daedal {

using solving::Plan;
using solving::Settings;

Solution solve(const Model& user_model, const SolveOptions& options) {
  solving::Stopwatch total, watch;
  const Settings settings = solving::settings_of(user_model.data(), options);
  if (hybrid::is_hybrid(user_model.data())) {
    Solution solution = solving::HybridRun(user_model.data(), settings, options).run();
    solution.seconds.total = total.lap();
    return solution;
  }

  const solving::BalancedModel model(user_model.data(), settings.from);
  Plan plan = solving::make_plan(model.data());
  const double analysis = watch.lap();
  solving::StartSearch start(plan);
  Solution solution = solving::begin_solution(start, settings);
  solution.seconds.analysis = analysis;
  solution.seconds.initialise = watch.lap();
  if (solution.ok()) {
    integrate::TaylorIntegrator integrator =
        solving::make_integrator(solving::make_schedule(plan), plan, settings, 1);
    solution.order = solving::order_of(integrator);
    solving::KernelSwitch kernels(options, integrator);
    solution.seconds.compile = watch.lap();
    solving::Member member(plan, settings, options, solution);
    member.begin(integrator, 0);
    while (member.is_under_way()) {
      kernels.switch_if_ready(integrator);
      if (integrator.advance())
        member.take_step();
      else
        member.take_failure();
    }
    solution.kernel = kernels.name();
    solution.seconds.integrate = watch.lap();
  }
  solution.seconds.total = total.lap();
  return solution;
}

}  // namespace daedal

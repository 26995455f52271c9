// The integrator of a plan's equations by series, and who computes the series: the interpreter,
// machine code, or one after the other.
#pragma once

#include <memory>
#include <vector>

#include "daedal/solve.hpp"
#include "integrate/taylor/taylor_integrator.hpp"
#include "jit/stage_compiler.hpp"
#include "plan/plan.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

// The plan's graph grows by derivatives.
taylor::SeriesSchedule make_schedule(plan::Plan& plan);

// Its order is the one asked for, or the one that costs least.
integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes);
// With other nominal values than the plan's.
integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes,
                                            const std::vector<double>& nominals);
// An integrator of low order, for derivatives of all unknowns at a point, to some orders more than
// a method needs.
integrate::TaylorIntegrator make_short_series(plan::Plan& plan, const settings::Settings& settings);

class KernelSwitch {
 public:
  // Keeps references to the integrator's program. Compiles at once if the options say so; throws
  // E-OPT-005 if that is not possible.
  KernelSwitch(const SolveOptions& options, integrate::TaylorIntegrator& integrator);

  // Between steps.
  void switch_if_ready(integrate::TaylorIntegrator& integrator);

  const char* name() const { return is_compiled_ ? "compiled" : "interpreter"; }

 private:
  std::unique_ptr<jit::StageCompiler> compiler_;  // none if nothing is to be compiled any more
  bool is_compiled_ = false;
};

// An integrator, and who computes its series.
struct SeriesEngine {
  SeriesEngine(taylor::SeriesSchedule schedule, const plan::Plan& plan,
               const settings::Settings& settings, const SolveOptions& options, int num_lanes,
               const std::vector<double>& nominals);

  integrate::TaylorIntegrator integrator;
  KernelSwitch kernels;
};

}  // namespace daedal::run

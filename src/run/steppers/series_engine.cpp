#include "run/steppers/series_engine.hpp"

#include "jit/compiler.hpp"

namespace daedal::run {
namespace {

Problem no_compiler(const std::string& why) {
  return {.id = "E-OPT-005",
          .what = "the series cannot be compiled",
          .where = "option kernel",
          .why = why,
          .todo =
              "leave the option out: the interpreter gives the same results; or build daedal "
              "with LLVM 19"};
}

}  // namespace

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

KernelSwitch::KernelSwitch(const SolveOptions& options, integrate::TaylorIntegrator& integrator) {
  if (options.kernel == Kernel::interpreter) return;
  const taylor::SeriesSolver& series = integrator.series();
  compiler_ = std::make_unique<jit::StageCompiler>(
      series.program(), series.schedule(), series.intended_schedules(),
      jit::CodeCache(options.use_cache ? jit::CodeCache::default_folder() : ""));
  if (options.kernel != Kernel::compiled) return;
  try {
    integrator.use(compiler_->compile());
  } catch (const jit::CompilerFailure& failure) {
    throw Error(no_compiler(failure.what()));
  }
  is_compiled_ = true;
  compiler_.reset();
}

void KernelSwitch::switch_if_ready(integrate::TaylorIntegrator& integrator) {
  if (!compiler_) return;
  if (jit::CompiledCode code = compiler_->poll()) {
    integrator.use(std::move(code));
    is_compiled_ = true;
  }
  if (compiler_->is_done()) compiler_.reset();
}

SeriesEngine::SeriesEngine(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                           const settings::Settings& settings, const SolveOptions& options,
                           int num_lanes, const std::vector<double>& nominals)
    : integrator(make_integrator(std::move(schedule), plan, settings, num_lanes, nominals)),
      kernels(options, integrator) {}

}  // namespace daedal::run

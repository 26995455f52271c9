#include "run/steppers/kernel_switch.hpp"

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

}  // namespace daedal::run

// Who computes the series of a run: the interpreter, machine code, or one after the other.
#pragma once

#include <memory>

#include "daedal/solve.hpp"
#include "integrate/taylor/taylor_integrator.hpp"
#include "jit/stage_compiler.hpp"

namespace daedal::run {

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

}  // namespace daedal::run

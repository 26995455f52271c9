// IDA of SUNDIALS on a form of chain_forms.hpp: exact Jacobian, dense or band, one relative and
// absolute tolerance.
#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sundials/sundials_context.hpp>
#include <vector>

#include "benchmarks/ida/chain_forms.hpp"

namespace daedal::benchmarks {

struct ChainRun {
  bool ok = false;
  double t = 0.0;
  long steps = 0;
  double drift = 0.0;                   // largest |energy/80 - 1| at the times asked for
  ChainMotion motion = ChainMotion(0);  // at the end
};

inline constexpr double chain_energy = 80.0;

inline double energy_drift(const ChainMotion& motion) {
  return std::abs(motion.energy() / chain_energy - 1.0);
}

template <typename Form>
class IdaChain {
 public:
  IdaChain(Form form, double tol)
      : form_(std::move(form)),
        y_(N_VNew_Serial(form_.size(), context_)),
        yp_(N_VClone(y_)),
        id_(N_VClone(y_)),
        matrix_(new_matrix()),
        solver_(form_.half_bandwidth() > 0 ? SUNLinSol_Band(y_, matrix_, context_)
                                           : SUNLinSol_Dense(y_, matrix_, context_)),
        memory_(IDACreate(context_)) {
    form_.start(N_VGetArrayPointer(y_), N_VGetArrayPointer(yp_));
    for (int i = 0; i < form_.size(); ++i)
      N_VGetArrayPointer(id_)[i] = form_.is_differential(i) ? 1.0 : 0.0;
    IDASetErrFile(memory_, nullptr);
    IDAInit(memory_, residual, 0.0, y_, yp_);
    IDASetUserData(memory_, &form_);
    IDASStolerances(memory_, tol, tol);
    IDASetLinearSolver(memory_, solver_, matrix_);
    IDASetJacFn(memory_, jacobian);
    IDASetMaxNumSteps(memory_, 5'000'000);
    IDASetId(memory_, id_);
    IDASetSuppressAlg(memory_, SUNTRUE);
  }
  ~IdaChain() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector v : {y_, yp_, id_}) N_VDestroy(v);
  }
  IdaChain(const IdaChain&) = delete;
  IdaChain& operator=(const IdaChain&) = delete;

  // To the last of these times; not ok if the energy is lost on the way, where the motion is
  // another and may not end.
  ChainRun integrate(std::span<const double> times) {
    ChainRun run;
    IDASetStopTime(memory_, times.back());
    for (const double end : times) {
      run.ok = IDASolve(memory_, end, &run.t, y_, yp_, IDA_NORMAL) >= 0 && run.t == end;
      run.motion = form_.motion(N_VGetArrayPointer(y_));
      run.drift = std::max(run.drift, energy_drift(run.motion));
      run.ok = run.ok && run.drift < 0.1;
      if (!run.ok) break;
    }
    IDAGetNumSteps(memory_, &run.steps);
    return run;
  }

 private:
  SUNMatrix new_matrix() {
    const int width = form_.half_bandwidth();
    return width > 0 ? SUNBandMatrix(form_.size(), width, width, context_)
                     : SUNDenseMatrix(form_.size(), form_.size(), context_);
  }

  static int residual(double, N_Vector y, N_Vector yp, N_Vector f, void* form) {
    double* result = N_VGetArrayPointer(f);
    auto* self = static_cast<Form*>(form);
    self->residual(N_VGetArrayPointer(y), N_VGetArrayPointer(yp), result);
    return std::all_of(result, result + self->size(), [](double v) { return std::isfinite(v); })
               ? 0
               : 1;
  }

  static int jacobian(double, double alpha, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J,
                      void* form, N_Vector, N_Vector, N_Vector) {
    auto* self = static_cast<Form*>(form);
    const double *values = N_VGetArrayPointer(y), *slopes = N_VGetArrayPointer(yp);
    if (self->half_bandwidth() > 0)
      self->jacobian(alpha, values, slopes,
                     [J](int i, int j, double v) { SM_ELEMENT_B(J, i, j) += v; });
    else
      self->jacobian(alpha, values, slopes,
                     [J](int i, int j, double v) { SM_ELEMENT_D(J, i, j) += v; });
    return 0;
  }

  sundials::Context context_;
  Form form_;
  N_Vector y_, yp_, id_;
  SUNMatrix matrix_;
  SUNLinearSolver solver_;
  void* memory_;
};

}  // namespace daedal::benchmarks

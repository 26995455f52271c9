// IDA of SUNDIALS on a form of forms.hpp: dense exact Jacobian dF/dy + alpha dF/dy', one relative
// and absolute tolerance, no output on the way.
#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sundials/sundials_context.hpp>

#include "benchmarks/ida/dual.hpp"

namespace daedal::benchmarks {

template <typename Form>
using State = std::array<double, Form::size>;

template <typename Form>
State<Form> copy_of(N_Vector v) {
  State<Form> state;
  std::copy_n(N_VGetArrayPointer(v), Form::size, state.begin());
  return state;
}

template <typename Form>
std::array<State<Form>, Form::size> jacobian(double t, double alpha, const State<Form>& y,
                                             const State<Form>& yp) {
  using D = Dual<Form::size>;
  std::array<D, Form::size> dual_y, dual_yp, f;
  for (std::size_t j = 0; j < Form::size; ++j) {
    dual_y[j] = D(y[j]);
    dual_yp[j] = D(yp[j]);
    dual_y[j].partial[j] = 1;
    dual_yp[j].partial[j] = alpha;
  }
  Form::residual(t, dual_y, dual_yp, f);
  std::array<State<Form>, Form::size> rows;
  for (std::size_t i = 0; i < Form::size; ++i) rows[i] = f[i].partial;
  return rows;
}

template <typename Form>
int residual_for_ida(double t, N_Vector y, N_Vector yp, N_Vector f, void*) {
  State<Form> result;
  Form::residual(t, copy_of<Form>(y), copy_of<Form>(yp), result);
  std::copy(result.begin(), result.end(), N_VGetArrayPointer(f));
  return std::all_of(result.begin(), result.end(), [](double v) { return std::isfinite(v); }) ? 0
                                                                                              : 1;
}

template <typename Form>
int jacobian_for_ida(double t, double alpha, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void*,
                     N_Vector, N_Vector, N_Vector) {
  const auto rows = jacobian<Form>(t, alpha, copy_of<Form>(y), copy_of<Form>(yp));
  for (int j = 0; j < Form::size; ++j)
    for (int i = 0; i < Form::size; ++i)
      SM_ELEMENT_D(J, i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return 0;
}

template <typename Form>
struct IdaResult {
  bool ok = false;
  double t = 0.0;
  State<Form> y = {};
  long steps = 0, residuals = 0, jacobians = 0;
};

template <typename Form>
class Ida {
 public:
  explicit Ida(double tol)
      : y_(N_VNew_Serial(Form::size, context_)),
        yp_(N_VClone(y_)),
        id_(N_VClone(y_)),
        matrix_(SUNDenseMatrix(Form::size, Form::size, context_)),
        solver_(SUNLinSol_Dense(y_, matrix_, context_)),
        memory_(IDACreate(context_)) {
    std::copy(Form::start.begin(), Form::start.end(), N_VGetArrayPointer(y_));
    std::copy(Form::slope.begin(), Form::slope.end(), N_VGetArrayPointer(yp_));
    std::copy(Form::differential.begin(), Form::differential.end(), N_VGetArrayPointer(id_));
    IDASetErrFile(memory_, nullptr);
    IDAInit(memory_, residual_for_ida<Form>, 0.0, y_, yp_);
    IDASStolerances(memory_, tol, tol);
    IDASetLinearSolver(memory_, solver_, matrix_);
    IDASetJacFn(memory_, jacobian_for_ida<Form>);
    IDASetMaxNumSteps(memory_, 200'000);  // forms that work need 25'000 at most
    IDASetId(memory_, id_);
    IDASetSuppressAlg(memory_, SUNTRUE);
  }
  ~Ida() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector v : {y_, yp_, id_}) N_VDestroy(v);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  IdaResult<Form> integrate(double end) {
    IdaResult<Form> result;
    IDASetStopTime(memory_, end);
    result.ok = IDASolve(memory_, end, &result.t, y_, yp_, IDA_NORMAL) >= 0 && result.t == end;
    result.y = copy_of<Form>(y_);
    IDAGetNumSteps(memory_, &result.steps);
    IDAGetNumResEvals(memory_, &result.residuals);
    IDAGetNumJacEvals(memory_, &result.jacobians);
    return result;
  }

 private:
  sundials::Context context_;
  N_Vector y_, yp_, id_;
  SUNMatrix matrix_;
  SUNLinearSolver solver_;
  void* memory_;
};

}  // namespace daedal::benchmarks

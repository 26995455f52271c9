#include "integrate/runge_kutta.hpp"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <cmath>

#include "base/check.hpp"

namespace daedal::integrate {

class RungeKutta::Arkode {
 public:
  Arkode(Slope slope, double t, const std::vector<double>& x, const RungeKuttaOptions& options)
      : slope_(std::move(slope)), t_(t) {
    const auto size = static_cast<sunindextype>(x.size());
    DAEDAL_CHECK(SUNContext_Create(nullptr, &context_) == 0);
    x_ = N_VNew_Serial(size, context_);
    N_Vector floor = N_VNew_Serial(size, context_);
    for (std::size_t j = 0; j < x.size(); ++j) {
      N_VGetArrayPointer(x_)[j] = x[j];
      N_VGetArrayPointer(floor)[j] = options.tolerance * options.nominals[j];
    }
    memory_ = ERKStepCreate(evaluate, t, x_, context_);
    DAEDAL_CHECK(memory_ != nullptr);
    ERKStepSetUserData(memory_, this);
    ERKStepSetTableNum(memory_, ARKODE_FEHLBERG_13_7_8);
    ERKStepSVtolerances(memory_, options.tolerance, floor);
    ERKStepSetMaxNumSteps(memory_, -1);
    ERKStepSetErrHandlerFn(memory_, ignore, nullptr);
    if (std::isfinite(options.max_step)) ERKStepSetMaxStep(memory_, options.max_step);
    N_VDestroy(floor);
  }
  ~Arkode() {
    ERKStepFree(&memory_);
    N_VDestroy(x_);
    SUNContext_Free(&context_);
  }
  Arkode(const Arkode&) = delete;
  Arkode& operator=(const Arkode&) = delete;

  bool step(double stop) {
    ERKStepSetStopTime(memory_, stop);
    return ERKStepEvolve(memory_, stop, x_, &t_, ARK_ONE_STEP) >= 0;
  }

  long num_rejected() const {
    long attempts = 0, steps = 0;
    ERKStepGetNumStepAttempts(memory_, &attempts);
    ERKStepGetNumSteps(memory_, &steps);
    return attempts - steps;
  }

  // A step that does not succeed is a result, told by its caller.
  static void ignore(int, const char*, const char*, char*, void*) {}

  // 1: try a shorter step.
  static int evaluate(realtype t, N_Vector x, N_Vector slope, void* self) {
    const auto size = static_cast<std::size_t>(N_VGetLength(x));
    const bool is_defined = static_cast<Arkode*>(self)->slope_(t, {N_VGetArrayPointer(x), size},
                                                               {N_VGetArrayPointer(slope), size});
    return is_defined ? 0 : 1;
  }

  Slope slope_;
  double t_;
  SUNContext context_ = nullptr;
  N_Vector x_ = nullptr;
  void* memory_ = nullptr;
};

RungeKutta::RungeKutta(Slope slope, double t, const std::vector<double>& x,
                       const RungeKuttaOptions& options)
    : arkode_(std::make_unique<Arkode>(std::move(slope), t, x, options)) {}
RungeKutta::~RungeKutta() = default;

bool RungeKutta::step(double stop) { return arkode_->step(stop); }
double RungeKutta::t() const { return arkode_->t_; }
std::span<const double> RungeKutta::x() const {
  return {N_VGetArrayPointer(arkode_->x_), static_cast<std::size_t>(N_VGetLength(arkode_->x_))};
}
long RungeKutta::num_rejected() const { return arkode_->num_rejected(); }

}  // namespace daedal::integrate

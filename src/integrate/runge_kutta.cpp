#include "integrate/runge_kutta.hpp"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "integrate/sundials_norm.hpp"

namespace daedal::integrate {

namespace {

constexpr int most_failures = 20;  // of a step in a row

ARKODE_ERKTableID table_of(int order) {
  switch (order) {
    case 2: return ARKODE_HEUN_EULER_2_1_2;
    case 3: return ARKODE_BOGACKI_SHAMPINE_4_2_3;
    case 4: return ARKODE_ZONNEVELD_5_3_4;
    case 5: return ARKODE_DORMAND_PRINCE_7_4_5;
    case 6: return ARKODE_VERNER_8_5_6;
    default: return ARKODE_FEHLBERG_13_7_8;
  }
}

}  // namespace

class RungeKutta::Arkode {
 public:
  Arkode(Slope slope, double t, const std::vector<double>& x, const RungeKuttaOptions& options)
      : slope_(std::move(slope)), t_(t), options_(options) {
    const auto size = static_cast<sunindextype>(x.size());
    DAEDAL_CHECK(SUNContext_Create(nullptr, &context_) == 0);
    x_ = N_VNew_Serial(size, context_);
    judge_largest_component(x_);
    errors_ = N_VClone(x_);
    std::copy(x.begin(), x.end(), N_VGetArrayPointer(x_));
    memory_ = ERKStepCreate(evaluate, t, x_, context_);
    DAEDAL_CHECK(memory_ != nullptr);
    ERKStepSetUserData(memory_, this);
    // Its polynomials are not used, and need no slope at the end of a step.
    ERKStepSetInterpolantType(memory_, ARK_INTERP_LAGRANGE);
    ERKStepSetTableNum(memory_, table_of(options.order));
    set_tolerances(options.nominals);
    set_longest_step(options.max_step);
    ERKStepSetMaxNumSteps(memory_, -1);
    ERKStepSetMaxErrTestFails(memory_, most_failures);
    ERKStepSetErrHandlerFn(memory_, ignore, nullptr);
  }
  ~Arkode() {
    ERKStepFree(&memory_);
    N_VDestroy(errors_);
    N_VDestroy(x_);
    SUNContext_Free(&context_);
  }
  Arkode(const Arkode&) = delete;
  Arkode& operator=(const Arkode&) = delete;

  void set_tolerances(std::span<const double> nominals) {
    N_Vector floor = N_VClone(x_);
    for (std::size_t j = 0; j < nominals.size(); ++j)
      N_VGetArrayPointer(floor)[j] = options_.tolerance * nominals[j];
    ERKStepSVtolerances(memory_, options_.tolerance, floor);
    N_VDestroy(floor);
  }

  void restart(double t, std::span<const double> x, std::span<const double> nominals,
               double first_step) {
    former_rejected_ = num_rejected();
    std::copy(x.begin(), x.end(), N_VGetArrayPointer(x_));
    t_ = t;
    DAEDAL_CHECK(ERKStepReInit(memory_, evaluate, t, x_) == ARK_SUCCESS);
    ERKStepSetInitStep(memory_, first_step);
    set_tolerances(nominals);
  }

  void set_longest_step(double length) {
    const double longest = std::min(options_.max_step, length);
    ERKStepSetMaxStep(memory_, std::isfinite(longest) ? longest : 0.0);  // 0: no limit
  }

  bool step(double stop) {
    ERKStepSetStopTime(memory_, stop);
    return ERKStepEvolve(memory_, stop, x_, &t_, ARK_ONE_STEP) >= 0;
  }

  long num_trials() const {
    long trials = 0;
    ERKStepGetNumStepAttempts(memory_, &trials);
    return trials;
  }

  long num_rejected() const {
    long steps = 0;
    ERKStepGetNumSteps(memory_, &steps);
    return former_rejected_ + num_trials() - steps;
  }

  // A step that does not succeed is a result, which the caller reports.
  static void ignore(int, const char*, const char*, char*, void*) {}

  // 1: the step is given up.
  static int evaluate(realtype t, N_Vector x, N_Vector slope, void* self) {
    const auto size = static_cast<std::size_t>(N_VGetLength(x));
    const bool is_defined = static_cast<Arkode*>(self)->slope_(t, {N_VGetArrayPointer(x), size},
                                                               {N_VGetArrayPointer(slope), size});
    return is_defined ? 0 : 1;
  }

  double last_trial() const {
    double h = 0.0;
    ERKStepGetCurrentStep(memory_, &h);
    return std::abs(h);
  }

  Slope slope_;
  double t_;
  RungeKuttaOptions options_;
  long former_rejected_ = 0;
  SUNContext context_ = nullptr;
  N_Vector x_ = nullptr, errors_ = nullptr;
  void* memory_ = nullptr;
};

RungeKutta::RungeKutta(Slope slope, double t, const std::vector<double>& x,
                       const RungeKuttaOptions& options)
    : arkode_(std::make_unique<Arkode>(std::move(slope), t, x, options)) {}
RungeKutta::~RungeKutta() = default;

void RungeKutta::restart(double t, std::span<const double> x, std::span<const double> nominals,
                         double first_step) {
  arkode_->restart(t, x, nominals, first_step);
}
bool RungeKutta::step(double stop) { return arkode_->step(stop); }
void RungeKutta::set_longest_step(double length) { arkode_->set_longest_step(length); }
double RungeKutta::t() const { return arkode_->t_; }
std::span<const double> RungeKutta::x() const {
  return {N_VGetArrayPointer(arkode_->x_), static_cast<std::size_t>(N_VGetLength(arkode_->x_))};
}
std::span<const double> RungeKutta::estimated_errors() {
  ERKStepGetEstLocalErrors(arkode_->memory_, arkode_->errors_);
  return {N_VGetArrayPointer(arkode_->errors_), x().size()};
}
double RungeKutta::last_trial() const { return arkode_->last_trial(); }
long RungeKutta::num_rejected() const { return arkode_->num_rejected(); }
long RungeKutta::num_trials() const { return arkode_->num_trials(); }

}  // namespace daedal::integrate

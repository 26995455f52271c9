#include "integrate/dummy/implicit_dummy.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "integrate/sundials_norm.hpp"
#include "linear/nested_dissection.hpp"

namespace daedal::integrate {
namespace {

// Errors of steps add up: each may use this part of the tolerance.
constexpr double share_of_a_step = 0.02;
constexpr double smallest_tolerance = 1e-13;  // of a step; below it is rounding
// What Newton's method may leave of an error: highest derivatives magnify it.
constexpr double newton_part = 0.05;
// A first correction of this part of that is the last one.
constexpr double first_part = 0.1;
// Pivots are chosen anew if the step has changed by this factor.
constexpr double other_step = 4.0;
constexpr sunindextype most_without_dissection = 300;
constexpr double decay = 0.99;  // from step to step, of the size of a derivative

std::span<double> values_of(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

}  // namespace

// What belongs to SUNDIALS. Variables are the items; equations the rows of (8), then those of (10),
// one for each state item.
class ImplicitDummy::Ida {
 public:
  explicit Ida(ImplicitDummy& method) : method_(method) {
    DAEDAL_CHECK(SUNContext_Create(nullptr, &context_) == 0);
    const auto size = static_cast<sunindextype>(method.columns_.size());
    y_ = N_VNew_Serial(size, context_);
    judge_largest_component(y_);
    slope_ = N_VClone(y_);
    for (N_Vector& term : terms_) term = N_VClone(y_);
    sizes_.resize(method.columns_.size());
    lay_out_matrix();
    solver_ = SUNLinSol_KLU(y_, matrix_, context_);
    if (size > most_without_dissection) {
      sun_klu_common* klu = SUNLinSol_KLUGetCommon(solver_);
      klu->ordering = linear::klu_user_order;
      klu->user_order = linear::dissect_for_klu<SuiteSparse_long, sun_klu_common>;
    }
    newton_ = SUNNonlinSol_Newton(y_, context_);
    items_.resize(method.items_.size());
    state_sizes_.resize(items_.size());
    responses_.resize(items_.size());
  }
  ~Ida() {
    IDAFree(&memory_);
    SUNNonlinSolFree(newton_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector term : terms_) N_VDestroy(term);
    N_VDestroy(slope_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  // From y_ and slope_. A first step of 0 is chosen by IDA.
  bool begin(double t, double end, double first_step) {
    const bool is_ready =
        memory_ == nullptr ? create(t) : IDAReInit(memory_, t, y_, slope_) == IDA_SUCCESS;
    IDASetInitStep(memory_, first_step);
    forget_pattern();
    return is_ready && IDASetStopTime(memory_, end) == IDA_SUCCESS;
  }

  // IDA has no shortest step: one that does not change t counts as failed.
  bool step(double from, double end) {
    result_ = IDASolve(memory_, end, &t_, y_, slope_, IDA_ONE_STEP);
    if (result_ >= 0 && t_ == from) result_ = IDA_ERR_FAIL;
    if (result_ < 0) return false;
    for (int k = 0; k <= last_order(); ++k) IDAGetDky(memory_, t_, k, terms_[k]);
    return true;
  }

  // The polynomial of a variable on the last step, from its derivatives at the end.
  void interpolate(int variable, std::span<double> coefficients) const {
    double h = 0.0, factor = 1.0;
    IDAGetLastStep(memory_, &h);
    std::fill(coefficients.begin(), coefficients.end(), 0.0);
    const int degree = last_order();
    for (int k = 0; k <= degree; ++k) {
      coefficients[k] = factor * values_of(terms_[k])[variable];
      factor *= h / (k + 1);
    }
    for (int first = 0; first < degree; ++first)  // from powers of s - 1 to those of s
      for (int k = degree - 1; k >= first; --k) coefficients[k] -= coefficients[k + 1];
  }

  // Other relations (10): the matrix is analysed anew when it is next made.
  void forget_pattern() {
    SUNLinSol_KLUReInit(solver_, matrix_, SUNSparseMatrix_NNZ(matrix_), SUNKLU_REINIT_PARTIAL);
  }

  MethodFailure failure() const {
    if (!was_finite_) return MethodFailure::not_finite;
    if (result_ == IDA_LSETUP_FAIL || result_ == IDA_LSOLVE_FAIL) return MethodFailure::singular;
    return result_ == IDA_CONV_FAIL ? MethodFailure::not_converged : MethodFailure::error_test;
  }

  int last_order() const {
    int order = 0;
    IDAGetLastOrder(memory_, &order);
    return order;
  }
  double last_step() const {
    double h = 0.0;
    IDAGetCurrentStep(memory_, &h);
    return std::abs(h);
  }

  // Those of this trajectory added to those of former ones.
  MethodCounters counters_since(const MethodCounters& former) const {
    long rejected = 0, failures = 0, evaluations = 0, jacobians = 0, iterations = 0;
    IDAGetNumErrTestFails(memory_, &rejected);
    IDAGetNumNonlinSolvConvFails(memory_, &failures);
    IDAGetNumResEvals(memory_, &evaluations);
    IDAGetNumJacEvals(memory_, &jacobians);
    IDAGetNumNonlinSolvIters(memory_, &iterations);
    return {.rejected = former.rejected + rejected + failures,
            .evaluations = former.evaluations + evaluations,
            .jacobians = former.jacobians + jacobians,
            .factorisations = former.factorisations + jacobians,
            .iterations = former.iterations + iterations};
  }

  double t_ = 0.0;
  N_Vector y_ = nullptr, slope_ = nullptr;

 private:
  bool create(double t) {
    memory_ = IDACreate(context_);
    if (IDAInit(memory_, residual, t, y_, slope_) != IDA_SUCCESS) return false;
    IDASetErrHandlerFn(memory_, ignore, nullptr);
    const double max_step = method_.options_.max_step;
    if (std::isfinite(max_step)) IDASetMaxStep(memory_, max_step);
    return IDASetUserData(memory_, this) == IDA_SUCCESS &&
           IDAWFtolerances(memory_, weights) == IDA_SUCCESS &&
           IDASetLinearSolver(memory_, solver_, matrix_) == IDA_SUCCESS &&
           IDASetJacFn(memory_, jacobian) == IDA_SUCCESS &&
           IDASetNonlinearSolver(memory_, newton_) == IDA_SUCCESS &&
           SUNNonlinSolSetConvTestFn(newton_, has_converged, this) == SUN_NLS_SUCCESS &&
           IDASetMaxOrd(memory_, method_.most_order_) == IDA_SUCCESS &&
           IDASetNonlinConvCoef(memory_, newton_part) == IDA_SUCCESS &&
           IDASetMaxNumSteps(memory_, -1) == IDA_SUCCESS;
  }

  // Columns hold entries of (8), then room for the two of (10): an item may have relations of its
  // own and be the derivative in another one.
  void lay_out_matrix() {
    const reduce::SparseRows& rows = method_.dummies_.array().jacobian();
    const auto size = static_cast<sunindextype>(method_.columns_.size());
    columns_.resize(method_.columns_.size());
    for (int row = 0; row + 1 < static_cast<int>(rows.starts.size()); ++row)
      for (int p = rows.starts[row]; p < rows.starts[row + 1]; ++p)
        columns_[static_cast<std::size_t>(method_.variables_[rows.columns[p]])].emplace_back(row,
                                                                                             p);
    const auto num_entries = static_cast<sunindextype>(rows.columns.size()) + 2 * size;
    matrix_ = SUNSparseMatrix(size, size, num_entries, CSC_MAT, context_);
  }

  static int weights(N_Vector y, N_Vector weights, void* self) {
    static_cast<Ida*>(self)->find_weights(values_of(y), values_of(weights));
    return 0;
  }
  // The error of an item counts by its size. That of a derivative is the largest of the last steps:
  // where it passes zero, its nominal value says nothing about the pace of the solution. Items that
  // follow from the state cannot be more accurate than it: in stiff models they move much.
  void find_weights(std::span<const double> y, std::span<double> weights) {
    const double tolerance =
        std::max(share_of_a_step * method_.options_.tolerance, smallest_tolerance);
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const int column = method_.columns_[k];
      const bool is_derivative = method_.dummies_.place(column).order > 0;
      sizes_[k] = is_derivative ? std::max(std::abs(y[k]), decay * sizes_[k]) : std::abs(y[k]);
      const double size = method_.dummies_.nominal(column) + sizes_[k];
      weights[k] = 1.0 / (tolerance * std::max(size, responses_[column]));
    }
  }

  // In place of IDA's own test, which trusts the rate of convergence of an iteration long past: a
  // matrix that has become old then lets errors grow from step to step.
  static int has_converged(SUNNonlinearSolver newton, N_Vector, N_Vector correction,
                           realtype tolerance, N_Vector weights, void* self) {
    constexpr double divergent = 0.9;
    Ida& ida = *static_cast<Ida*>(self);
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton, &iteration);
    const double size = N_VWrmsNorm(correction, weights), rate = size / ida.correction_;
    ida.correction_ = size;
    if (size <= first_part * tolerance) return SUN_NLS_SUCCESS;
    if (iteration == 0) return SUN_NLS_CONTINUE;
    if (!(rate < divergent)) return SUN_NLS_CONV_RECVR;
    return size * rate / (1 - rate) <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  static void ignore(int, const char*, const char*, char*, void*) {}

  void take(N_Vector y) {
    const std::span<const double> values = values_of(y);
    for (std::size_t k = 0; k < values.size(); ++k) items_[method_.columns_[k]] = values[k];
  }

  // 1: try a shorter step.
  static int residual(realtype t, N_Vector y, N_Vector slope, N_Vector result, void* self) {
    return static_cast<Ida*>(self)->find_residual(t, y, slope, result);
  }
  int find_residual(double t, N_Vector y, N_Vector slope, N_Vector result) {
    take(y);
    reduce::DerivativeArray& array = method_.dummies_.array();
    array.evaluate(method_.dummies_.point(t, items_));
    const std::span<double> r = values_of(result);
    std::copy(array.values().begin(), array.values().end(), r.begin());
    std::size_t row = array.values().size();
    const reduce::StateMode& mode = method_.dummies_.mode();
    for (std::size_t k = 0; k < mode.state_columns().size(); ++k, ++row)
      r[row] = values_of(slope)[method_.variables_[mode.state_columns()[k]]] -
               items_[mode.slope_columns()[k]];
    was_finite_ =
        std::all_of(r.begin(), r.end(), [](double value) { return std::isfinite(value); });
    return was_finite_ ? 0 : 1;
  }

  static int jacobian(realtype t, realtype factor, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix,
                      void* self, N_Vector, N_Vector, N_Vector) {
    return static_cast<Ida*>(self)->find_jacobian(t, factor, y, matrix);
  }
  // dF/dy + factor dF/dy'.
  int find_jacobian(double t, double factor, N_Vector y, SUNMatrix matrix) {
    const double change = factor / analysed_for_;
    if (!(change < other_step && 1 / change < other_step)) {
      forget_pattern();
      analysed_for_ = factor;
    }
    take(y);
    reduce::DerivativeArray& array = method_.dummies_.array();
    array.linearise(method_.dummies_.point(t, items_));
    const reduce::StateMode& mode = method_.dummies_.mode();
    relation_of_.assign(columns_.size(), -1);
    derivative_in_.assign(columns_.size(), -1);
    int relation = array.num_rows();
    for (std::size_t k = 0; k < mode.state_columns().size(); ++k, ++relation) {
      relation_of_[method_.variables_[mode.state_columns()[k]]] = relation;
      derivative_in_[method_.variables_[mode.slope_columns()[k]]] = relation;
    }
    for (const int column : mode.state_columns())
      state_sizes_[column] = method_.dummies_.nominal(column) + std::abs(items_[column]);
    method_.dummies_.find_responses(state_sizes_, responses_);
    sunindextype* starts = SUNSparseMatrix_IndexPointers(matrix);
    sunindextype* rows = SUNSparseMatrix_IndexValues(matrix);
    double* values = SUNSparseMatrix_Data(matrix);
    sunindextype next = 0;
    const auto add = [&](int row, double value) {
      rows[next] = row;
      values[next++] = value;
    };
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      starts[c] = next;
      for (const auto& [row, position] : columns_[c]) add(row, array.jacobian().values[position]);
      if (derivative_in_[c] >= 0) add(derivative_in_[c], -1.0);
      if (relation_of_[c] >= 0) add(relation_of_[c], factor);
    }
    starts[columns_.size()] = next;
    return 0;
  }

  static constexpr int most_terms = 6;

  ImplicitDummy& method_;
  std::array<N_Vector, most_terms> terms_ = {};  // derivatives of the polynomials at t
  SUNContext context_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  SUNNonlinearSolver newton_ = nullptr;
  void* memory_ = nullptr;
  int result_ = 0;
  bool was_finite_ = true;
  double correction_ = 0.0;                      // size of the last one
  double analysed_for_ = 0.0;                    // factor of dF/dy' when pivots were chosen
  std::vector<double> items_, sizes_;            // by column; by variable
  std::vector<double> state_sizes_, responses_;  // by column: see find_responses
  std::vector<std::vector<std::pair<int, int>>> columns_;  // entries of (8): row and position
  std::vector<int> relation_of_, derivative_in_;           // by variable: rows of (10)
};

ImplicitDummy::ImplicitDummy(const reduce::DummyProblem& problem, const MethodOptions& options,
                             int most_order)
    : options_(options),
      most_order_(most_order),
      dummies_(problem),
      variables_(dummies_.array().num_columns(), -1),
      items_(dummies_.array().num_columns(), 0.0) {
  for (int j = 0; j < dummies_.num_unknowns(); ++j) {
    orders_.push_back(problem.structure.d[j] + 1);
    for (int l = 0; l <= problem.structure.d[j]; ++l) {
      variables_[dummies_.column(j, l)] = static_cast<int>(columns_.size());
      columns_.push_back(dummies_.column(j, l));
    }
  }
  ida_ = std::make_unique<Ida>(*this);
}

ImplicitDummy::~ImplicitDummy() = default;

bool ImplicitDummy::fail(MethodFailure failure) {
  failure_ = failure;
  return false;
}

bool ImplicitDummy::begin(double t, double end,
                          const std::vector<std::vector<double>>& derivatives) {
  t_ = t;
  end_ = end;
  failure_ = MethodFailure::none;
  dummies_.begin();
  items_ = dummies_.items_of(derivatives);
  if (!dummies_.choose_state(t, items_)) return fail(MethodFailure::singular);
  former_ = counters_;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const reduce::Place item = dummies_.place(columns_[k]);
    const std::vector<double>& known = derivatives[item.index];
    const auto next = static_cast<std::size_t>(item.order) + 1;
    values_of(ida_->y_)[k] = items_[columns_[k]];
    values_of(ida_->slope_)[k] = next < known.size() ? known[next] : 0.0;
  }
  return ida_->begin(t_, end_, first_step(derivatives)) || fail(MethodFailure::singular);
}

// The step of order 1 that is accurate enough for items whose second derivatives are known.
double ImplicitDummy::first_step(const std::vector<std::vector<double>>& derivatives) const {
  constexpr double largest_part = 1e-3, safety = 0.25;
  double step = largest_part * std::min(std::abs(end_ - t_), options_.max_step);
  for (const int column : columns_) {
    const reduce::Place item = dummies_.place(column);
    const std::vector<double>& known = derivatives[item.index];
    const auto second = static_cast<std::size_t>(item.order) + 2;
    if (second >= known.size() || known[second] == 0.0) continue;
    const double weight = share_of_a_step * options_.tolerance *
                          (dummies_.nominal(column) + std::abs(items_[column]));
    step = std::min(step, safety * std::sqrt(2 * weight / std::abs(known[second])));
  }
  return end_ > t_ ? step : -step;
}

bool ImplicitDummy::advance() {
  if (!ida_->step(t_, end_)) return fail(ida_->failure());
  t_ = ida_->t_;
  for (std::size_t k = 0; k < columns_.size(); ++k) items_[columns_[k]] = values_of(ida_->y_)[k];
  counters_ = ida_->counters_since(former_);
  if (dummies_.switch_if_bad(t_, items_)) ida_->forget_pattern();
  return true;
}

void ImplicitDummy::interpolate(int unknown, std::span<double> coefficients) const {
  ida_->interpolate(variables_[dummies_.column(unknown, orders_[unknown] - 1)], coefficients);
}

double ImplicitDummy::derivative(int unknown, int order) const {
  const int top = orders_[unknown] - 1;
  if (order <= top) return items_[dummies_.column(unknown, order)];
  return values_of(ida_->slope_)[variables_[dummies_.column(unknown, top)]];
}

int ImplicitDummy::order() const { return ida_->last_order(); }
double ImplicitDummy::last_trial() const { return ida_->last_step(); }

}  // namespace daedal::integrate

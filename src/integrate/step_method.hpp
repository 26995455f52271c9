// A method that knows the solution at the ends of its steps: dummy derivatives, BDF. What lies
// between, events and samples are the business of MethodRun.
#pragma once

#include <span>
#include <vector>

#include "reduce/array/derivative_array.hpp"

namespace daedal::integrate {

struct MethodOptions {
  double tolerance = 1e-9;  // the error of a step in x_j is kept below it times (nominal_j + |x_j|)
  double max_step = 0.0;    // > 0; may be infinite
  std::vector<double> nominals;  // by unknown
};

struct MethodCounters {
  long rejected = 0;
  long evaluations = 0;     // of the residuals
  long jacobians = 0;       // evaluations of their partial derivatives
  long factorisations = 0;  // of the matrices made of them
  long iterations = 0;      // of Newton's method
};

// Why there is no step.
enum class MethodFailure { none, singular, not_converged, not_finite, error_test };

// Variables of an ODE that were used for some time.
struct StateVectorUse {
  std::vector<reduce::Place> items;  // derivatives of unknowns
  long entries = 0;
  double time = 0.0;
};

class StepMethod {
 public:
  virtual ~StepMethod() = default;

  // By unknown: its derivatives up to this one are known at the ends of steps.
  virtual const std::vector<int>& orders() const = 0;

  // A method of several steps has polynomials of its own on the last one, of this degree at most;
  // 0: it has none, and polynomials follow from the derivatives at both ends.
  virtual int degree() const { return 0; }
  // Polynomials are those of this derivative; lower ones are integrals of it from the begin.
  virtual int interpolated(int /*unknown*/) const { return 0; }
  // Its coefficients in powers of the part of the step that is past; zero above its degree.
  virtual void interpolate(int /*unknown*/, std::span<double> /*coefficients*/) const {}

  // From a consistent point; derivatives[j] has x_j, x_j', ..., x_j^(d_j) at least. Nothing of a
  // former trajectory is kept except counters. False: failure() says why.
  virtual bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives) = 0;
  // One accepted step towards the end, never beyond it. False: none is possible.
  virtual bool advance() = 0;

  virtual double t() const = 0;
  // x_j^(order) at t, order <= orders()[j].
  virtual double derivative(int unknown, int order) const = 0;

  virtual int order() const = 0;  // of the last step
  virtual MethodFailure failure() const = 0;
  virtual double last_trial() const = 0;  // the length tried last
  virtual const MethodCounters& counters() const = 0;
  // Largest residual of constraints and hidden constraints at t, each relative to the size of its
  // terms.
  virtual double constraint_residual() = 0;
  // For methods that choose among them: in the order of their first use, and how often they
  // changed.
  virtual std::vector<StateVectorUse> state_vectors() const { return {}; }
  virtual long num_switches() const { return 0; }
  // So much of the last step was of use: it may have gone beyond an event.
  virtual void note_use(double /*length*/) {}
};

}  // namespace daedal::integrate

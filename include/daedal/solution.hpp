// A trajectory: any variable or derivative at any time of the run, from the polynomials of the
// steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/initialize.hpp"
#include "daedal/status.hpp"

namespace daedal {

namespace solution {
struct Record;
}  // namespace solution

struct Statistics {
  long steps = 0;              // accepted
  long rejected = 0;           // steps that were tried and given up for a shorter one
  long factorisations = 0;     // of blocks of two equations or more; size 1 is a division
  long newton_iterations = 0;  // of blocks nonlinear in their highest derivatives
  double smallest_step = 0.0;  // lengths of accepted steps, in the unit of t
  double largest_step = 0.0;
  double constraint_residual = 0.0;  // largest |left - right| of constraints and hidden constraints
                                     // after projection, each relative to the size of its terms
  // By how many tolerances steps differed from their predictions through rounding alone, at most
  // (W-TOL-002); 1 if that was never more than one tolerance.
  double rounding = 1.0;
  double max_condition = 0.0;  // largest condition estimate, over all blocks and steps
  // If a converted model was solved, the largest |left - right| of the equations as the user wrote
  // them, at the ends of steps, each relative to the size of its terms.
  double original_residual = 0.0;
  // Only the methods dd-erk, dd-ida and bdf count the following three.
  long evaluations = 0;  // evaluations of all residuals
  long jacobians = 0;    // evaluations of their partial derivatives
  long switches = 0;     // changes from one state vector to another
};

// Wall-clock seconds that the parts of a computation took.
struct Seconds {
  double analysis = 0.0;    // structure, and conversion if there was one
  double compile = 0.0;     // making the stepper, with machine code that the run waited for
  double initialize = 0.0;  // the search for a consistent start
  double integrate = 0.0;   // from the first step to the end
  double total = 0.0;       // the whole call
};

// A point on the way at which the Jacobian of a block changed sign or became singular.
struct Singularity {
  double t = 0.0;
  std::string block;  // the block's unknowns
  std::string why;    // a sentence
};

// How near the derivative array is to losing rank at some time of a run. A condition number that
// grows without bound as t nears a point means a singularity there; one that is merely high does
// not. B is the matrix B^[index] (docs/theory/derivative-array.md).
struct Indicator {
  double t = 0.0;
  double condition = 0.0;  // largest singular value of B over its smallest that is not 0
  double smallest = 0.0;   // smallest over largest, with rows of B that had norm 1 at the start
};

// A value that an event changed.
struct Jump {
  std::string name;  // "x", "der(x)"; a discrete variable
  double before = 0.0;
  double after = 0.0;
};

enum class EventKind {
  mode,         // other equations hold from here on
  when,         // a when clause acted: values were set
  observation,  // a when clause without actions; nothing changed
  touch,        // a guard reached zero and turned back; nothing changed
  end,          // a when clause ended the run
};
// "mode", "when", "observation", "touch", "end"
std::string to_string(EventKind kind);

struct Event {
  double t = 0.0;
  std::string name;  // name of the when clause, or the condition that holds from t on
  EventKind kind = EventKind::mode;
  int mode = 1;  // the mode in force from t on: its index in Solution::modes() plus 1
  // Values that changed by more than 1000 tolerances, and every change of a discrete variable.
  std::vector<Jump> jumps = {};
  int kept = 0;  // how many of the values that a start of the new mode needs did not jump
  std::vector<std::string> undetermined = {};  // values that neither the event nor equations give
  int tries = 0;                               // modes tried until one agreed with its own solution
};

// A set of equations that held for some time.
struct ModeMet {
  std::vector<std::string> conditions;  // those that hold in the mode and matter there
  long entries = 0;                     // how often the run entered the mode
  double time = 0.0;                    // how much of t the run spent in the mode
  // Offsets (c by equation, d by variable) of the equations that were solved: those written, or, if
  // structural analysis fails on them, equivalent ones. A mode on the derivative array has no
  // offsets, and structural_index is then the numerical index.
  std::vector<int> c, d;
  int structural_index = 0;
  int dof = 0;
  bool quasilinear = true;
};

// Events that accumulate at a finite time.
struct Zeno {
  double t = 0.0;                   // the estimated limit
  std::vector<std::string> guards;  // the clauses or conditions whose events accumulate
  bool settled = false;             // the run went on in a mode in which they stay at rest
};

// Variables of the ODE that the methods dd-erk and dd-ida made of the model for some time.
struct StateVector {
  std::vector<std::string> items;  // "x", "der(x)"
  long entries = 0;                // how often the run went over to this state vector
  double time = 0.0;               // how much of t it was used for
};

// How an accepted step went. NaN: the method does not know.
struct StepNote {
  double end = 0.0;
  double length = 0.0;     // above 0, also in a run that goes backward
  int order = 0;           // order of the method in this step
  long rejected = 0;       // longer steps that were tried before and given up
  double condition = 0.0;  // condition estimate of the worst block, at the step's end
  // Largest |left - right| of constraints and hidden constraints at the step's end, each relative
  // to the size of its terms.
  double residual = 0.0;
};

// The values at one of the times asked for with SolveOptions::at.
struct Sample {
  double t = 0.0;
  std::vector<double> values;        // by variable
  std::vector<double> outputs = {};  // by output, discrete variables first
};

// What a second, more accurate run says of the first (SolveOptions::verify). A tolerance bounds the
// error of a step; this is the error of the whole run.
struct Verification {
  Status status = Status::ok;  // status of the second run
  double tolerance = 0.0;      // tolerance of the second run
  double t = 0.0;              // time that the second run reached
  std::size_t events = 0;      // events that the second run met
  double error = 0.0;          // largest |difference| / (nominal + |x|) at the end and at the times
                               // asked for, over all variables
  std::string variable;        // the variable that has this error
  double error_at = 0.0;       // the time of this error
};

// What a run found, to be read only: several threads may read one solution at once. What is
// returned by reference lives as long as the solution, so that
// `for (auto& event : solve(model).events())` would read a solution that is gone. A solution that
// was moved from is empty.
class Solution {
 public:
  Solution();
  ~Solution();
  Solution(Solution&&) noexcept;
  Solution& operator=(Solution&&) noexcept;
  // Copies share their steps until one of them gets another step.
  Solution(const Solution&);
  Solution& operator=(const Solution&);

  bool ok() const { return status() == Status::ok; }
  Status status() const;
  // Why the run ended early; empty if ok.
  const std::vector<Problem>& problems() const;
  // What the solution should not be trusted for, ok or not.
  const std::vector<Problem>& warnings() const;
  // What a second run says, if it was asked for and the run reached its end.
  const std::optional<Verification>& verification() const;

  const std::vector<std::string>& variables() const;
  // What is reported beside the variables: discrete variables, then outputs (Model::output, and the
  // energy of a Lagrangian).
  const std::vector<std::string>& outputs() const;
  // How many of the outputs, the first ones, are discrete variables.
  int num_discretes() const;

  // The consistent point at which the run began, and the time that the run reached.
  const ConsistentPoint& start() const;
  double t() const;
  // The values at t(): final() of the variables, final_outputs() of the outputs (discrete variables
  // first), final_derivatives()[j] of x_j', x_j'', ... as far as known.
  const std::vector<double>& final() const;
  const std::vector<double>& final_outputs() const;
  const std::vector<std::vector<double>>& final_derivatives() const;
  // One of these values by its name: "x", "der(x)", "der(x, 2)", an output or a discrete variable;
  // `order` counts further derivatives. A variable's number counts from 0 in the order of
  // declaration. Throws E-SOL-002 for a name or number that is no variable or output, E-SOL-004 for
  // a derivative of an output, or one that is not among final_derivatives().
  double final(const std::string& name, int order = 0) const;
  double final(int variable, int order = 0) const;

  // x_j^(order), or an output or discrete variable (order 0), at any t of the run; at the time of
  // an event the value just after it. Names and numbers are those of final().
  // Throws E-SOL-001 for a t outside the run, E-SOL-002 for a name or number that is no variable or
  // output, E-SOL-003 without SolveOptions::keep_steps, E-SOL-004 for a derivative of an output, or
  // above the degree of the polynomials.
  double operator()(const std::string& name, double t, int order = 0) const;
  double operator()(int variable, double t, int order = 0) const;
  // The values of all variables at t, in the order of variables(). Throws E-SOL-001 and E-SOL-003.
  std::vector<double> operator()(double t) const;
  // The times asked for with SolveOptions::at, in the direction of the run, as far as reached. At
  // the time of an event a sample has the values just before it.
  const std::vector<Sample>& at() const;

  // The method that made the steps: a MethodInfo::name other than "auto".
  const std::string& method() const;
  // Why the run did not take what is usual: "auto" the array in place of taylor, or bdf a form of
  // lower index in place of the equations as written. Empty if there is nothing to explain.
  const std::string& method_reason() const;
  // The order of the method; 0 if there was no start.
  int order() const;
  double tolerance() const;
  // Whether structural analysis fails on the model, and an equivalent one was solved.
  bool converted() const;
  // What computed the last series: "interpreter" or "compiled".
  const std::string& kernel() const;

  // The start and every step end; empty if keep_steps is off.
  const std::vector<double>& step_times() const;
  // How every step went; empty if keep_steps is off.
  const std::vector<StepNote>& step_notes() const;
  const std::vector<Singularity>& singularities() const;
  // What the method "array" knows, inside and at the end of every step.
  const std::vector<Indicator>& indicators() const;
  // Events come in the order of the run, modes in the order of their first entry; both lists are
  // empty if the model has neither. modes() ends where conditions and offsets of its modes together
  // number a million; num_modes() counts all modes.
  const std::vector<Event>& events() const;
  const std::vector<ModeMet>& modes() const;
  int num_modes() const;
  const std::optional<Zeno>& zeno() const;
  // State vectors come in the order of their first use.
  const std::vector<StateVector>& state_vectors() const;
  const Statistics& statistics() const;
  const Seconds& seconds() const;

 private:
  friend class SolutionAccess;
  const solution::Record& record() const;

  std::unique_ptr<solution::Record> record_;  // null: the solution is empty
};

// As `daedal run` prints it.
std::string to_text(const Solution& solution);
std::string to_json(const Solution& solution);

}  // namespace daedal

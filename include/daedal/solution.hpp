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
  long rejected = 0;           // tried and given up for a shorter one
  long factorisations = 0;     // of blocks of two equations or more; size 1 is a division
  long newton_iterations = 0;  // of blocks nonlinear in their highest derivatives
  double smallest_step = 0.0;
  double largest_step = 0.0;
  double constraint_residual = 0.0;  // largest |left - right| of constraints and hidden constraints
                                     // after projection, each relative to the size of its terms
  // By how many tolerances steps differed from their predictions through rounding alone, at most
  // (W-TOL-002); 1 if that was never more than one tolerance.
  double rounding = 1.0;
  double max_condition = 0.0;  // largest estimate met, over all blocks and steps
  // Of a converted model: the same as constraint_residual for the equations as the user wrote them,
  // at the ends of steps.
  double original_residual = 0.0;
  // Counted by the methods dd-erk, dd-ida and bdf only.
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
  double total = 0.0;       // of the whole call
};

// A point on the way at which the Jacobian of a block changed sign or became singular.
struct Singularity {
  double t = 0.0;
  std::string block;  // its unknowns
  std::string why;
};

// What the derivative array is like at some time of a run: a pole of the condition number means a
// singularity, a high one does not.
struct Indicator {
  double t = 0.0;
  double condition = 0.0;  // of B^[index]: largest over smallest singular value that is not 0
  double smallest = 0.0;   // smallest over largest, with rows that had norm 1 at the start
};

// A value that is another after an event than before it.
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
  std::string name;  // of the when clause, or the condition that holds from t on
  EventKind kind = EventKind::mode;
  int mode = 1;  // in force from t on: its index in Solution::modes() plus 1
  // Values that changed by more than 1000 tolerances, and every change of a discrete variable.
  std::vector<Jump> jumps = {};
  int kept = 0;  // how many values that a start of the new mode needs did not jump
  std::vector<std::string> undetermined = {};  // values that neither the event nor equations give
  int tries = 0;                               // modes tried until one agreed with its own solution
};

// A set of equations that held for some time.
struct ModeMet {
  std::vector<std::string> conditions;  // that hold in it, of those that matter
  long entries = 0;
  double time = 0.0;  // spent in it
  // Of the equations that were solved: of equivalent ones, if structural analysis fails on those
  // written.
  std::vector<int> c, d;
  int structural_index = 0;
  int dof = 0;
  bool quasilinear = true;
};

// Events that accumulate at a finite time.
struct Zeno {
  double t = 0.0;                   // estimated
  std::vector<std::string> guards;  // the clauses or conditions whose events accumulate
  bool settled = false;             // the run went on in a mode in which they stay at rest
};

// Variables of the ODE that the methods dd-erk and dd-ida made of the model for some time.
struct StateVector {
  std::vector<std::string> items;  // "x", "der(x)"
  long entries = 0;
  double time = 0.0;  // for which it was used
};

// How an accepted step went. NaN: the method does not know.
struct StepNote {
  double end = 0.0;
  double length = 0.0;
  int order = 0;           // of the method in this step
  long rejected = 0;       // longer ones that were tried before and given up
  double condition = 0.0;  // at its end, of the worst block
  double residual = 0.0;   // there, of constraints and hidden constraints, relative to their terms
};

struct Sample {
  double t = 0.0;
  std::vector<double> values;        // by variable
  std::vector<double> outputs = {};  // by output, discrete variables first
};

// What a second, more accurate run says of the first (SolveOptions::verify). A tolerance bounds the
// error of a step; this is what became of it on the way.
struct Verification {
  Status status = Status::ok;  // of the second run
  double tolerance = 0.0;      // of the second run
  double t = 0.0;              // that it reached
  std::size_t events = 0;      // that it met
  double error = 0.0;          // largest |difference| / (nominal + |x|) at the end and at the times
                               // asked for, over all variables
  std::string variable;        // of which, and when
  double error_at = 0.0;
};

// What a run found, to be read only: several threads may read one solution at once. What is
// returned by reference lives as long as the solution: `for (auto& event : solve(model).events())`
// would read one that is gone. A solution that was moved from is empty.
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

  // Where the run began, and the time that it reached.
  const ConsistentPoint& start() const;
  double t() const;
  // The values at t(), by variable; those of outputs, discrete variables first; and of derivatives,
  // [j]: x_j', x_j'', ... as far as known.
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
  // All variables at t.
  std::vector<double> operator()(double t) const;
  // The times asked for with SolveOptions::at, in the direction of the run, as far as reached. At
  // the time of an event a sample has the values just before it.
  const std::vector<Sample>& at() const;

  // What made the steps: a MethodInfo::name other than "auto".
  const std::string& method() const;
  // Why "auto" did not take the usual one; empty if it did.
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
  // Events come in the order of the run, modes in that of their first entry; there are none if the
  // model has none. Of very many modes only the first are here, with a million conditions and
  // offsets together: num_modes() counts all.
  const std::vector<Event>& events() const;
  const std::vector<ModeMet>& modes() const;
  int num_modes() const;
  const std::optional<Zeno>& zeno() const;
  // These come in the order of their first use.
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

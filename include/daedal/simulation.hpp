// A run that its user drives: prepared once, then stepped, looked at, changed, and stepped on.
//
//   daedal::PreparedModel prepared(model, {.to = 10.0, .tolerance = 1e-12});
//   daedal::Simulation swing = prepared.simulate();  // the first run makes the analysis
//   swing.step_until(5.0);
//   swing.set("der(x)", swing("der(x)") + 1.0);  // a kick; what depends on it follows
//   swing.step_until(10.0);
//   daedal::Solution solution = swing.take_solution();
//
//   for (double length : lengths)  // no second analysis
//     solutions.push_back(prepared.solve({.parameters = {{"L", length}}, .start = {{"x", 2.0}}}));
//
// A change is what a `when` clause with reinit and assignments of that moment would do: what was
// set stays, the rest moves as little as the equations allow, and modes follow
// (docs/theory/hybrid.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daedal/model.hpp"
#include "daedal/solution.hpp"
#include "daedal/solve.hpp"

namespace daedal {

// Values of variables and derivatives by name: "x", "der(x)", "der(x, 2)".
using StartValues = ParameterValues;

// What a run takes in place of what its model says; what is not named here stays the model's.
struct RunInput {
  ParameterValues parameters = {};
  StartValues start = {};  // guesses, as Model::set_start gives them
  StartValues fixed = {};  // values that must hold at the start, as Model::fix_start gives them
};

// One run. Options are those of solve(), but `verify` is ignored, `checkpoint` and `resume` throw
// E-OPT-006, and `max_seconds` counts from the call that makes or restores the simulation, the time
// between later calls included. A simulation that was moved from may only be destroyed or assigned
// to. One thread at a time may use a simulation.
class Simulation {
 public:
  // Copies the model and prepares it for this simulation alone. Throws what PreparedModel::simulate
  // throws.
  explicit Simulation(const Model& model, const SolveOptions& options = {},
                      const RunInput& input = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Status::ok while the run may go on, and after it has come to its planned end.
  Status status() const;
  bool ok() const { return status() == Status::ok; }
  // Why status() is not ok; empty if it is.
  const std::vector<Problem>& problems() const;
  // Whether the end of the run is reached, or there is no way on.
  bool is_over() const;

  double t() const;        // the present time, in the model's unit
  long num_steps() const;  // accepted steps until now
  // The names of the variables in the order of declaration.
  const std::vector<std::string>& variables() const;

  // Makes one accepted step, or the part of one up to the first event. True if the simulation
  // stands at the end of the step, also where that is the end of the run. False if the run was over
  // before (then nothing happens), if a when clause ended it, or if there is no way on.
  bool step();
  // Makes steps that end at exactly this time, which lies ahead; a time beyond the end of the run
  // extends the run. False if the run ended before this time, or on_step ended the call. Throws
  // E-SIM-001 for a time that lies in the past.
  bool step_until(double t);
  // Makes steps to the end of the run. False if there was no way to it, or on_step ended the call.
  bool finish();

  // The present value of a variable, also a discrete one, an output or a derivative: "x", "energy",
  // "der(x)"; E-SIM-002 for a name that is none of these, or a derivative that the method does not
  // know. What was set is read back at once; what depends on it follows with the next step.
  double operator()(const std::string& name) const;
  // The present values of all variables, in the order of variables().
  std::vector<double> values() const;
  // The present value of a parameter. Throws E-SIM-002 for a name that is none.
  double parameter(const std::string& name) const;

  // Both functions change something from now on; several changes before the next step act together.
  // set() takes the names that operator() takes, outputs excepted; set_parameter() takes parameters
  // that are not structural (see Model::set_parameter). They throw E-SIM-002 for another name,
  // E-SIM-006 for values that are not finite, E-SIM-005 where the run is over for good, and what
  // Model::set_parameter throws. If the equations have no solution with the new values, the next
  // step does not happen and status() says why.
  void set(const std::string& name, double value);
  void set_parameter(const std::string& name, double value);

  // Registers a callback in place of an earlier one. It is called after a step that ended in
  // events, once for each event, when the events have happened and the run stands after them. The
  // callback may call set() and set_parameter(), but must make no steps. What it throws comes out
  // of the call that made the step, and the simulation stays usable. (SolveOptions::on_step
  // returning false ends such a call, too, and not the run.)
  void on_event(std::function<void(Simulation&, const Event&)> callback);

  // The state: bytes of all that the steps to come depend on, changes that were set included.
  // Throws E-SIM-003 right after an event, where the state does not show what happens next, and at
  // the end of the run; E-SIM-005 where the run is over for good. A run that is saved goes on from
  // this state alone, which may change the last digits of the steps to come.
  std::string save();
  // Goes on from a state that save() gave, in this simulation or in another one of the same model
  // and options; the steps that follow are those after save(), bit by bit. The solution begins at
  // that state. Throws E-SIM-004 for anything else.
  void restore(const std::string& state);

  // What was computed until now: its final values are the present ones, and the warnings that
  // take_solution() adds are not among its own. The reference is valid until take_solution() or the
  // end of the simulation, and what it refers to grows with the next step; copy it to keep it.
  const Solution& solution();
  // Gives the solution away, with its warnings. The simulation is over; restore() begins it anew.
  Solution take_solution();

 private:
  friend class PreparedModel;
  class Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A model whose analysis, machine code and searches for starts are made once, for many runs. One
// thread at a time may use a prepared model and the simulations made from it, their destruction
// included, because they share what was prepared (solve_ensemble() has lanes and threads).
// Simulations may outlive the prepared model. Callbacks of the options are called in every run.
class PreparedModel {
 public:
  // Copies the model. Throws E-OPT-* for options that make no sense, a checkpoint among them. The
  // first run checks and analyses the model, and throws what it finds.
  explicit PreparedModel(const Model& model, const SolveOptions& options = {});
  ~PreparedModel();
  PreparedModel(PreparedModel&&) noexcept;
  PreparedModel& operator=(PreparedModel&&) noexcept;

  // What solve() gives for a model with these parameters and start values. Throws what solve()
  // throws, and for the input E-SIM-002, E-SIM-006 and what Model::set_parameter throws.
  Solution solve(const RunInput& input = {});
  // A simulation that stands at its start. Throws what solve() of this class throws.
  Simulation simulate(const RunInput& input = {});

  // How often structure was analysed. All calls of solve() together need one analysis, or one for
  // each mode that was met. As many are added by simulate(), by SolveOptions::verify, by each
  // further simulation that is under way at the same time, and by a run that had no start on what
  // was prepared. The analyses of a simulation count from its end on.
  long num_analyses() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace daedal

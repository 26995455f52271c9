// A run that its user drives: prepared once, then stepped, looked at, changed, and stepped on.
//
//   daedal::PreparedModel prepared(model, {.to = 10.0, .tolerance = 1e-12});  // analysis, once
//   daedal::Simulation swing = prepared.simulate();
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

// By name: "x", "der(x)", "der(x, 2)".
using StartValues = ParameterValues;

// In what a run differs from its model.
struct RunInput {
  ParameterValues parameters = {};
  // Start values that take the place of the model's: guesses, and values that must hold.
  StartValues start = {};
  StartValues fixed = {};
};

class Simulation {
 public:
  // Prepares the model for this simulation alone. Throws what solve() throws. The model is copied.
  explicit Simulation(const Model& model, const SolveOptions& options = {},
                      const RunInput& input = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Status::ok while the run may go on, and when it has come to its end.
  Status status() const;
  bool ok() const { return status() == Status::ok; }
  // Why it is not.
  const std::vector<Problem>& problems() const;
  // Whether the end of the run is reached, or there is no way on.
  bool is_over() const;

  double t() const;
  long num_steps() const;
  const std::vector<std::string>& variables() const;

  // One accepted step, or the part of one up to the first event. False if the run is over; where it
  // was before already, nothing happens.
  bool step();
  // Steps that end at exactly this time, which lies ahead; beyond the end of the run, the run is
  // extended. False if there is no way to it. Throws E-SIM-001 for a time that lies in the past.
  bool step_until(double t);
  // To the end of the run.
  bool finish();

  // The present value of a variable, also a discrete one, an output or a derivative: "x", "energy",
  // "der(x)"; E-SIM-002 for a name that is none of these, or a derivative that the method does not
  // know. What was set is read back at once; what depends on it follows with the next step.
  double operator()(const std::string& name) const;
  // All variables.
  std::vector<double> values() const;
  double parameter(const std::string& name) const;

  // From now on; several changes before the next step are one. Names as above; parameters that are
  // not structural. Throws E-SIM-002, E-SIM-006 for values that are not finite, E-SIM-005 where the
  // run is over for good, and what Model::set_parameter throws. If the equations have no solution
  // with the new values, the next step does not happen and status() says why.
  void set(const std::string& name, double value);
  void set_parameter(const std::string& name, double value);

  // Called after a step that ended in events, once for each: when it has happened, and the run
  // stands after it. It may call set() and set_parameter(). What it throws comes out of the call
  // that made the step; the simulation stays usable, as where SolveOptions::on_step returns false,
  // which ends a call and not the run.
  void on_event(std::function<void(Simulation&, const Event&)> callback);

  // All that the steps to come depend on. Between events only: E-SIM-003 right after one, where the
  // state does not show what happens next, and at the end of the run. A run that is saved goes on
  // from this state alone, which may change the last digits of the steps to come.
  std::string save();
  // Goes on from there, of this simulation or of another one of the same model and options, to the
  // same bits. The solution begins there. Throws E-SIM-004 for anything else.
  void restore(const std::string& state);

  // What was computed until now, as solve() gives it.
  const Solution& solution();
  // Gives the solution away: the simulation is over.
  Solution take_solution();

 private:
  friend class PreparedModel;
  class Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A model whose analysis, machine code and searches for starts are made once, for many runs. One
// thread at a time may use it; solve_ensemble() has lanes and threads.
class PreparedModel {
 public:
  // Throws what solve() throws. The model is copied.
  explicit PreparedModel(const Model& model, const SolveOptions& options = {});
  ~PreparedModel();
  PreparedModel(PreparedModel&&) noexcept;
  PreparedModel& operator=(PreparedModel&&) noexcept;

  // What solve() gives for a model with these parameters and start values.
  Solution solve(const RunInput& input = {});
  Simulation simulate(const RunInput& input = {});

  // How often structure was analysed: once, or once for each mode that was met; again only where a
  // run had no start on what was prepared, or two simulations are under way at a time.
  long num_analyses() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace daedal

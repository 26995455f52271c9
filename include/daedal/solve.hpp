// The whole run: analysis, consistent start, integration.
//
//   daedal::Solution pendulum = daedal::solve(model, {.to = 100.0, .tolerance = 1e-12});
//   double x = pendulum("x", 3.2), speed = pendulum("x", 3.2, 1);
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daedal/checkpoint.hpp"
#include "daedal/choice.hpp"
#include "daedal/method.hpp"
#include "daedal/model.hpp"
#include "daedal/solution.hpp"

namespace daedal {

// How far a run has come.
struct Progress {
  double from = 0.0;  // SolveOptions::from and to
  double to = 0.0;
  double t = 0.0;     // the time that the run has reached
  long steps = 0;     // accepted steps until t
  long rejected = 0;  // steps that were tried and given up for a shorter one
};

// What computes the Taylor series of a method that has them. Results are the same, bit by bit.
//
//   automatic    machine code as soon as it is ready; a thread beside the run makes it, if the run
//                is long enough ("auto")
//   interpreter  no machine code
//   compiled     machine code from the first step on; throws E-OPT-005 if there is no compiler
enum class Kernel { automatic, interpreter, compiled };

// How bdf begins with fixed steps, which need values before the start.
//
//   series  values before the start are computed from Taylor series of the solution at the start
//   orders  no values before the start are used: the first steps are of order 1, 2, ...
enum class StartUp { series, orders };

template <>
const std::vector<std::string>& names_of<Kernel>();
template <>
const std::vector<std::string>& names_of<StartUp>();

// Options that the method bdf alone has; given with another method they throw E-OPT-006.
struct BdfOptions {
  // The index, 0 to 3, of the system that is integrated. To lower the index, equations are replaced
  // by derivatives of them; an equation that is replaced is no longer enforced, and its residual
  // drifts. Default: the equations as written, but index 3 at most.
  std::optional<int> index = {};
  // All steps have this length, above 0 and at most that of the run, in the unit of t, and one
  // order (3 unless SolveOptions::order is given); no error is controlled.
  std::optional<double> fixed_step = {};
  // Newton's iteration of a step ends where the error left in every component is below this part of
  // the error that a step may make, 0 < newton_tolerance <= 1 (E-OPT-001); with fixed steps, where
  // it is below this part of 1e-14 of the component's size. What is left is noise in the
  // differences from which later steps are predicted, so that a larger value costs steps and
  // accuracy.
  double newton_tolerance = 0.01;
  // The most iterations with one matrix, 1 to 100. If so many do not converge, the matrix is made
  // anew; if that does not help, the step is shortened.
  int newton_iterations = 7;
  Choice<StartUp> start_up = StartUp::series;  // has an effect with fixed_step only
};

// daedal/option.hpp has the same options as a table.
struct SolveOptions {
  // Start and end of the run, in the model's unit of time, from -1e30 to 1e30. Default of `from`:
  // the model's StartTime, else 0; of `to`: the model's StopTime, else from + 1. `to` may be less
  // than `from`: then the run goes backward.
  std::optional<double> from = {};
  std::optional<double> to = {};
  // The error of a step in x_j is kept below tolerance (nominal_j + |x_j|). Above 0, at most 0.1
  // (E-OPT-001). Below MethodInfo::smallest_tolerance (1e-15 for taylor) the run ends at its start
  // with Status::tolerance_below_rounding. Default: the model's Tolerance, else 1e-9.
  std::optional<double> tolerance = {};
  // Order p of the method, one of MethodInfo::orders (E-OPT-001): 2 to 100 for auto, taylor and
  // array. The error of steps of length h is of order h^p. For dd-ida and bdf this is the highest
  // order used. Default: for auto, taylor and array chosen from the tolerance and the operations
  // that an order costs; for dd-erk 8 with tolerances below 1e-5, else 5; for dd-ida and bdf 5,
  // with fixed_step 3; completion has one order.
  std::optional<int> order = {};
  MethodChoice method = Method::automatic;
  BdfOptions bdf = {};
  Choice<StartWeighting> start_weighting = StartWeighting::choosable;
  Choice<Kernel> kernel = Kernel::automatic;
  // Keep machine code on disk for later runs, and use what is there: in $XDG_CACHE_HOME/daedal,
  // else in ~/.cache/daedal.
  bool use_cache = true;
  // No step is longer than this, in the unit of t; above 0.
  double max_step = std::numeric_limits<double>::infinity();
  // A run that reaches max_steps, max_seconds or max_memory ends there, with a status of its own:
  // too_many_steps, out_of_time, out_of_memory. What was computed until then is kept.
  //
  // Accepted steps, 0 or more.
  long max_steps = std::numeric_limits<long>::max();
  // Wall-clock seconds of the whole call, above 0, in an ensemble of all members together; compared
  // before every step.
  double max_seconds = std::numeric_limits<double>::infinity();
  // MB (10^6 bytes) that the process may hold, above 0; compared between steps. Default: 80 % of
  // the machine's memory.
  std::optional<double> max_memory = {};
  // Times at which the values are wanted, in any order, inside the run.
  std::vector<double> at = {};
  // Keep the polynomials of every step, for Solution::operator(). They need memory for
  // variables * order numbers a step.
  bool keep_steps = true;

  // An anchor is a point from which a run can be continued: after so many accepted steps, above 0,
  // the run forgets all but its state, whether checkpoints are written or not. Default:
  // MethodInfo::steps_between_anchors. Another value gives other results, within the tolerance.
  std::optional<long> anchor_every = {};
  CheckpointOptions checkpoint = {};
  // A checkpoint file that the run is continued from; empty: the run begins at its start. Options
  // with OptionInfo::is_kept that are not given are taken from the file, others must agree with it.
  // Callbacks report only what comes after the checkpoint. solve() throws what read_checkpoint()
  // throws, and E-CHK-004 if the file belongs to another model or other options.
  std::string resume = {};

  // Solve once more with a tenth of the tolerance (of fixed_step: with steps of half the length),
  // to see how far from the solution the result is: Solution::verification(). Callbacks report the
  // first run only, but on_step can stop both runs.
  bool verify = false;

  // Called at the start, at every step end and again after an event that entered a mode or set
  // values (the same t, the values after it); or, if `at` is not empty, once at every time of `at`.
  // The span has the values of the variables, then those in the order of Solution::outputs()
  // (discrete variables, outputs), and is valid during the call only.
  std::function<void(double t, std::span<const double> values)> on_sample = {};
  // Called after every accepted step; return false to stop there (Status::interrupted). The thread
  // that called solve() calls both on_sample and on_step, and what they throw comes out of solve().
  std::function<bool(const Progress&)> on_step = {};
};

// Throws Error for wrong input: options out of range (all of them named at once), a model that
// makes no sense or is structurally singular. Numerical trouble is a status of the solution.
Solution solve(const Model& model, const SolveOptions& options = {});

}  // namespace daedal

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

struct Progress {
  double from = 0.0;
  double to = 0.0;
  double t = 0.0;  // reached
  long steps = 0;
  long rejected = 0;
};

// Who computes the series. The results are the same, bit by bit.
//
//   automatic    machine code as soon as it is ready, made beside the run if that is long enough
//                ("auto")
//   interpreter  no machine code
//   compiled     machine code from the first step on
enum class Kernel { automatic, interpreter, compiled };

// Where the values before the start come from, of steps of one length.
//
//   series  of the solution
//   orders  none are there: the first steps are of order 1, 2, ...
enum class StartUp { series, orders };

template <>
const std::vector<std::string>& names_of<Kernel>();
template <>
const std::vector<std::string>& names_of<StartUp>();

// Of the method bdf alone.
struct BdfOptions {
  // Which form is integrated. Every equation is replaced by that derivative of it that makes a
  // system of this index, 0 to 3; what is differentiated is no longer enforced, and drifts.
  // Default: the equations as written, but index 3 at most.
  std::optional<int> index = {};
  // Steps of this length, of one order, without error control.
  std::optional<double> fixed_step = {};
  Choice<StartUp> start_up = StartUp::series;
};

// daedal/option.hpp has the same options as a table.
struct SolveOptions {
  // Default: the model's StartTime, StopTime and Tolerance; else 0, 1 and 1e-9. `to` may be less
  // than `from`.
  std::optional<double> from = {};
  std::optional<double> to = {};
  // The error of a step in x_j is kept below tolerance (nominal_j + |x_j|). Range 1e-15 to 1e-1.
  std::optional<double> tolerance = {};
  // Order p of the method, 2 to 100; the error of steps of length h is of order h^p. Default:
  // chosen from the tolerance and the operations that an order costs.
  std::optional<int> order = {};
  MethodChoice method = Method::automatic;
  BdfOptions bdf = {};
  Choice<Kernel> kernel = Kernel::automatic;
  // Keep machine code on disk for later runs, and use what is there: $XDG_CACHE_HOME/daedal.
  bool use_cache = true;
  double max_step = std::numeric_limits<double>::infinity();  // > 0
  // A run that reaches one of these ends there, with a status of its own: too_many_steps,
  // out_of_time, out_of_memory. What was computed until then is kept.
  long max_steps = std::numeric_limits<long>::max();
  // Wall-clock seconds of the whole call, above 0; looked at before every step. Of an ensemble, of
  // all members together.
  double max_seconds = std::numeric_limits<double>::infinity();
  // MB (10^6 bytes) that the process may hold, above 0; looked at between steps. Default: 80 % of
  // the machine's memory.
  std::optional<double> max_memory = {};
  // Times at which the values are wanted, in any order, inside the run.
  std::vector<double> at = {};
  // Keep the polynomial of every step, for Solution::operator(). Needs memory for
  // variables * order numbers a step.
  bool keep_steps = true;

  // After so many accepted steps a run forgets all but its state, so that it can be continued from
  // there. Default: by method, see docs/theory/checkpoints.md. Another value gives other results,
  // within the tolerance.
  std::optional<long> anchor_every = {};  // > 0
  CheckpointOptions checkpoint = {};
  // A file that the run is continued from; empty: from its start. Options that are not given are
  // taken from it, others must agree with it. Callbacks report what comes after it only. Throws
  // what read_checkpoint() throws, and E-CHK-004 if it belongs to another model or other options.
  std::string resume = {};

  // Solve once more with a tenth of the tolerance (of fixed steps: with half of them), to see how
  // far from the solution the result is: Solution::verification. Callbacks report the first run
  // only, but on_step can stop both.
  bool verify = false;

  // Called at the start and at every step end, or at every time of `at` if those are given, with
  // the values of the variables, then those of the outputs.
  std::function<void(double t, std::span<const double> values)> on_sample = {};
  // Called after every accepted step; return false to stop there (Status::interrupted).
  std::function<bool(const Progress&)> on_step = {};
};

// Throws Error for wrong input: options out of range (all of them named at once), a model that
// makes no sense or is structurally singular. Numerical trouble is a status of the solution.
Solution solve(const Model& model, const SolveOptions& options = {});

}  // namespace daedal

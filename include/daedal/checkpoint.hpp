// Runs that survive: what a run has computed goes to a file now and then, and a later run continues
// from there, with the same results, bit by bit (docs/theory/checkpoints.md).
//
//   daedal::solve(model, {.to = 1e6, .checkpoint = {.file = "long.checkpoint"}});
//   daedal::solve(model, {.checkpoint = {.file = "long.checkpoint"}, .resume = "long.checkpoint"});
#pragma once

#include <functional>
#include <map>
#include <string>

#include "daedal/model.hpp"
#include "daedal/option.hpp"

namespace daedal {

struct CheckpointOptions {
  // The file to write; empty: none is written. It is replaced as a whole: at every moment it holds
  // the old content or the new. solve() throws E-CHK-005 if it cannot be written, E-CHK-006 if it
  // holds an unfinished run that `resume` does not name, or no checkpoint. If a later write fails,
  // the run goes on and its solution has E-CHK-005 among its warnings. Ensembles, simulations and
  // bdf with fixed_step throw E-OPT-006.
  std::string file = {};
  // Seconds of wall-clock time between two writes, 0 or more; longer if writing takes more than a
  // tenth of it.
  double every = 5.0;
  // Called at every anchor (a point from which a run can be continued, see
  // SolveOptions::anchor_every). Returns bytes of the caller's own that belong to the results up to
  // this anchor, and are kept with them: Checkpoint::note.
  std::function<std::string()> note = {};
  // Called before the file is written. When it returns, whatever the caller's notes refer to (rows
  // of another file, say) must be stored for good.
  std::function<void()> before_write = {};
};

// What a checkpoint says of the run that wrote it.
struct Checkpoint {
  std::string model;            // the model's name
  std::string program_version;  // of the daedal that wrote the checkpoint
  double t = 0.0;               // time from which the run can be continued
  long steps = 0;               // accepted steps until that time
  bool is_finished = false;  // the run came to its end, or to a point beyond which there is no way
  bool keep_steps = false;   // whether the checkpoint holds the polynomials of the steps
  // The options on which the results depend, by name: those with OptionInfo::is_kept.
  std::map<std::string, OptionValue> options = {};
  ParameterValues parameters = {};  // parameters that were set to other values than the model's
  std::string note = {};            // what CheckpointOptions::note returned at time t
};

// Throws Error: E-CHK-001 the file cannot be read, E-CHK-002 it is no checkpoint or damaged,
// E-CHK-003 it was written by another version.
Checkpoint read_checkpoint(const std::string& file);

}  // namespace daedal

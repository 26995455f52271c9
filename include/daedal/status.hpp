// How a computation ended. Numerical trouble is a status with problems, never an exception: what
// was computed until then stays usable.
#pragma once

#include <string>

namespace daedal {

enum class Status {
  ok,
  interrupted,                // on_step returned false
  structural_analysis_fails,  // the system Jacobian is singular everywhere
  conflicting_conditions,     // fixed values and initial equations that cannot hold together
  no_consistent_point,        // the equations have no solution near the guesses, or none was found
  singular_point,             // the system Jacobian is singular here
  left_domain,                // a function was asked for a value outside its domain
  blow_up,                    // the solution grows without bound as t nears a finite time
  step_floor,                 // no step large enough to change t meets the tolerance
  tolerance_below_rounding,   // double precision cannot give what was asked for
  too_many_steps,             // SolveOptions::max_steps is reached
  out_of_time,                // SolveOptions::max_seconds is reached
  out_of_memory,              // SolveOptions::max_memory is reached
  no_mode,                    // after an event no mode was found that agrees with its own solution
  chattering,                 // modes change to and fro and t does not grow
  zeno,                       // events accumulate at a finite time, and no mode rests there
};

// "ok", "conflicting-conditions", ...: as in the JSON.
std::string to_string(Status status);

}  // namespace daedal

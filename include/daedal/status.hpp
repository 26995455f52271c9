// How a computation ended. Numerical trouble is a status with problems, never an exception: what
// was computed until then stays usable.
#pragma once

#include <string>

namespace daedal {

enum class Status {
  ok,
  interrupted,                // the caller asked to stop
  structural_analysis_fails,  // the system Jacobian is singular everywhere
  conflicting_conditions,     // fixed values and initial equations that cannot hold together
  no_consistent_point,        // the equations have no solution near the guesses, or none was found
  singular_point,             // the system Jacobian is singular here
  left_domain,                // a function was asked for a value outside its domain
  blow_up,                    // the solution grows without bound as t nears a finite time
  step_floor,                 // no step large enough to change t meets the tolerance
  tolerance_below_rounding,   // double precision cannot give what was asked for
  too_many_steps,
  out_of_time,    // max_seconds
  out_of_memory,  // max_memory
  no_mode,        // no mode agrees with its own solution after an event
  chattering,     // modes change to and fro without t getting on
  zeno,           // events accumulate at a finite time
};

// "ok", "conflicting-conditions", ...: as in the JSON.
std::string to_string(Status status);

}  // namespace daedal

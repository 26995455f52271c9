// The methods that a run may be made by, and what each of them accepts.
//
//   for (const daedal::MethodInfo& method : daedal::methods()) std::cout << method.name << '\n';
//
// The command line, its help, Python, the checks of options and the warnings of a run read this
// table, so that what it says is what happens: a combination that it excludes is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daedal {

struct MethodInfo {
  std::string name;     // of SolveOptions::method
  std::string summary;  // one line
  // That SolveOptions::order may ask for.
  std::vector<int> orders;
  std::string orders_text;  // "from 1 to 5"
  // Below this a tolerance asks for more than the method can give in double precision.
  double smallest_tolerance = 0.0;
  // Steps depend on those before them, and rounding errors of all of them add up.
  bool is_multistep = false;
  bool accepts_modes = true;      // models with if, when and the like
  bool accepts_ensembles = true;  // solve_ensemble
  bool has_lanes = false;         // members are solved side by side in the processor's vectors
  bool has_checkpoints = true;    // SolveOptions::checkpoint and resume
  // Between the ends of steps, values are those of polynomials of this degree; 0: as accurate as
  // the steps.
  int dense_degree = 0;
  // SolveOptions::anchor_every, if that is not given.
  long steps_between_anchors = 0;
};

// In the order in which they are listed; the first is the default.
const std::vector<MethodInfo>& methods();
// Null if there is none of this name.
const MethodInfo* find_method(std::string_view name);

}  // namespace daedal

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

#include "daedal/choice.hpp"

namespace daedal {

// What SolveOptions::method takes.
//
//   automatic   taylor, or array where structure misleads, whichever works first ("auto")
//   taylor      Taylor series on the equations as written, or on a converted model
//   array       Taylor series on the derivative array
//   completion  a Runge-Kutta method on x' = g(t, x) that the derivative array defines, which does
//               not restore constraints
//   dd_erk      dummy derivatives, x_S' = F(t, x_S) by an explicit Runge-Kutta method ("dd-erk")
//   dd_ida      the same in implicit form by IDA ("dd-ida")
//   bdf         backward differentiation formulas on f(t, x, x') = 0
enum class Method { automatic, taylor, array, completion, dd_erk, dd_ida, bdf };

struct MethodInfo {
  Method method = Method::automatic;
  std::string name;     // by which SolveOptions::method may be given
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
  // Which equations it works on: those that structural analysis gives, the derivative array, or the
  // latter where the former fails.
  bool uses_structure = true;
  bool uses_array = false;
  // A step is a Taylor series, known between its ends as well as there.
  bool has_series = true;
  // Between the ends of steps, values are those of polynomials of this degree; 0: as accurate as
  // the steps.
  int dense_degree = 0;
  // After which a run can be continued, if the options do not say.
  long steps_between_anchors = 0;
};

// In the order of the enumeration; the first is the default.
const std::vector<MethodInfo>& methods();
// Null if there is none of this name.
const MethodInfo* find_method(std::string_view name);
const MethodInfo& info_of(Method method);

template <>
const std::vector<std::string>& names_of<Method>();
using MethodChoice = Choice<Method>;

}  // namespace daedal

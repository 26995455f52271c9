// The methods that a run may be made by, and what each of them accepts.
//
//   for (const daedal::MethodInfo& method : daedal::methods()) std::cout << method.name << '\n';
//
// The command line, its help, Python, the checks of options and the warnings of a run read this
// table.
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
//   completion  a Runge-Kutta method on x' = g(t, x), the ODE that the derivative array defines;
//               constraints are not restored after steps
//   dd_erk      dummy derivatives: an explicit Runge-Kutta method on x_S' = F(t, x_S), where x_S is
//               the state vector in use ("dd-erk")
//   dd_ida      dummy derivatives: that ODE in implicit form, by SUNDIALS IDA ("dd-ida")
//   bdf         backward differentiation formulas on f(t, x, x') = 0
enum class Method { automatic, taylor, array, completion, dd_erk, dd_ida, bdf };

struct MethodInfo {
  Method method = Method::automatic;
  std::string name;         // what SolveOptions::method may be given as: "dd-erk"
  std::string summary;      // one line
  std::vector<int> orders;  // what SolveOptions::order may be
  std::string orders_text;  // these orders in words: "from 1 to 5"
  // With a tolerance below this one, which double precision cannot give, a run ends at its start
  // with Status::tolerance_below_rounding.
  double smallest_tolerance = 0.0;
  bool is_multistep = false;      // a step depends on those before it, and their rounding adds up
  bool accepts_modes = true;      // models with if, when and the like
  bool accepts_ensembles = true;  // solve_ensemble
  bool has_lanes = false;         // members are solved side by side in the processor's vectors
  bool has_checkpoints = true;    // SolveOptions::checkpoint and resume
  // The equations that the method works on: those that structural analysis gives (the first flag
  // alone), the derivative array (the second alone), or the array where structural analysis fails
  // (both).
  bool uses_structure = true;
  bool uses_array = false;
  bool has_series = true;  // a step is a Taylor series, known between its ends as well as there
  // The degree of the polynomials that give values between the ends of steps; 0: values between the
  // ends are as accurate as those at the ends.
  int dense_degree = 0;
  // The default of SolveOptions::anchor_every.
  long steps_between_anchors = 0;
};

// All methods in the order of the enumeration; the first is the default. The table is valid as long
// as the program runs.
const std::vector<MethodInfo>& methods();
// The method of this name; null if there is none.
const MethodInfo* find_method(std::string_view name);
const MethodInfo& info_of(Method method);

template <>
const std::vector<std::string>& names_of<Method>();
using MethodChoice = Choice<Method>;

}  // namespace daedal

// Consistent initialisation: the point nearest to the guesses at which every equation and every
// hidden constraint holds.
//
// This point minimises the sum of ((value - guess)/nominal)^2 over the guesses that weigh
// (StartWeighting), subject to the equations and those of their derivatives that constrain the
// start, to fixed values and to initial equations. A value without a guess weighs nothing
// (docs/theory/consistent-points.md).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "daedal/choice.hpp"
#include "daedal/error.hpp"
#include "daedal/model.hpp"
#include "daedal/status.hpp"

namespace daedal {

// How a consistent point is found.
//
//   automatic  as `structure`, and as `array` where structural analysis fails ("auto")
//   structure  in the stages that structural analysis gives; if it fails on the model as written,
//              on an equivalent model
//   array      on the derivative array, by minimising |P(x - guess)|, where P is that of
//              ArrayAnalysis
enum class StartMethod { automatic, structure, array };

template <>
const std::vector<std::string>& names_of<StartMethod>();

// Which guesses weigh in the distance that a start minimises.
//
//   choosable  guesses of values that a start may choose. All other values follow from these, and
//              the guesses of those others say only where the search begins.
//   all        in a model that is not quasilinear (Analysis::quasilinear), guesses of every
//              x_j^(m), m <= d_j, as in [Nedialkov2009, sec. 2.2]: those of accelerations, forces
//              and multipliers, too. In a model with modes a value without a guess weighs as well:
//              its guess is the value that it has in the first mode that is tried. A quasilinear
//              model starts as with choosable; the derivative array, which has a metric of its
//              own, ignores this option.
enum class StartWeighting { choosable, all };

template <>
const std::vector<std::string>& names_of<StartWeighting>();

struct InitializeOptions {
  std::optional<double> t = {};  // default: the model's StartTime, else 0
  Choice<StartWeighting> start_weighting = StartWeighting::choosable;
  // How the point is found. Models with if, when and the like ignore this: their starts are found
  // as by automatic.
  Choice<StartMethod> method = StartMethod::automatic;
};

// One value that the search could choose, or that was given.
struct StartValue {
  int variable = 0;  // index of the variable
  int order = 0;     // which derivative of it; 0: the variable itself
  double value = 0.0;
  double given = std::numeric_limits<double>::quiet_NaN();  // the guess or fixed value; NaN if none
  bool fixed = false;
  // Neither guesses, conditions nor equations determine the value: it is the one of least
  // magnitude.
  bool undetermined = false;
  // The equations determine the value from the others: its guess weighs nothing, and says only
  // where the search begins.
  bool follows = false;

  double moved() const { return value - given; }
};

// Conditions that cannot hold together; without any one of them the others can.
struct Conflict {
  std::vector<std::string> conditions;  // "x = 10 (fixed)", "initial equation 2", with places
  std::string free;                     // a sentence: which of the conditions to free, and why
};

struct ConsistentPoint {
  Status status = Status::ok;
  std::vector<Problem> problems;  // empty if ok
  double t = 0.0;
  std::vector<std::string> variables;
  std::vector<std::vector<double>> values;  // values[j]: x_j, x_j', ... up to the highest
                                            // derivative that the equations determine
  std::vector<std::string> outputs;         // names of discrete variables, then of outputs
  int num_discretes = 0;                    // how many of them are discrete variables
  std::vector<double> output_values;        // by output
  std::vector<StartValue> start;  // values searched for or given, and how far guesses moved
  // Largest |left - right| over the constraints of the start, hidden ones and initial equations
  // included; that of a constraint that was differentiated k times is divided by k!.
  double residual = 0.0;
  double distance = 0.0;                  // root of the sum of (moved/nominal)^2 over the guesses
  int index = 0;                          // of the kind that index_kind names
  std::string index_kind = "structural";  // or "numerical": found from the derivative array
  bool converted = false;  // structural analysis fails on the model: index and point are those of
                           // an equivalent one
  int dof = 0;
  double condition = 0.0;  // estimate for the worst block of the system Jacobian here
  std::vector<Conflict> conflicts;
  // In a model with modes, the conditions that hold just after t.
  std::vector<std::string> conditions;

  bool ok() const { return status == Status::ok; }
};

// Throws Error for wrong input, which includes a structurally singular model.
ConsistentPoint initialize(const Model& model, const InitializeOptions& options = {});

// As `daedal init` prints it.
std::string to_text(const ConsistentPoint& point);
std::string to_json(const ConsistentPoint& point);

}  // namespace daedal

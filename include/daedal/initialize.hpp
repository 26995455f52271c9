// Consistent initialisation: the point nearest to the guesses at which every equation and every
// hidden constraint holds.
//
// It minimises the sum of ((value - guess)/nominal)^2 over the guesses given, subject to the
// equations and those of their derivatives that constrain the start, to fixed values and to initial
// equations. What was not given weighs nothing (docs/theory/consistent-points.md).
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
//   automatic  by structure, and by the array where that fails ("auto")
//   structure  the stages of structural analysis, of a converted model if that fails
//   array      the derivative array, min |P(x - guess)|
enum class StartMethod { automatic, structure, array };

template <>
const std::vector<std::string>& names_of<StartMethod>();

// Which guesses weigh in the distance that a start minimises.
//
//   choosable  those of values that a start may choose. All others follow from these, and their
//              guesses say only where the search begins.
//   all        in a model that is not quasilinear those of every x_j^(m), m <= d_j, as in
//              [Nedialkov2009, sec. 2.2]: guesses of accelerations, forces and multipliers, too.
//              In a model with modes, values that are not given weigh as well, as the first mode
//              that was tried has them. A quasilinear model starts as with choosable, and the
//              derivative array has a metric of its own.
enum class StartWeighting { choosable, all };

template <>
const std::vector<std::string>& names_of<StartWeighting>();

struct InitializeOptions {
  std::optional<double> t = {};  // default: the model's StartTime, else 0
  Choice<StartWeighting> start_weighting = StartWeighting::choosable;
  // Has no effect on models with if, when and the like: their starts are found as by automatic.
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
  std::string free;                     // which of them to free, and why that one
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
  std::vector<StartValue> start;  // what was searched for or given, and how far guesses moved
  // Largest |left - right| over the constraints of the start, hidden ones and initial equations
  // included; of a constraint that was differentiated k times, divided by k!.
  double residual = 0.0;
  double distance = 0.0;                  // root of the sum of (moved/nominal)^2 over the guesses
  int index = 0;                          // of the kind that index_kind names
  std::string index_kind = "structural";  // or "numerical": that of the derivative array
  bool converted = false;  // structural analysis fails on the model: index and point are those of
                           // an equivalent one
  int dof = 0;
  double condition = 0.0;  // estimate for the worst block of the system Jacobian here
  std::vector<Conflict> conflicts;
  std::vector<std::string> conditions;  // that hold just after t, in a model with modes

  bool ok() const { return status == Status::ok; }
};

// Throws Error for wrong input, which includes a structurally singular model.
ConsistentPoint initialize(const Model& model, const InitializeOptions& options = {});

// As `daedal init` prints it.
std::string to_text(const ConsistentPoint& point);
std::string to_json(const ConsistentPoint& point);

}  // namespace daedal

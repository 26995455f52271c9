// A Lagrangian as the user wrote it, and its way into a model: what the C++ builder and the model
// language share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "mechanics/euler_lagrange.hpp"
#include "model/model_data.hpp"

namespace daedal::mechanics {

using model::ModelData;
using model::Place;

// An expression and where it was written.
struct Part {
  model::NodeId node;
  Place place;
};

struct ConstraintPart {
  std::string name;  // the user's, or ""
  model::NodeId left;
  model::NodeId right;
  Place place;
};

struct ForcePart {
  Part coordinate;
  model::NodeId force;
};

struct LagrangianParts {
  Part function;
  std::vector<Part> coordinates;
  std::vector<ConstraintPart> constraints;
  std::vector<ForcePart> forces;
  std::optional<Part> dissipation;
  bool allows_redundant = false;
};

// What a constraint's equation and multiplier are called: both like the constraint; or, for the
// k-th one without a name, constraint(k) and lambda[k].
struct ConstraintNames {
  std::string equation;
  std::string multiplier;
};
std::vector<ConstraintNames> names_of(const std::vector<ConstraintPart>& constraints);

// What is wrong, and where, so that the model language can show the line.
struct Finding {
  Problem problem;
  Place place;
};

// One new unknown for each constraint. Findings: E-LAG-006 a name is taken, E-LAG-007 a second
// Lagrangian.
std::vector<model::NodeId> add_multipliers(ModelData& model,
                                           const std::vector<ConstraintPart>& constraints,
                                           const Place& place, std::vector<Finding>& findings);

// The parts checked and prepared for differentiation. Findings: E-LAG-001 to E-LAG-005.
System system_of(expr::Graph& graph, const LagrangianParts& parts,
                 const std::vector<model::NodeId>& multipliers, std::vector<Finding>& findings);

// Adds the equations of motion and the constraints, for multipliers that the model has, unless
// there are findings: E-LAG-001 to E-LAG-005, E-LAG-008. `equations` are the others of the model,
// as far as they are known: they define what the parts contain beside coordinates.
void add_equations(ModelData& model, const LagrangianParts& parts,
                   const std::vector<model::NodeId>& multipliers,
                   const std::vector<model::Equation>& equations, std::vector<Finding>& findings);

// As an Error, if there are any.
void throw_if_any(const std::vector<Finding>& findings);

}  // namespace daedal::mechanics

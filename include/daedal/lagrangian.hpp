// Mechanics straight from the Lagrangian: the equations of motion of L = T - V, with constraints,
// forces and dissipation.
//
//   auto x = model.variable("x", {.start = {10, 0}}), y = model.variable("y", {.start = {0, 1}});
//   auto tension = add_lagrangian(model, {
//       .function = 0.5 * m * (sqr(der(x)) + sqr(der(y))) + m * g * y,
//       .coordinates = {x, y},
//       .constraints = {{"length", sqr(x) + sqr(y) == sqr(l)}}});
//
// adds, for every coordinate q,
//
//   motion(q):  d/dt dL/dq' - dL/dq + sum_j lambda_j dC_j/dq + dR/dq' = Q
//
// and every constraint C_j = left - right = 0 with its multiplier lambda_j. In a constraint on
// velocities, one in which the derivative of a coordinate occurs, dC_j/dq' stands in place of
// dC_j/dq. So -lambda_j dC_j/dq is the force by which constraint j acts along q
// (docs/theory/lagrangian.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daedal/expression.hpp"
#include "daedal/location.hpp"
#include "daedal/model.hpp"

namespace daedal {

// left = right, to hold throughout the motion. With a name, the multiplier and the equation are
// called that; without one, the multiplier of constraint j (from 1) is lambda[j].
struct Constraint {
  Constraint(const Equality& equality_,  // NOLINT(google-explicit-constructor): {x == 0} will do
             Location place_ = Location::current())
      : equality(equality_), place(place_) {}
  Constraint(std::string name_, const Equality& equality_, Location place_ = Location::current())
      : name(std::move(name_)), equality(equality_), place(place_) {}

  std::string name;
  Equality equality;
  Location place;
};

// A generalised force Q, which stands on the right side of the coordinate's equation of motion;
// those of one coordinate add up. It may be any expression, also an unknown that other equations of
// the model determine.
struct Force {
  Expression coordinate;
  Expression force;
};

struct Lagrangian {
  // L = T - V. It may contain coordinates, their der(), parameters and time; unknowns that
  // equations of the model, written before, define by coordinates (x == l*cos(q)); and other
  // unknowns that do not move when coordinates do.
  Expression function;
  std::vector<Expression> coordinates;  // unknowns of the model
  std::vector<Constraint> constraints = {};
  std::vector<Force> forces = {};
  Expression dissipation = 0.0;  // Rayleigh's function R
  // If true, constraints may depend on each other, like those of a table on four legs: of all
  // possible multipliers those with the smallest sum of squares are taken. If false, such
  // constraints are refused when a start is searched for (S-LAG-001).
  bool allow_redundant = false;
};

// Adds the equations to the model, coordinates first, and returns the multipliers, by constraint.
// A model takes one Lagrangian. Throws one Error with all problems found: E-LAG-001 a coordinate
// that is no unknown or given twice, E-LAG-002 no kinetic energy, E-LAG-003 a derivative of order 2
// or more, E-LAG-004 a constraint without coordinates, E-LAG-005 a force on what is no coordinate,
// E-LAG-006 a multiplier's name is taken, E-LAG-007 a second Lagrangian, E-LAG-008 an unknown that
// moves with the coordinates but has no definition (said by the first run of the model if its
// equation comes later); E-MOD-006 expressions of another model.
std::vector<Expression> add_lagrangian(Model& model, const Lagrangian& lagrangian,
                                       Location place = Location::current());

}  // namespace daedal

// From a point to one that satisfies the constraints, by Gauss-Newton steps that are shortest in a
// weighted norm, damped.
#pragma once

#include <vector>

#include "init/constraint_system.hpp"
#include "init/kkt_system.hpp"

namespace daedal::init {

// Which unknowns may move and which rows must hold.
struct Selection {
  std::vector<bool> is_frozen;  // by unknown
  std::vector<bool> is_active;  // by row
};

struct Restored {
  bool is_consistent = false;  // every row holds, to rounding or to what rounding lets Newton reach
  bool is_defined = true;      // false: the constraints are not defined where the search began
  bool is_degenerate = false;  // the steps shrank by a constant factor only: a multiple root
  Vector v;
  int num_steps = 0;
};

// `weight` > 0 by unknown: steps minimise sum weight_k step_k^2. `scale` as of value_scale().
Restored restore(ConstraintSystem& system, const Selection& selection, const Vector& start,
                 const Vector& weight, double scale);
Restored restore(ConstraintSystem& system, const Selection& selection, const Vector& start,
                 const Vector& weight);  // scale: value_scale(start)

// Are all active rows zero to rounding?
bool is_consistent(const ConstraintSystem::Linearisation& at, const Vector& v,
                   const Selection& selection);

// The Jacobian without frozen columns and inactive rows, each row divided by its Euclidean norm;
// `scale` gets the factors, 0 for inactive rows.
RowMatrix scaled_jacobian(const RowMatrix& jacobian, const Selection& selection, Vector& scale);

// Weight of a value without a guess, where those with one have 1: small enough to leave the second
// free to choose, large enough for the factorisation.
inline constexpr double weight_not_given = 1e-8;

// The size below which a value counts as small: the nominal value 1, or the largest value where the
// search begins if all are smaller.
double value_scale(const Vector& start);

// Largest component of a step in units of |v_k| + scale.
double relative_size(const Vector& step, const Vector& v, double scale);

}  // namespace daedal::init

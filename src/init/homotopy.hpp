// Consistent points that lie on the way from a point that is not consistent (rule C10): the path
//
//   g(v) = (1 - s) g(v_0)   from   (v_0, s = 0)   to   s = 1
//
// [AllgowerGeorg1990], followed in both directions by its arc length, so that it passes where the
// Jacobian of g is singular and Newton's method stops or jumps. In one dimension the first point on
// each side is the nearest one there.
#pragma once

#include <vector>

#include "init/nearest_point.hpp"

namespace daedal::init {

// Where the paths from `start` first come to s = 1: close to consistent points, not consistent
// themselves.
std::vector<Vector> ends_of_paths(ConstraintSystem& system, const Selection& selection,
                                  const Objective& objective, const Vector& start);
// Those that are nearer to the guesses than a consistent point that was found.
std::vector<Vector> nearer_ends_of_paths(ConstraintSystem& system, const Selection& selection,
                                         const Objective& objective, const Vector& start,
                                         const Vector& found);

}  // namespace daedal::init

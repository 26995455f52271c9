// The sign of one determinant, of a matrix that is looked at once. For many matrices of one pattern
// use SquareSolver, whose preparation pays only then.
#pragma once

#include <span>
#include <vector>

#include "base/linear_solver.hpp"

namespace daedal::base {

// +1, -1, or 0 if the matrix has no pivots. Values of places given repeatedly are added.
int determinant_sign(int size, const std::vector<Place>& places, std::span<const double> values);

}  // namespace daedal::base

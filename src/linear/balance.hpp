// Units in which no row and no column of a matrix is small or large, whatever units its rows and
// columns came in: verdicts on a rank must not depend on whether a length is in metres or in
// micrometres.
//
// Rows and columns are divided in turn by the roots of their largest entries, until all of these
// are near 1 [Ruiz2001].
#pragma once

#include <span>
#include <vector>

#include "linear/numerical_rank.hpp"

namespace daedal::linear {

// Entry (i, j) of the balanced matrix is rows[i] * entry * columns[j].
struct Balance {
  std::vector<double> rows, columns;
};
Balance balance(int num_rows, int num_columns, std::span<const Triplet> entries);

}  // namespace daedal::linear

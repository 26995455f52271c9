// An order of elimination from the pattern alone: few operations, short chains of them, and pivots
// that can be kept while the values change (docs/theory/linear-solves.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/linear_solver.hpp"

namespace daedal::linear {

struct EliminationOrder {
  std::vector<std::int32_t> row_of, column_of;  // of the k-th pivot
  bool is_steady = true;                        // every pivot is steady, or made of fill-in
};

// Least possible fill-in first [Markowitz1957], but as long as there are any among entries that are
// steady, or where nothing but fill-in is left of a row and a column. Of equals, what has to wait
// for the fewest pivots. Fewer pivots than `size` if the pattern is singular.
EliminationOrder find_elimination_order(int size, std::span<const Place> entries);

}  // namespace daedal::linear

// The system Jacobian at a point: is a block singular, and how near is the worst one to it?
#pragma once

#include <functional>
#include <span>

#include "expr/graph.hpp"
#include "init/search_input.hpp"

namespace daedal::init {

struct JacobianCondition {
  double worst = 1.0;       // largest condition number of a block, estimated in the 1-norm
  int singular_block = -1;  // of structure.fine_blocks; -1: none
};

// Unknowns in units of their nominal values, rows divided by their largest entry. `derivative` as
// in taylor::SeriesPoint.
JacobianCondition judge_jacobian(const SearchInput& input,
                                 const std::function<double(expr::UnknownId, int)>& derivative);

}  // namespace daedal::init

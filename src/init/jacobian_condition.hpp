// The system Jacobian at a point: is a block singular, and how near is the worst one to it?
#pragma once

#include <functional>
#include <vector>

#include "expr/graph.hpp"
#include "init/search_input.hpp"
#include "init/tangent_series.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::init {

struct JacobianCondition {
  double worst = 1.0;       // largest condition number of a block, estimated in the 1-norm
  int singular_block = -1;  // of structure.fine_blocks; -1: none
};

// Unknowns in units of their nominal values, rows divided by their largest entry.
class JacobianJudge {
 public:
  explicit JacobianJudge(const SearchInput& input);  // keeps a reference

  // At the input's time and parameters; `derivative` as in taylor::SeriesPoint.
  JacobianCondition judge(const std::function<double(expr::UnknownId, int)>& derivative);

 private:
  const SearchInput& input_;
  std::vector<taylor::JacobianEntry> entries_;
  SeriesOf series_;
};

}  // namespace daedal::init

// The system Jacobian at a point: is a block singular, and how near is the worst one to it?
#pragma once

#include <functional>
#include <vector>

#include "expr/graph.hpp"
#include "init/search_input.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/system_jacobian.hpp"
#include "taylor/tape.hpp"

namespace daedal::init {

struct JacobianCondition {
  double worst = 1.0;       // largest condition number of a block, estimated in the 1-norm
  int singular_block = -1;  // of structure.fine_blocks; -1: none
  bool is_defined = true;   // false: an entry is not finite, as that of sqrt(x) at x = 0
};

// Unknowns in units of their nominal values, rows divided by their largest entry. Entries that
// cancel to rounding are zeros: f = g + m(y) c, where c = 0 is another equation, has df/dy = m'(y)
// c, and to divide by what rounding leaves of c would make noise look regular.
class JacobianJudge {
 public:
  explicit JacobianJudge(const SearchInput& input);  // keeps a reference

  // At the input's time and parameters; `derivative` as in taylor::SeriesPoint.
  JacobianCondition judge(const std::function<double(expr::UnknownId, int)>& derivative);

 private:
  const SearchInput& input_;
  std::vector<taylor::JacobianEntry> entries_;
  taylor::Tape tape_;
  taylor::RoundedInterpreter values_;
};

}  // namespace daedal::init

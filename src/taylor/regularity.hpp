// Is the system Jacobian singular at a generic point, though not structurally?
//
// A generic point is random near the guesses and inside the domains of the functions met. A
// determinant that vanishes at several such points vanishes identically, up to a chance that
// rounding makes far more likely than luck. The verdict is per fine block: J is block triangular,
// so it is singular exactly if one of its diagonal blocks is.
#pragma once

#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "structure/structure.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::taylor {

struct SingularBlock {
  int block = 0;             // of structure.fine_blocks
  double pivot_ratio = 0.0;  // smallest over largest pivot; the largest seen over the points tried
  std::vector<int>
      equations;  // whose combination loses the highest derivatives; the whole block if it is large
  std::vector<double> weights;  // of that combination; empty if the block is large
  std::vector<int> unknowns;    // whose highest derivatives the block's equations do not separate
};

struct Regularity {
  bool was_evaluated = false;  // false: no point was found at which J is defined
  expr::NodeId undefined;      // then: an operation that was never defined
  std::vector<SingularBlock> singular;
};

// What is known of an unknown before any solution exists.
struct Guess {
  std::vector<double> derivatives;  // guesses of x, x', ...; NaN where none is given
  double nominal = 1.0;
};

struct GenericPointInput {
  double time = 0.0;
  double duration = 1.0;  // points are taken at random times from `time` on, up to this later
  std::span<const double> parameters;
  std::span<const Guess> guesses;  // by unknown
};

// The residuals are evaluated, too: a point at which an equation is not defined does not count.
Regularity judge_regularity(expr::Graph& graph, std::span<const expr::NodeId> residuals,
                            const std::vector<JacobianEntry>& jacobian,
                            const structure::Structure& structure, const GenericPointInput& input);

}  // namespace daedal::taylor

// Irreducible blocks of a square pattern with a perfect matching [DuffReid1978], [PothenFan1990]:
// the strongly connected components of the graph with an arc from equation i to the equation
// matched to j, for every place (i, j). Tarjan's search [Tarjan1972] completes a component after
// all those it needs, hence in solvable order.
#pragma once

#include <vector>

#include "structure/signature_matrix.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

// `unknown_of[i]` is the unknown matched to equation i. The blocks do not depend on which perfect
// matching it is.
std::vector<Block> irreducible_blocks(const Pattern& pattern, const std::vector<int>& unknown_of);

// The blocks of `pattern`, a subset of the one that `blocks` came from. Each lies inside one of
// `blocks`, and they are listed in the order of those.
std::vector<Block> refine_blocks(const std::vector<Block>& blocks, const Pattern& pattern,
                                 const std::vector<int>& unknown_of);

}  // namespace daedal::structure

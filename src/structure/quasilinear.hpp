// Is a block linear in its highest derivatives?
#pragma once

#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

// For each fine block: do the x_j^(d_j), j in the block, occur jointly linearly in the block's equations? An equation with
// c_i > 0 is differentiated, and a derivative is always linear in what it differentiates last; so only equations with
// c_i = 0 are looked at [Nedialkov2009, sec. 2.2]. Highest derivatives of earlier blocks are known by then and do not count.
std::vector<bool> linear_blocks(const expr::Graph& graph, std::span<const expr::NodeId> residuals,
                                const Structure& structure);

}  // namespace daedal::structure

// Is a block linear in its highest derivatives?
#pragma once

#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "structure/structure.hpp"

namespace daedal::structure {

// By how many derivatives the whole of each fine block runs ahead, because others need derivatives
// of its unknowns: the smallest c_i in the block. On an irreducible block the offsets of the block
// taken alone are c_i - lead and d_j - lead [PryceNedialkovTan2015].
std::vector<int> lead_times(const Structure& structure);

// For each fine block b: do the x_j^(d_j - level_b), j in the block, occur jointly linearly in the
// block's equations? An equation with c_i > level_b is differentiated by then, and a derivative is
// always linear in what it differentiates last; so only equations with c_i = level_b are looked at
// [Nedialkov2009, sec. 2.2]. Earlier blocks' unknowns are known by then and do not count. Levels of
// 0 ask whether the highest derivatives are found by a linear solve; levels equal to the lead times
// ask it of the block taken alone, where a nonlinear equation leaves a choice of branch at the
// start.
std::vector<bool> linear_blocks(const expr::Graph& graph, std::span<const expr::NodeId> residuals,
                                const Structure& structure, std::span<const int> levels);

}  // namespace daedal::structure

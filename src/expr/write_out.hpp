// Expressions that were computed, as a person would write them: derivatives carried out, products
// in one piece, like terms collected, and multiplied out where that is shorter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expr/graph.hpp"

namespace daedal::expr {

// The text of each root; as to_text, it ends with "..." after `limit` characters.
std::vector<std::string> write_out(const Graph& graph, std::span<const NodeId> roots,
                                   std::size_t limit = 400);

}  // namespace daedal::expr

// Graph nodes as the text that a person would write in a model.
#pragma once

#include <string>

#include "expr/graph.hpp"

namespace daedal::expr {

// "der(x, 2) + lambda*x". Shared nodes are written out wherever they occur, so the text can be much
// longer than the graph: after `limit` characters it ends with "...". Numbers keep the digits
// needed to read them back.
std::string to_text(const Graph& graph, NodeId node, std::size_t limit = 400);

}  // namespace daedal::expr

#include "expr/write_out.hpp"

#include "expr/collect_terms.hpp"
#include "expr/partial.hpp"
#include "expr/print.hpp"

namespace daedal::expr {

std::vector<std::string> write_out(const Graph& graph, std::span<const NodeId> roots,
                                   std::size_t limit) {
  Simplified copy = simplify(graph, roots);
  copy.roots = expand_derivatives(*copy.graph, copy.roots);
  const Simplified closed = collect_terms(*copy.graph, copy.roots, false);
  const Simplified open = collect_terms(*copy.graph, copy.roots, true);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const std::string text = to_text(*closed.graph, closed.roots[k], limit);
    const std::string flat = to_text(*open.graph, open.roots[k], limit);
    texts.push_back(flat.size() < text.size() ? flat : text);
  }
  return texts;
}

}  // namespace daedal::expr

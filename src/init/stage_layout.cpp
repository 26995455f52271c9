#include "init/stage_layout.hpp"

#include <algorithm>

namespace daedal::init {
namespace {

// Rule C2: an equation of block b included up to coefficient s_b + c_i contains coefficient
// s_b + c_i + sigma_ij of x_j, which stage s_b + c_i + sigma_ij - d_j of x_j's block determines.
// Blocks contain unknowns of their own and of earlier blocks only, so one pass from last to first
// does.
void raise_tops(const structure::Structure& s, const structure::SignatureMatrix& sigma,
                std::vector<int>& tops) {
  const std::vector<int> block_of = blocks_of_unknowns(s);
  for (std::size_t b = s.fine_blocks.size(); b-- > 0;) {
    for (const int i : s.fine_blocks[b].equations) {
      const int order = tops[b] + s.c[i];
      if (order < 0) continue;
      for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
        const int j = sigma.unknowns(i)[k];
        int& top = tops[block_of[j]];
        top = std::max(top, order + sigma.orders(i)[k] - s.d[j]);
      }
    }
  }
}

}  // namespace

std::vector<int> blocks_of_unknowns(const structure::Structure& structure) {
  std::vector<int> block_of(structure.d.size());
  for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b)
    for (const int j : structure.fine_blocks[b].unknowns) block_of[j] = static_cast<int>(b);
  return block_of;
}

StageLayout::StageLayout(const structure::Structure& structure,
                         const structure::SignatureMatrix& sigma, std::vector<int> tops)
    : tops_(std::move(tops)) {
  raise_tops(structure, sigma, tops_);
  std::vector<int> top_of_unknown(structure.d.size()), top_of_equation(structure.c.size());
  for (std::size_t b = 0; b < structure.fine_blocks.size(); ++b) {
    for (const int j : structure.fine_blocks[b].unknowns)
      top_of_unknown[j] = tops_[b] + structure.d[j];
    for (const int i : structure.fine_blocks[b].equations)
      top_of_equation[i] = tops_[b] + structure.c[i];
  }
  const int n = static_cast<int>(structure.d.size());
  for (int j = 0; j < n; ++j) {
    first_.push_back(static_cast<int>(unknowns_.size()));
    for (int m = 0; m <= top_of_unknown[j]; ++m) unknowns_.push_back({j, m});
  }
  first_.push_back(static_cast<int>(unknowns_.size()));
  for (int i = 0; i < n; ++i) {
    for (int m = 0; m <= top_of_equation[i]; ++m) rows_.push_back({i, m});
    highest_row_order_ = std::max(highest_row_order_, top_of_equation[i]);
  }
}

}  // namespace daedal::init

#include "init/stage_layout.hpp"

#include <algorithm>

namespace daedal::init {
namespace {

// Rule C2: an equation of block b included up to coefficient s_b + c_i contains coefficient
// s_b + c_i + sigma_ij of x_j, which stage s_b + c_i + sigma_ij - d_j of x_j's block determines.
// Where sigma_ij < d_j - c_i that block can be a later one, so raised blocks are looked at again.
// No top exceeds the largest one asked for, since c_i + sigma_ij <= d_j.
class TopRaiser {
 public:
  TopRaiser(const structure::Structure& s, const structure::SignatureMatrix& sigma,
            std::vector<int>& tops)
      : s_(s), sigma_(sigma), tops_(tops), block_of_(blocks_of_unknowns(s)) {}

  void run() {
    for (int b = 0; b < static_cast<int>(tops_.size()); ++b) open_.push_back(b);
    while (!open_.empty()) {
      const int b = open_.back();
      open_.pop_back();
      for (const int i : s_.fine_blocks[b].equations) include_unknowns(i, tops_[b] + s_.c[i]);
    }
  }

 private:
  // Those of equation i, differentiated up to `order` times.
  void include_unknowns(int i, int order) {
    if (order < 0) return;
    for (std::size_t k = 0; k < sigma_.unknowns(i).size(); ++k) {
      const int j = sigma_.unknowns(i)[k];
      raise(block_of_[j], order + sigma_.orders(i)[k] - s_.d[j]);
    }
  }

  void raise(int block, int top) {
    if (top <= tops_[block]) return;
    tops_[block] = top;
    open_.push_back(block);
  }

  const structure::Structure& s_;
  const structure::SignatureMatrix& sigma_;
  std::vector<int>& tops_;
  std::vector<int> block_of_;
  std::vector<int> open_;  // blocks whose equations are to be looked at
};

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
  TopRaiser(structure, sigma, tops_).run();
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

#include "structure/block_triangular.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/check.hpp"

namespace daedal::structure {

namespace {

// Tarjan's algorithm with its recursion kept in `path_`.
class BlockFinder {
 public:
  BlockFinder(const Pattern& pattern, const std::vector<int>& unknown_of);

  // Finds the blocks of this equation and of all that it needs, except those found before.
  void visit(int equation);
  std::vector<Block> take_blocks() { return std::move(blocks_); }

 private:
  // Numbers count visits from 1. An equation in a finished block has the largest number, so that it
  // lowers nobody's.
  static constexpr int not_visited = 0;
  static constexpr int finished = std::numeric_limits<int>::max();

  void enter(int equation);
  void leave(int equation);
  void close_block(int root);

  const Pattern& pattern_;
  const std::vector<int>& unknown_of_;
  std::vector<int> equation_of_;
  std::vector<int> number_;      // order of the first visit
  std::vector<int> lowest_;      // smallest number of an unfinished equation known to be reachable
  std::vector<int> next_place_;  // by equation: first place not yet followed
  std::vector<int> path_;        // equations being visited
  std::vector<int> open_;        // equations visited but not yet in a block
  std::vector<Block> blocks_;
  int num_visited_ = 0;
};

BlockFinder::BlockFinder(const Pattern& pattern, const std::vector<int>& unknown_of)
    : pattern_(pattern),
      unknown_of_(unknown_of),
      equation_of_(unknown_of.size(), -1),
      number_(unknown_of.size(), not_visited),
      lowest_(unknown_of.size(), finished),
      next_place_(unknown_of.size(), 0) {
  DAEDAL_CHECK(pattern.num_rows() == pattern.num_columns());
  DAEDAL_CHECK(pattern.num_rows() == static_cast<int>(unknown_of.size()));
  for (int i = 0; i < pattern.num_rows(); ++i) equation_of_[unknown_of[i]] = i;
}

void BlockFinder::visit(int equation) {
  if (number_[equation] != not_visited) return;
  enter(equation);
  while (!path_.empty()) {
    const int i = path_.back();
    const std::span<const int> row = pattern_.row(i);
    if (next_place_[i] == static_cast<int>(row.size())) {
      leave(i);
      continue;
    }
    const int needed = equation_of_[row[next_place_[i]++]];
    if (number_[needed] == not_visited) {
      enter(needed);
    } else {
      lowest_[i] = std::min(lowest_[i], number_[needed]);
    }
  }
}

void BlockFinder::enter(int equation) {
  number_[equation] = lowest_[equation] = ++num_visited_;
  path_.push_back(equation);
  open_.push_back(equation);
}

void BlockFinder::leave(int equation) {
  path_.pop_back();
  const bool is_root = lowest_[equation] == number_[equation];
  if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[equation]);
  if (is_root) close_block(equation);
}

void BlockFinder::close_block(int root) {
  Block block;
  const auto first = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
  block.equations.assign(first, open_.end());
  open_.erase(first, open_.end());
  for (const int i : block.equations) {
    number_[i] = finished;
    block.unknowns.push_back(unknown_of_[i]);
  }
  std::sort(block.equations.begin(), block.equations.end());
  std::sort(block.unknowns.begin(), block.unknowns.end());
  blocks_.push_back(std::move(block));
}

}  // namespace

std::vector<Block> irreducible_blocks(const Pattern& pattern, const std::vector<int>& unknown_of) {
  BlockFinder finder(pattern, unknown_of);
  for (int i = 0; i < pattern.num_rows(); ++i) finder.visit(i);
  return finder.take_blocks();
}

// A visit started in one of `blocks` finds only blocks inside it: what it needs elsewhere belongs
// to earlier ones, which are finished.
std::vector<Block> refine_blocks(const std::vector<Block>& blocks, const Pattern& pattern,
                                 const std::vector<int>& unknown_of) {
  BlockFinder finder(pattern, unknown_of);
  for (const Block& block : blocks) {
    for (const int i : block.equations) finder.visit(i);
  }
  return finder.take_blocks();
}

}  // namespace daedal::structure

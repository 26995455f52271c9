#include "structure/assignment.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/check.hpp"
#include "structure/matching.hpp"
#include "structure/min_heap.hpp"

namespace daedal::structure {

namespace {

constexpr int infinity = std::numeric_limits<int>::max();

// A diagonal block of Sigma, its equations and unknowns renumbered from 0.
struct BlockMatrix {
  Pattern pattern;
  std::vector<int> orders;  // by place

  int size() const { return pattern.num_rows(); }
};

// Solves one block after another in the same memory; arrays have the size of the block at hand.
class BlockAssignment {
 public:
  void solve(const BlockMatrix& block);

  int unknown_of(int equation) const { return matching_.unknown_of[equation]; }
  int p(int equation) const { return p_[equation]; }
  int q(int unknown) const { return q_[unknown]; }

 private:
  int slack(int equation, int place) const;
  void start_potentials();
  void match_tight_places();
  void shift_potentials();
  void measure_distances();
  int equation_distance(int equation) const;

  const BlockMatrix* block_ = nullptr;  // of the current call to solve()
  Matching matching_;                   // on tight places only
  std::vector<int> p_;
  std::vector<int> q_;
  Pattern tight_;
  MaximumMatcher matcher_;
  MinHeap heap_;
  std::vector<int> distance_;  // of each unknown from the nearest free equation
};

void BlockAssignment::solve(const BlockMatrix& block) {
  block_ = &block;
  matching_.reset(block.size(), block.size());
  start_potentials();
  match_tight_places();
  while (matching_.size < block.size()) {
    shift_potentials();
    match_tight_places();
  }
}

// r_ij = q_j - p_i - sigma_ij >= 0.
int BlockAssignment::slack(int equation, int place) const {
  return q_[block_->pattern.column(place)] - p_[equation] - block_->orders[place];
}

// Every unknown, then every equation, gets a tight place.
void BlockAssignment::start_potentials() {
  const Pattern& pattern = block_->pattern;
  q_.assign(block_->size(), 0);
  for (int place = 0; place < pattern.first_place(block_->size()); ++place) {
    int& q = q_[pattern.column(place)];
    q = std::max(q, block_->orders[place]);
  }
  p_.assign(block_->size(), 0);
  for (int i = 0; i < block_->size(); ++i) {
    int smallest = infinity;
    for (int place = pattern.first_place(i); place < pattern.first_place(i + 1); ++place) {
      smallest = std::min(smallest, slack(i, place));
    }
    p_[i] = smallest;
  }
}

void BlockAssignment::match_tight_places() {
  const Pattern& pattern = block_->pattern;
  tight_.reset(block_->size());
  for (int i = 0; i < block_->size(); ++i) {
    for (int place = pattern.first_place(i); place < pattern.first_place(i + 1); ++place) {
      if (slack(i, place) == 0) tight_.add(pattern.column(place));
    }
    tight_.end_row();
  }
  matcher_.grow(tight_, matching_);
}

// Subtracts distances: slacks stay non-negative and matched places tight, and the shortest paths to
// all free unknowns become tight.
void BlockAssignment::shift_potentials() {
  measure_distances();
  for (int i = 0; i < block_->size(); ++i) p_[i] -= equation_distance(i);
  for (int j = 0; j < block_->size(); ++j) q_[j] -= distance_[j];
}

// Dijkstra from all free equations at once, along alternating paths with the slacks as lengths. All
// unknowns are reached, because the block is irreducible.
void BlockAssignment::measure_distances() {
  const Pattern& pattern = block_->pattern;
  distance_.assign(block_->size(), infinity);
  for (int i = 0; i < block_->size(); ++i) {
    if (matching_.unknown_of[i] == unmatched) heap_.push(0, i);
  }
  while (!heap_.is_empty()) {
    const auto [distance, i] = heap_.pop();
    if (distance > equation_distance(i)) continue;  // outdated
    for (int place = pattern.first_place(i); place < pattern.first_place(i + 1); ++place) {
      const int j = pattern.column(place);
      const int length = distance + slack(i, place);
      if (length >= distance_[j]) continue;
      distance_[j] = length;
      if (matching_.equation_of[j] != unmatched) heap_.push(length, matching_.equation_of[j]);
    }
  }
  DAEDAL_CHECK(std::find(distance_.begin(), distance_.end(), infinity) == distance_.end());
}

// An equation is reached through the unknown matched to it; free ones are where the paths start.
int BlockAssignment::equation_distance(int equation) const {
  const int j = matching_.unknown_of[equation];
  return j == unmatched ? 0 : distance_[j];
}

// Where each unknown is: in which block, and at which position in it.
struct UnknownPositions {
  std::vector<int> block;
  std::vector<int> position;
};

UnknownPositions positions_of_unknowns(const std::vector<Block>& blocks, int num_unknowns) {
  UnknownPositions result{std::vector<int>(num_unknowns), std::vector<int>(num_unknowns)};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t k = 0; k < blocks[b].unknowns.size(); ++k) {
      result.block[blocks[b].unknowns[k]] = static_cast<int>(b);
      result.position[blocks[b].unknowns[k]] = static_cast<int>(k);
    }
  }
  return result;
}

void extract_block(const SignatureMatrix& sigma, const std::vector<int>& equations, int block,
                   const UnknownPositions& positions, BlockMatrix& result) {
  result.pattern.reset(static_cast<int>(equations.size()));
  result.orders.clear();
  for (const int i : equations) {
    const std::span<const int> unknowns = sigma.unknowns(i);
    const std::span<const int> orders = sigma.orders(i);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      if (positions.block[unknowns[k]] != block) continue;
      result.pattern.add(positions.position[unknowns[k]]);
      result.orders.push_back(orders[k]);
    }
    result.pattern.end_row();
  }
}

}  // namespace

Assignment highest_value_assignment(const SignatureMatrix& sigma,
                                    const std::vector<Block>& blocks) {
  const UnknownPositions positions = positions_of_unknowns(blocks, sigma.num_unknowns());
  Assignment result;
  result.unknown_of.resize(sigma.num_equations());
  result.p.resize(sigma.num_equations());
  result.q.resize(sigma.num_unknowns());
  BlockMatrix matrix;
  BlockAssignment assignment;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto& [equations, unknowns] = blocks[b];
    extract_block(sigma, equations, static_cast<int>(b), positions, matrix);
    assignment.solve(matrix);
    for (int k = 0; k < matrix.size(); ++k) {
      result.unknown_of[equations[k]] = unknowns[assignment.unknown_of(k)];
      result.p[equations[k]] = assignment.p(k);
      result.q[unknowns[k]] = assignment.q(k);
    }
  }
  return result;
}

}  // namespace daedal::structure

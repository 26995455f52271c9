#include "structure/offsets.hpp"

#include <span>
#include <utility>

#include "structure/min_heap.hpp"

namespace daedal::structure {

namespace {

std::vector<int> blocks_of_equations(const std::vector<Block>& blocks, int num_equations) {
  std::vector<int> result(num_equations);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const int i : blocks[b].equations) result[i] = static_cast<int>(b);
  }
  return result;
}

// The longest paths of rule S1, found as shortest ones: z_i = p_i - c_i, with slacks as lengths.
class LongestPaths {
 public:
  LongestPaths(const SignatureMatrix& sigma, const std::vector<Block>& blocks,
               const Assignment& assignment);

  // Dijkstra over the equations of a block. On entry their c are lower bounds, left by the later
  // blocks; on return they are final and have raised the lower bounds in earlier blocks.
  void settle(const Block& block);
  Offsets take_offsets();

 private:
  int z(int equation) const { return assignment_.p[equation] - c_[equation]; }
  void raise_needed_equations(int equation);

  const SignatureMatrix& sigma_;
  const Assignment& assignment_;
  std::vector<int> block_of_;           // by equation
  std::vector<int> equation_of_;        // T^-1
  std::vector<int> transversal_order_;  // sigma_iT(i), by equation
  std::vector<int> c_;
  MinHeap heap_;
};

LongestPaths::LongestPaths(const SignatureMatrix& sigma, const std::vector<Block>& blocks,
                           const Assignment& assignment)
    : sigma_(sigma),
      assignment_(assignment),
      block_of_(blocks_of_equations(blocks, sigma.num_equations())),
      equation_of_(sigma.num_unknowns()),
      transversal_order_(sigma.num_equations()),
      c_(sigma.num_equations(), 0) {
  for (int i = 0; i < sigma.num_equations(); ++i) {
    const int j = assignment.unknown_of[i];
    equation_of_[j] = i;
    transversal_order_[i] = assignment.q[j] - assignment.p[i];
  }
}

void LongestPaths::settle(const Block& block) {
  for (const int i : block.equations) heap_.push(z(i), i);
  while (!heap_.is_empty()) {
    const auto [key, i] = heap_.pop();
    if (key > z(i)) continue;  // outdated
    raise_needed_equations(i);
  }
}

// Rule S1 for the entries of one row.
void LongestPaths::raise_needed_equations(int equation) {
  const std::span<const int> unknowns = sigma_.unknowns(equation);
  const std::span<const int> orders = sigma_.orders(equation);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const int needed = equation_of_[unknowns[k]];
    const int smallest_c = c_[equation] + orders[k] - transversal_order_[needed];
    if (smallest_c <= c_[needed]) continue;
    c_[needed] = smallest_c;
    if (block_of_[needed] == block_of_[equation]) heap_.push(z(needed), needed);
  }
}

Offsets LongestPaths::take_offsets() {
  Offsets offsets;
  offsets.d.resize(sigma_.num_unknowns());
  for (int i = 0; i < sigma_.num_equations(); ++i) {
    offsets.d[assignment_.unknown_of[i]] = c_[i] + transversal_order_[i];
  }
  offsets.c = std::move(c_);
  return offsets;
}

}  // namespace

Offsets canonical_offsets(const SignatureMatrix& sigma, const std::vector<Block>& blocks,
                          const Assignment& assignment) {
  LongestPaths paths(sigma, blocks, assignment);
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) paths.settle(*block);
  return paths.take_offsets();
}

}  // namespace daedal::structure

// What must hold for every Structure, checked directly from the definitions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "structure/structure.hpp"

namespace daedal::structure {

inline void expect_transversal(const SignatureMatrix& sigma, const std::vector<int>& transversal) {
  ASSERT_EQ(static_cast<int>(transversal.size()), sigma.num_equations());
  std::vector<bool> is_taken(sigma.num_unknowns(), false);
  for (int i = 0; i < sigma.num_equations(); ++i) {
    ASSERT_TRUE(sigma.order(i, transversal[i]).has_value()) << "equation " << i;
    ASSERT_FALSE(is_taken[transversal[i]]) << "unknown " << transversal[i];
    is_taken[transversal[i]] = true;
  }
}

// d_j - c_i >= sigma_ij, equality on the transversal, c >= 0.
inline void expect_valid_offsets(const SignatureMatrix& sigma, const Structure& structure) {
  for (int i = 0; i < sigma.num_equations(); ++i) {
    ASSERT_GE(structure.c[i], 0) << "equation " << i;
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      const int j = sigma.unknowns(i)[k];
      const int difference = structure.d[j] - structure.c[i];
      ASSERT_GE(difference, sigma.orders(i)[k]) << "place " << i << ", " << j;
      if (structure.transversal[i] == j) {
        ASSERT_EQ(difference, sigma.orders(i)[k]);
      }
    }
  }
}

// c_i = 0, or some entry (k, T(i)) of another equation is tight: one condition that the smallest
// offsets satisfy everywhere. Together with validity it is not sufficient (tight cycles), but it is
// cheap enough for large matrices.
inline void expect_no_offset_without_reason(const SignatureMatrix& sigma,
                                            const Structure& structure) {
  std::vector<int> num_tight(sigma.num_unknowns(), 0);
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      const int j = sigma.unknowns(i)[k];
      num_tight[j] += structure.d[j] - structure.c[i] == sigma.orders(i)[k] ? 1 : 0;
    }
  }
  for (int i = 0; i < sigma.num_equations(); ++i) {
    if (structure.c[i] == 0) continue;
    ASSERT_GE(num_tight[structure.transversal[i]], 2) << "equation " << i;
  }
}

// The number of the block that each equation or unknown is in; every one must be in exactly one.
inline std::vector<int> block_numbers(const std::vector<Block>& blocks,
                                      std::vector<int> Block::*members, int count) {
  std::vector<int> numbers(count, -1);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const int member : blocks[b].*members) {
      EXPECT_EQ(numbers[member], -1) << member << " is in two blocks";
      numbers[member] = static_cast<int>(b);
    }
    EXPECT_TRUE(std::is_sorted((blocks[b].*members).begin(), (blocks[b].*members).end()));
  }
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), -1), 0);
  return numbers;
}

// Square blocks; a block's equations contain, among the places kept, unknowns of this and earlier
// blocks only.
template <typename Keep>
void expect_block_triangular(const SignatureMatrix& sigma, const std::vector<Block>& blocks,
                             Keep keep) {
  for (const Block& block : blocks) ASSERT_EQ(block.equations.size(), block.unknowns.size());
  const auto row_block = block_numbers(blocks, &Block::equations, sigma.num_equations());
  const auto column_block = block_numbers(blocks, &Block::unknowns, sigma.num_unknowns());
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      const int j = sigma.unknowns(i)[k];
      if (!keep(i, j, sigma.orders(i)[k])) continue;
      ASSERT_LE(column_block[j], row_block[i]) << "place " << i << ", " << j;
    }
  }
}

// Every block of `fine` lies in one of `coarse`, in the same order.
inline void expect_refinement(const std::vector<Block>& coarse, const std::vector<Block>& fine,
                              int n) {
  const auto row_block = block_numbers(coarse, &Block::equations, n);
  const auto column_block = block_numbers(coarse, &Block::unknowns, n);
  int current = 0;
  for (const Block& block : fine) {
    const int number = row_block[block.equations.front()];
    ASSERT_GE(number, current);
    current = number;
    for (const int i : block.equations) ASSERT_EQ(row_block[i], number);
    for (const int j : block.unknowns) ASSERT_EQ(column_block[j], number);
  }
}

inline void expect_consistent(const SignatureMatrix& sigma, const Structure& structure) {
  ASSERT_NO_FATAL_FAILURE(expect_transversal(sigma, structure.transversal));
  ASSERT_NO_FATAL_FAILURE(expect_valid_offsets(sigma, structure));
  ASSERT_NO_FATAL_FAILURE(expect_no_offset_without_reason(sigma, structure));
  ASSERT_NO_FATAL_FAILURE(
      expect_block_triangular(sigma, structure.coarse_blocks, [](int, int, int) { return true; }));
  ASSERT_NO_FATAL_FAILURE(expect_block_triangular(
      sigma, structure.fine_blocks,
      [&](int i, int j, int order) { return structure.d[j] - structure.c[i] == order; }));
  ASSERT_NO_FATAL_FAILURE(
      expect_refinement(structure.coarse_blocks, structure.fine_blocks, sigma.num_equations()));
}

}  // namespace daedal::structure

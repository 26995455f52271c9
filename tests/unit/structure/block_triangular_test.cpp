#include "structure/block_triangular.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"
#include "structure/matching.hpp"
#include "unit/structure/signature_examples.hpp"
#include "unit/structure/structure_checks.hpp"

namespace daedal::structure {
namespace {

using ::testing::ElementsAre;

std::vector<Block> blocks_of(const SignatureMatrix& sigma) {
  const Pattern pattern = pattern_of(sigma);
  return irreducible_blocks(pattern, maximum_matching(pattern).unknown_of);
}

TEST(BlockTriangular, a_chain_is_solved_from_its_known_end) {
  const std::vector<Block> blocks = blocks_of(square_matrix_of(linear_chain(3)));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].equations, ElementsAre(2));
  EXPECT_THAT(blocks[1].equations, ElementsAre(1));
  EXPECT_THAT(blocks[2].equations, ElementsAre(0));
}

TEST(BlockTriangular, coupled_pendula_are_solved_one_after_the_other) {
  const std::vector<Block> blocks = blocks_of(coupled_pendula(3));
  ASSERT_EQ(blocks.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_THAT(blocks[k].equations, ElementsAre(3 * k, 3 * k + 1, 3 * k + 2));
    EXPECT_THAT(blocks[k].unknowns, ElementsAre(3 * k, 3 * k + 1, 3 * k + 2));
  }
}

// Which equation needs which, directly or through others, by Warshall's triple loop.
std::vector<std::vector<bool>> needs(const Pattern& pattern, const std::vector<int>& equation_of) {
  const int n = pattern.num_rows();
  std::vector<std::vector<bool>> result(n, std::vector<bool>(n, false));
  for (int i = 0; i < n; ++i) {
    result[i][i] = true;
    for (const int j : pattern.row(i)) result[i][equation_of[j]] = true;
  }
  for (int via = 0; via < n; ++via) {
    for (int from = 0; from < n; ++from) {
      for (int to = 0; to < n; ++to) {
        if (result[from][via] && result[via][to]) result[from][to] = true;
      }
    }
  }
  return result;
}

TEST(BlockTriangular, blocks_are_triangular_and_irreducible_on_random_patterns) {
  Random random(1972);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 1 + random.below(12);
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(2 * n)});
    const Pattern pattern = pattern_of(sigma);
    const Matching matching = maximum_matching(pattern);
    const std::vector<Block> blocks = irreducible_blocks(pattern, matching.unknown_of);
    expect_block_triangular(sigma, blocks, [](int, int, int) { return true; });
    const auto row_block = block_numbers(blocks, &Block::equations, n);
    const auto is_needed = needs(pattern, matching.equation_of);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) {
        EXPECT_EQ(row_block[i] == row_block[k], is_needed[i][k] && is_needed[k][i]);
      }
    }
  }
}

TEST(BlockTriangular, rejects_a_pattern_that_is_not_square) {
  EXPECT_THROW(irreducible_blocks(pattern_of(matrix_of({{{0, 0}}}, 2)), {0}), base::Bug);
}

}  // namespace
}  // namespace daedal::structure

#include "structure/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "structure/block_triangular.hpp"
#include "structure/matching.hpp"
#include "unit/structure/signature_examples.hpp"
#include "unit/structure/structure_checks.hpp"

namespace daedal::structure {
namespace {

std::vector<Block> coarse_blocks(const SignatureMatrix& sigma) {
  const Pattern pattern = pattern_of(sigma);
  return irreducible_blocks(pattern, maximum_matching(pattern).unknown_of);
}

Assignment best_assignment(const SignatureMatrix& sigma) {
  return highest_value_assignment(sigma, coarse_blocks(sigma));
}

int value(const SignatureMatrix& sigma, const std::vector<int>& transversal) {
  int sum = 0;
  for (int i = 0; i < sigma.num_equations(); ++i) sum += *sigma.order(i, transversal[i]);
  return sum;
}

int brute_force_value(const SignatureMatrix& sigma) {
  std::vector<int> candidate(sigma.num_equations());
  std::iota(candidate.begin(), candidate.end(), 0);
  int best = -1;
  do {
    int sum = 0;
    for (int i = 0; i < sigma.num_equations() && sum >= 0; ++i) {
      const auto order = sigma.order(i, candidate[i]);
      sum = order ? sum + *order : -1;
    }
    best = std::max(best, sum);
  } while (std::next_permutation(candidate.begin(), candidate.end()));
  return best;
}

TEST(Assignment, value_equals_brute_force_over_all_permutations_up_to_6_equations) {
  Random random(1987);
  for (int sample = 0; sample < 400; ++sample) {
    const int n = 1 + random.below(6);
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(5 * n), 4});
    const Assignment assignment = best_assignment(sigma);
    expect_transversal(sigma, assignment.unknown_of);
    EXPECT_EQ(value(sigma, assignment.unknown_of), brute_force_value(sigma));
  }
}

TEST(Assignment, potentials_prove_optimality_in_every_block) {
  Random random(1957);
  for (int sample = 0; sample < 100; ++sample) {
    const int n = 1 + random.below(60);
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(4 * n), 5});
    const std::vector<Block> blocks = coarse_blocks(sigma);
    const auto row_block = block_numbers(blocks, &Block::equations, n);
    const auto column_block = block_numbers(blocks, &Block::unknowns, n);
    const Assignment assignment = highest_value_assignment(sigma, blocks);
    for (int i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
        const int j = sigma.unknowns(i)[k];
        if (row_block[i] != column_block[j]) continue;
        const int slack = assignment.q[j] - assignment.p[i] - sigma.orders(i)[k];
        EXPECT_GE(slack, 0);
        if (assignment.unknown_of[i] == j) {
          EXPECT_EQ(slack, 0);
        }
      }
    }
  }
}

// Equation i has x_i with order 1 and x_{i+1} with order 2 (i even), 0 (i odd), 1 (last). All
// places but one are tight at the start; greedy takes x_i everywhere, value n. The only better
// transversal takes x_{i+1} everywhere, value n + 1.
TEST(Assignment, one_cycle_of_100000_equations_where_greedy_is_wrong_everywhere) {
  const int n = 100000;
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i) {
    const int order = i == n - 1 ? 1 : i % 2 == 0 ? 2 : 0;
    rows.push_back({{i, 1}, {(i + 1) % n, order}});
  }
  const SignatureMatrix sigma = square_matrix_of(rows);
  const std::vector<Block> blocks = coarse_blocks(sigma);
  ASSERT_EQ(blocks.size(), 1u);
  const Assignment assignment = highest_value_assignment(sigma, blocks);
  for (int i = 0; i < n; ++i) ASSERT_EQ(assignment.unknown_of[i], (i + 1) % n);
}

// The same with orders 0 in the first half and 2 in the second. Now the transversals have the
// values n and n - 1, and the search must go half the cycle through slacks of 1, in both
// directions, before it knows which is better.
TEST(Assignment, one_cycle_of_10000_equations_with_a_high_barrier_between_its_two_transversals) {
  const int n = 10000;
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i) {
    const int order = i == n - 1 ? 1 : i < n / 2 ? 0 : 2;
    rows.push_back({{i, 1}, {(i + 1) % n, order}});
  }
  const Assignment assignment = best_assignment(square_matrix_of(rows));
  for (int i = 0; i < n; ++i) ASSERT_EQ(assignment.unknown_of[i], i);
}

}  // namespace
}  // namespace daedal::structure

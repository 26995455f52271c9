// Models of 100000 equations, near linear in time; the shapes are those where a careless method
// turns quadratic.
#include <gtest/gtest.h>

#include "structure/structure.hpp"
#include "unit/structure/signature_examples.hpp"
#include "unit/structure/structure_checks.hpp"

namespace daedal::structure {
namespace {

constexpr int n = 100000;

SignatureMatrix shuffled(const SignatureMatrix& sigma, unsigned seed) {
  Random random(seed);
  const std::vector<int> new_equation = random.permutation(sigma.num_equations());
  const std::vector<int> new_unknown = random.permutation(sigma.num_unknowns());
  return permute(sigma, new_equation, new_unknown);
}

TEST(LargeStructure, chain_of_100000_has_index_100000_and_offsets_counting_up) {
  const SignatureMatrix chain = square_matrix_of(linear_chain(n));
  const Structure structure = analyze_structure(chain);
  expect_consistent(chain, structure);
  EXPECT_EQ(structure.index, n);
  EXPECT_EQ(structure.dof, 0);
  for (int i = 0; i < n; ++i) ASSERT_EQ(structure.c[i], i);
}

TEST(LargeStructure, shuffled_chain_of_100000_has_the_same_index) {
  const SignatureMatrix chain = shuffled(square_matrix_of(linear_chain(n)), 1);
  const Structure structure = analyze_structure(chain);
  expect_consistent(chain, structure);
  EXPECT_EQ(structure.index, n);
  EXPECT_EQ(structure.coarse_blocks.size(), static_cast<std::size_t>(n));
}

// m x_i'' = k (x_{i-1} - 2 x_i + x_{i+1}).
TEST(LargeStructure, mass_spring_chain_of_100000_is_one_coarse_block_and_100000_fine_ones) {
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i) {
    rows.push_back({{i, 2}});
    if (i > 0) rows.back().push_back({i - 1, 0});
    if (i + 1 < n) rows.back().push_back({i + 1, 0});
  }
  for (const SignatureMatrix& sigma :
       {square_matrix_of(rows), shuffled(square_matrix_of(rows), 2)}) {
    const Structure structure = analyze_structure(sigma);
    expect_consistent(sigma, structure);
    EXPECT_EQ(structure.index, 0);
    EXPECT_EQ(structure.dof, 2 * n);
    EXPECT_EQ(structure.coarse_blocks.size(), 1u);
    EXPECT_EQ(structure.fine_blocks.size(), static_cast<std::size_t>(n));
  }
}

TEST(LargeStructure, random_matrix_with_4_entries_per_row_is_consistent) {
  Random random(4);
  const SignatureMatrix sigma = random_regular_matrix(random, {n, n, 3 * n, 3});
  expect_consistent(sigma, analyze_structure(sigma));
}

// Two entries per row: almost all in a few cycles of about n equations, with two transversals each
// and paths between them as long as the cycle.
TEST(LargeStructure, union_of_two_random_permutations_is_consistent) {
  Random random(5);
  const std::vector<int> first = random.permutation(n);
  const std::vector<int> second = random.permutation(n);
  std::vector<Row> rows(n);
  for (int i = 0; i < n; ++i) {
    rows[i].push_back({first[i], random.below(4)});
    if (second[i] != first[i]) rows[i].push_back({second[i], random.below(4)});
  }
  const SignatureMatrix sigma = square_matrix_of(rows);
  expect_consistent(sigma, analyze_structure(sigma));
}

TEST(LargeStructure, coupled_pendula_of_99999_equations_have_index_66667) {
  const SignatureMatrix sigma = shuffled(coupled_pendula(n / 3), 3);
  const Structure structure = analyze_structure(sigma);
  expect_consistent(sigma, structure);
  EXPECT_EQ(structure.index, 2 * (n / 3) + 1);
}

TEST(LargeStructure, cycle_where_greedy_is_wrong_everywhere_has_offsets_0_and_1_in_turn) {
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i) {
    const int order = i == n - 1 ? 1 : i % 2 == 0 ? 2 : 0;
    rows.push_back({{i, 1}, {(i + 1) % n, order}});
  }
  const SignatureMatrix sigma = square_matrix_of(rows);
  const Structure structure = analyze_structure(sigma);
  expect_consistent(sigma, structure);
  for (int i = 0; i + 1 < n; ++i) ASSERT_EQ(structure.c[i], i % 2);
  EXPECT_EQ(structure.c[n - 1], 0);
  EXPECT_EQ(structure.dof, n + 1);
}

TEST(LargeStructure, chain_of_100000_without_its_known_end_is_one_under_determined_part) {
  std::vector<Row> rows = linear_chain(n);
  rows.pop_back();
  const Diagnosis diagnosis = diagnose(matrix_of(rows, n));
  EXPECT_EQ(diagnosis.structural_rank, n - 1);
  EXPECT_TRUE(diagnosis.over.empty());
  ASSERT_EQ(diagnosis.under.size(), 1u);
  EXPECT_EQ(diagnosis.under[0].unknowns.size(), static_cast<std::size_t>(n));
}

}  // namespace
}  // namespace daedal::structure

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/check.hpp"
#include "structure/structure.hpp"
#include "unit/structure/signature_examples.hpp"
#include "unit/structure/structure_checks.hpp"

namespace daedal::structure {
namespace {

using ::testing::ElementsAre;

int sum(const std::vector<int>& values) { return std::accumulate(values.begin(), values.end(), 0); }

// The smallest d for given c; valid offsets exist with this c if sum d - sum c is the value of the
// best transversal.
std::vector<int> smallest_d(const SignatureMatrix& sigma, const std::vector<int>& c) {
  std::vector<int> d(sigma.num_unknowns(), 0);
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      int& d_j = d[sigma.unknowns(i)[k]];
      d_j = std::max(d_j, c[i] + sigma.orders(i)[k]);
    }
  }
  return d;
}

bool next_vector(std::vector<int>& c, int largest) {
  for (int& digit : c) {
    if (++digit <= largest) return true;
    digit = 0;
  }
  return false;
}

TEST(Offsets, are_element_wise_smallest_among_all_valid_ones_up_to_5_equations) {
  Random random(2001);
  for (int sample = 0; sample < 150; ++sample) {
    const int n = 1 + random.below(5);
    const int largest = n == 5 ? 4 : 6;
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(3 * n), 3});
    const Structure structure = analyze_structure(sigma);
    expect_consistent(sigma, structure);
    std::vector<int> c(n, 0);
    do {
      const std::vector<int> d = smallest_d(sigma, c);
      if (sum(d) - sum(c) != structure.dof) continue;
      for (int i = 0; i < n; ++i) EXPECT_LE(structure.c[i], c[i]);
      for (int j = 0; j < n; ++j) EXPECT_LE(structure.d[j], d[j]);
    } while (next_vector(c, largest));
  }
}

// The textbook iteration [Pryce2001]: d_j = max_i(sigma_ij + c_i), c_i = d_T(i) - sigma_iT(i), from
// c = 0 on.
std::vector<int> fixed_point_c(const SignatureMatrix& sigma, const std::vector<int>& transversal) {
  std::vector<int> c(sigma.num_equations(), 0);
  for (std::vector<int> previous; previous != c;) {
    previous = c;
    const std::vector<int> d = smallest_d(sigma, c);
    for (int i = 0; i < sigma.num_equations(); ++i) {
      c[i] = d[transversal[i]] - *sigma.order(i, transversal[i]);
    }
  }
  return c;
}

TEST(Offsets, equal_the_fixed_point_of_the_textbook_iteration) {
  Random random(2008);
  for (int sample = 0; sample < 300; ++sample) {
    const int n = 1 + random.below(80);
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(3 * n), 4});
    const Structure structure = analyze_structure(sigma);
    expect_consistent(sigma, structure);
    EXPECT_EQ(structure.c, fixed_point_c(sigma, structure.transversal));
    EXPECT_EQ(structure.dof, sum(structure.d) - sum(structure.c));
  }
}

TEST(Offsets, move_with_the_equations_and_unknowns_when_these_are_reordered) {
  Random random(2018);
  for (int sample = 0; sample < 100; ++sample) {
    const int n = 1 + random.below(60);
    const SignatureMatrix sigma = random_regular_matrix(random, {n, n, random.below(3 * n), 3});
    const std::vector<int> new_equation = random.permutation(n);
    const std::vector<int> new_unknown = random.permutation(n);
    const Structure before = analyze_structure(sigma);
    const Structure after = analyze_structure(permute(sigma, new_equation, new_unknown));
    for (int i = 0; i < n; ++i) EXPECT_EQ(after.c[new_equation[i]], before.c[i]);
    for (int j = 0; j < n; ++j) EXPECT_EQ(after.d[new_unknown[j]], before.d[j]);
    EXPECT_EQ(after.index, before.index);
    EXPECT_EQ(after.dof, before.dof);
    EXPECT_EQ(after.coarse_blocks.size(), before.coarse_blocks.size());
    EXPECT_EQ(after.fine_blocks.size(), before.fine_blocks.size());
  }
}

TEST(Offsets, include_what_later_blocks_ask_of_a_block) {
  // x_1 = ..., x_2 = x_1''': by itself equation 0 has offset 0, but x_2 asks for three derivatives
  // of it.
  const Structure structure = analyze_structure(square_matrix_of({{{0, 0}}, {{0, 3}, {1, 0}}}));
  EXPECT_THAT(structure.c, ElementsAre(3, 0));
  EXPECT_THAT(structure.d, ElementsAre(3, 0));
}

TEST(AnalyzeStructure, of_no_equations_has_index_0_and_no_blocks) {
  const Structure structure = analyze_structure(SignatureMatrix(0, 0, {}));
  EXPECT_EQ(structure.index, 0);
  EXPECT_EQ(structure.dof, 0);
  EXPECT_TRUE(structure.coarse_blocks.empty());
  EXPECT_TRUE(structure.fine_blocks.empty());
}

TEST(AnalyzeStructure, gives_the_same_transversal_every_time) {
  Random random(6);
  const SignatureMatrix sigma = random_regular_matrix(random, {200, 200, 800, 2});
  EXPECT_EQ(analyze_structure(sigma).transversal, analyze_structure(sigma).transversal);
}

TEST(AnalyzeStructure, rejects_rectangular_singular_and_absurd_matrices) {
  EXPECT_THROW(analyze_structure(matrix_of({{{0, 0}}}, 2)), base::Bug);
  EXPECT_THROW(analyze_structure(square_matrix_of({{{0, 0}}, {{0, 0}}})), base::Bug);
  EXPECT_THROW(analyze_structure(square_matrix_of({{{0, 2000000000}}})), base::Bug);
}

}  // namespace
}  // namespace daedal::structure

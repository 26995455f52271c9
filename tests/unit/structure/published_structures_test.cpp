// Offsets, indices and degrees of freedom in print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "structure/structure.hpp"
#include "unit/structure/signature_examples.hpp"
#include "unit/structure/structure_checks.hpp"

namespace daedal::structure {
namespace {

using ::testing::ElementsAre;

Structure analyzed(const SignatureMatrix& sigma) {
  const Structure structure = analyze_structure(sigma);
  expect_consistent(sigma, structure);
  return structure;
}

TEST(Pryce2001, simple_pendulum_has_offsets_002_and_220_and_structural_index_3) {
  const Structure pendulum = analyzed(simple_pendulum());
  EXPECT_THAT(pendulum.c, ElementsAre(0, 0, 2));
  EXPECT_THAT(pendulum.d, ElementsAre(2, 2, 0));
  EXPECT_EQ(pendulum.index, 3);
  EXPECT_EQ(pendulum.dof, 2);
  EXPECT_EQ(pendulum.coarse_blocks.size(), 1u);
  EXPECT_EQ(pendulum.fine_blocks.size(), 1u);
}

TEST(Pryce2018, equation_2_needs_no_differentiation_and_has_one_degree_of_freedom) {
  const Structure dae = analyzed(square_matrix_of({{{0, 0}}, {{0, 0}, {1, 1}}}));
  EXPECT_THAT(dae.c, ElementsAre(0, 0));
  EXPECT_EQ(dae.index, 1);
  EXPECT_EQ(dae.dof, 1);
  EXPECT_EQ(dae.coarse_blocks.size(), 2u);  // x_1 is found independently of the ODE part
}

TEST(Pryce2018, equation_3_differentiates_its_first_equation_and_has_no_degrees_of_freedom) {
  const Structure dae = analyzed(square_matrix_of({{{1, 0}}, {{0, 0}, {1, 1}}}));
  EXPECT_THAT(dae.c, ElementsAre(1, 0));
  EXPECT_EQ(dae.index, 2);
  EXPECT_EQ(dae.dof, 0);
}

TEST(Pryce2018, equation_4_is_one_block_with_one_degree_of_freedom) {
  const Structure dae = analyzed(square_matrix_of({{{0, 0}, {1, 0}}, {{0, 0}, {1, 1}}}));
  EXPECT_THAT(dae.c, ElementsAre(0, 0));
  EXPECT_EQ(dae.index, 1);
  EXPECT_EQ(dae.dof, 1);
  EXPECT_EQ(dae.coarse_blocks.size(), 1u);  // x_1 needs the ODE part,
  EXPECT_EQ(dae.fine_blocks.size(), 2u);    // but not its highest derivative
}

// Unknowns x, y, lam, u.
TEST(Pryce2018, controlled_pendulum_has_offsets_0022_and_2200_and_no_degrees_of_freedom) {
  const Structure dae = analyzed(
      square_matrix_of({{{0, 2}, {2, 0}, {3, 0}}, {{1, 2}, {2, 0}}, {{0, 0}, {1, 0}}, {{0, 0}}}));
  EXPECT_THAT(dae.c, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(dae.d, ElementsAre(2, 2, 0, 0));
  EXPECT_THAT(dae.transversal, ElementsAre(3, 2, 1, 0));  // the only one
  EXPECT_EQ(dae.dof, 0);
}

TEST(CoupledPendula, two_have_offsets_224002) {
  const Structure dae = analyzed(coupled_pendula(2));
  EXPECT_THAT(dae.c, ElementsAre(2, 2, 4, 0, 0, 2));
  EXPECT_THAT(dae.d, ElementsAre(4, 4, 2, 2, 2, 0));
  EXPECT_EQ(dae.index, 5);
  EXPECT_EQ(dae.dof, 4);
}

TEST(CoupledPendula, have_structural_index_2P_plus_1) {
  for (const int num_pendula : {1, 2, 3, 4, 7, 23}) {
    EXPECT_EQ(analyzed(coupled_pendula(num_pendula)).index, 2 * num_pendula + 1);
  }
  EXPECT_EQ(analyzed(coupled_pendula(23)).index, 47);
}

TEST(LinearChain, of_3_has_index_3_and_of_6_has_index_6) {
  EXPECT_EQ(analyzed(square_matrix_of(linear_chain(3))).index, 3);
  EXPECT_EQ(analyzed(square_matrix_of(linear_chain(6))).index, 6);
}

// x_i' + x_{i+1} - x_{i+2} = ... for i = 1..4, x_5' + x_6 = ..., x_1 + ... + x_5 = ...: the true
// index is 4, but the structure shows 2, because J is singular for every value.
TEST(LinearCoupled, of_true_index_4_has_offsets_000001_and_111110) {
  const Structure dae = analyzed(square_matrix_of({{{0, 1}, {1, 0}, {2, 0}},
                                                   {{1, 1}, {2, 0}, {3, 0}},
                                                   {{2, 1}, {3, 0}, {4, 0}},
                                                   {{3, 1}, {4, 0}, {5, 0}},
                                                   {{4, 1}, {5, 0}},
                                                   {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}}));
  EXPECT_THAT(dae.c, ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_THAT(dae.d, ElementsAre(1, 1, 1, 1, 1, 0));
  EXPECT_EQ(dae.index, 2);
}

TEST(ExplicitOde, has_index_0_and_one_degree_of_freedom_per_unknown) {
  const Structure ode = analyzed(square_matrix_of({{{0, 1}, {1, 0}}, {{1, 1}, {0, 0}}}));
  EXPECT_EQ(ode.index, 0);
  EXPECT_EQ(ode.dof, 2);
  EXPECT_EQ(ode.coarse_blocks.size(), 1u);
  EXPECT_EQ(ode.fine_blocks.size(), 2u);
}

}  // namespace
}  // namespace daedal::structure

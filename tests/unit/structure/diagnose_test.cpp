#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "structure/matching.hpp"
#include "structure/structure.hpp"
#include "unit/structure/signature_examples.hpp"

namespace daedal::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Diagnose, pendulum_is_regular) {
  const Diagnosis diagnosis = diagnose(simple_pendulum());
  EXPECT_TRUE(diagnosis.is_regular());
  EXPECT_EQ(diagnosis.structural_rank, 3);
}

TEST(Diagnose, matrix_without_rows_and_columns_is_regular) {
  EXPECT_TRUE(diagnose(SignatureMatrix(0, 0, {})).is_regular());
}

TEST(Diagnose, pendulum_without_its_constraint_lacks_one_equation) {
  const Diagnosis diagnosis = diagnose(matrix_of({{{0, 2}, {2, 0}}, {{1, 2}, {2, 0}}}, 3));
  EXPECT_EQ(diagnosis.structural_rank, 2);
  EXPECT_THAT(diagnosis.over, IsEmpty());
  ASSERT_EQ(diagnosis.under.size(), 1u);
  EXPECT_THAT(diagnosis.under[0].equations, ElementsAre(0, 1));
  EXPECT_THAT(diagnosis.under[0].unknowns, ElementsAre(0, 1, 2));
}

TEST(Diagnose, pendulum_with_its_constraint_twice_has_one_equation_too_many) {
  const Diagnosis diagnosis = diagnose(
      matrix_of({{{0, 2}, {2, 0}}, {{1, 2}, {2, 0}}, {{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}}, 3));
  EXPECT_EQ(diagnosis.structural_rank, 3);
  EXPECT_THAT(diagnosis.under, IsEmpty());
  ASSERT_EQ(diagnosis.over.size(), 1u);
  EXPECT_THAT(diagnosis.over[0].equations, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(diagnosis.over[0].unknowns, ElementsAre(0, 1, 2));
}

// Equations 0 and 1 determine x_0 twice; x_1 and x_2 are left with equation 2.
TEST(Diagnose, two_equations_for_one_unknown_leave_another_unknown_without_equation) {
  const Diagnosis diagnosis =
      diagnose(square_matrix_of({{{0, 0}}, {{0, 1}}, {{0, 0}, {1, 0}, {2, 0}}}));
  EXPECT_EQ(diagnosis.structural_rank, 2);
  ASSERT_EQ(diagnosis.over.size(), 1u);
  EXPECT_THAT(diagnosis.over[0].equations, ElementsAre(0, 1));
  EXPECT_THAT(diagnosis.over[0].unknowns, ElementsAre(0));
  ASSERT_EQ(diagnosis.under.size(), 1u);
  EXPECT_THAT(diagnosis.under[0].equations, ElementsAre(2));
  EXPECT_THAT(diagnosis.under[0].unknowns, ElementsAre(1, 2));
}

TEST(Diagnose, empty_row_and_empty_column_are_parts_by_themselves) {
  const Diagnosis diagnosis =
      diagnose(matrix_of({{{0, 0}}, {}, {{2, 0}}}, 3));  // equation 1 is empty, unknown 1 unused
  EXPECT_EQ(diagnosis.structural_rank, 2);
  ASSERT_EQ(diagnosis.over.size(), 1u);
  EXPECT_THAT(diagnosis.over[0].equations, ElementsAre(1));
  EXPECT_THAT(diagnosis.over[0].unknowns, IsEmpty());
  ASSERT_EQ(diagnosis.under.size(), 1u);
  EXPECT_THAT(diagnosis.under[0].equations, IsEmpty());
  EXPECT_THAT(diagnosis.under[0].unknowns, ElementsAre(1));
}

// {0, 1} determine x_0 twice, {3, 4} determine x_2 twice; equation 2 is sound although it contains
// both.
TEST(Diagnose, two_unrelated_mistakes_give_two_over_determined_parts) {
  const Diagnosis diagnosis =
      diagnose(matrix_of({{{0, 0}}, {{0, 0}}, {{0, 0}, {1, 0}, {2, 0}}, {{2, 0}}, {{2, 0}}}, 3));
  ASSERT_EQ(diagnosis.over.size(), 2u);
  EXPECT_THAT(diagnosis.over[0].equations, ElementsAre(0, 1));
  EXPECT_THAT(diagnosis.over[0].unknowns, ElementsAre(0));
  EXPECT_THAT(diagnosis.over[1].equations, ElementsAre(3, 4));
  EXPECT_THAT(diagnosis.over[1].unknowns, ElementsAre(2));
  EXPECT_THAT(diagnosis.under, IsEmpty());
}

TEST(Diagnose, two_unrelated_mistakes_give_two_under_determined_parts) {
  const Diagnosis diagnosis =
      diagnose(matrix_of({{{0, 0}, {1, 0}, {2, 0}}, {{2, 0}}, {{2, 0}, {3, 0}, {4, 0}}}, 5));
  EXPECT_THAT(diagnosis.over, IsEmpty());
  ASSERT_EQ(diagnosis.under.size(), 2u);
  EXPECT_THAT(diagnosis.under[0].equations, ElementsAre(0));
  EXPECT_THAT(diagnosis.under[0].unknowns, ElementsAre(0, 1));
  EXPECT_THAT(diagnosis.under[1].equations, ElementsAre(2));
  EXPECT_THAT(diagnosis.under[1].unknowns, ElementsAre(3, 4));
}

TEST(Diagnose, equations_without_any_unknowns_are_one_part_each) {
  const Diagnosis diagnosis = diagnose(SignatureMatrix(2, 0, {}));
  EXPECT_EQ(diagnosis.over.size(), 2u);
  EXPECT_THAT(diagnosis.under, IsEmpty());
}

SignatureMatrix without_equation(const SignatureMatrix& sigma, int equation) {
  std::vector<SignatureEntry> entries;
  for (int i = 0; i < sigma.num_equations(); ++i) {
    if (i == equation) continue;
    for (const int j : sigma.unknowns(i)) entries.push_back({i, j, 0});
  }
  return {sigma.num_equations(), sigma.num_unknowns(), std::move(entries)};
}

SignatureMatrix without_unknown(const SignatureMatrix& sigma, int unknown) {
  std::vector<SignatureEntry> entries;
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (const int j : sigma.unknowns(i)) {
      if (j != unknown) entries.push_back({i, j, 0});
    }
  }
  return {sigma.num_equations(), sigma.num_unknowns(), std::move(entries)};
}

int rank(const SignatureMatrix& sigma) { return maximum_matching(pattern_of(sigma)).size; }

std::vector<int> joined(const std::vector<IllPosedPart>& parts,
                        std::vector<int> IllPosedPart::*members) {
  std::vector<int> all;
  for (const IllPosedPart& part : parts) {
    all.insert(all.end(), (part.*members).begin(), (part.*members).end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

// By definition: an equation is in the over-determined part if some maximum matching can do without
// it, that is, if removing it leaves the rank as it is.
TEST(Diagnose, parts_hold_exactly_what_some_maximum_matching_can_do_without_and_its_neighbours) {
  Random random(1958);
  for (int sample = 0; sample < 300; ++sample) {
    const int num_equations = 1 + random.below(8);
    const int num_unknowns = 1 + random.below(8);
    const SignatureMatrix sigma = random_matrix(
        random, {num_equations, num_unknowns, random.below(2 * (num_equations + num_unknowns))});
    const Diagnosis diagnosis = diagnose(sigma);
    std::vector<int> over_equations;
    for (int i = 0; i < num_equations; ++i) {
      if (rank(without_equation(sigma, i)) == diagnosis.structural_rank)
        over_equations.push_back(i);
    }
    std::vector<int> under_unknowns;
    for (int j = 0; j < num_unknowns; ++j) {
      if (rank(without_unknown(sigma, j)) == diagnosis.structural_rank) under_unknowns.push_back(j);
    }
    EXPECT_EQ(joined(diagnosis.over, &IllPosedPart::equations), over_equations);
    EXPECT_EQ(joined(diagnosis.under, &IllPosedPart::unknowns), under_unknowns);
  }
}

TEST(Diagnose, parts_share_nothing_and_account_for_every_missing_rank) {
  Random random(1990);
  for (int sample = 0; sample < 300; ++sample) {
    const int num_equations = 1 + random.below(12);
    const int num_unknowns = 1 + random.below(12);
    const SignatureMatrix sigma = random_matrix(
        random, {num_equations, num_unknowns, random.below(2 * (num_equations + num_unknowns))});
    const Diagnosis diagnosis = diagnose(sigma);
    int missing_unknowns = 0;
    for (const IllPosedPart& part : diagnosis.over) {
      EXPECT_GT(part.equations.size(), part.unknowns.size());
      missing_unknowns += static_cast<int>(part.equations.size() - part.unknowns.size());
    }
    int missing_equations = 0;
    for (const IllPosedPart& part : diagnosis.under) {
      EXPECT_LT(part.equations.size(), part.unknowns.size());
      missing_equations += static_cast<int>(part.unknowns.size() - part.equations.size());
    }
    EXPECT_EQ(missing_unknowns, num_equations - diagnosis.structural_rank);
    EXPECT_EQ(missing_equations, num_unknowns - diagnosis.structural_rank);
    for (const auto members : {&IllPosedPart::equations, &IllPosedPart::unknowns}) {
      for (const auto& parts : {diagnosis.over, diagnosis.under}) {
        const std::vector<int> all = joined(parts, members);
        EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
      }
    }
  }
}

}  // namespace
}  // namespace daedal::structure

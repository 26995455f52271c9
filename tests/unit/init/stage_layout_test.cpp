#include "init/stage_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedal::init {
namespace {

using testing::ElementsAre;

// x'' + lambda x, y'' + lambda y, x^2 + y^2.
structure::SignatureMatrix pendulum() {
  return {3, 3, {{0, 0, 2}, {0, 2, 0}, {1, 1, 2}, {1, 2, 0}, {2, 0, 0}, {2, 1, 0}}};
}

TEST(StageLayout, of_the_pendulum_below_stage_0_has_positions_velocities_and_two_constraints) {
  const auto sigma = pendulum();
  const StageLayout layout(structure::analyze_structure(sigma), sigma, {-1});
  EXPECT_EQ(layout.unknowns().size(), 4U);
  ASSERT_EQ(layout.rows().size(), 2U);
  EXPECT_EQ(layout.rows()[0].index, 2);
  EXPECT_EQ(layout.rows()[1].order, 1);
  EXPECT_EQ(layout.highest_row_order(), 1);
  EXPECT_EQ(layout.position(1, 1), 3);
  EXPECT_EQ(layout.position(0, 2), -1);
  EXPECT_EQ(layout.position(2, 0), -1);
}

TEST(StageLayout, raises_earlier_blocks_to_what_later_ones_contain) {
  // z = t; y = z'; x = y': offsets of z reach 2. Asking for stage 0 of x asks for y' and z''.
  const structure::SignatureMatrix sigma(3, 3,
                                         {{0, 0, 0}, {0, 1, 1}, {1, 1, 0}, {1, 2, 1}, {2, 2, 0}});
  const structure::Structure s = structure::analyze_structure(sigma);
  std::vector<int> tops(3, -10);
  tops.back() = 0;
  const StageLayout layout(s, sigma, tops);
  EXPECT_THAT(layout.tops(), ElementsAre(0, 0, 0));
  EXPECT_EQ(layout.position(2, 2) + 1, static_cast<int>(layout.unknowns().size()));
}

// Derivatives of order 1 of x0 and 0 of x3; 2 of x3 and 1 of x1; 1 of x2 and 4 of x1; 1 of x1 and 2
// of x0: places below d_j - c_i lie in later blocks.
TEST(StageLayout, raises_later_blocks_to_what_earlier_ones_contain) {
  const structure::SignatureMatrix sigma(
      4, 4,
      {{0, 0, 1}, {0, 3, 0}, {1, 1, 1}, {1, 3, 2}, {2, 1, 4}, {2, 2, 1}, {3, 0, 2}, {3, 1, 1}});
  const structure::Structure s = structure::analyze_structure(sigma);
  for (std::size_t asked = 0; asked < s.fine_blocks.size(); ++asked) {
    std::vector<int> tops(s.fine_blocks.size(), -10);
    tops[asked] = 0;
    const StageLayout layout(s, sigma, tops);
    for (const auto& [i, order] : layout.rows())
      for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k)
        EXPECT_GE(layout.position(sigma.unknowns(i)[k], order + sigma.orders(i)[k]), 0);
  }
}

}  // namespace
}  // namespace daedal::init

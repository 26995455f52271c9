#include "reduce/dummy/state_selection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "structure/signature_matrix.hpp"

namespace daedal::reduce {
namespace {

// x'' + x lambda, y'' + y lambda - g, x^2 + y^2 - 1 [Pryce2018, eq. (12)].
struct PendulumSelection {
  structure::Structure structure = structure::analyze_structure(structure::SignatureMatrix(
      3, 3, {{0, 0, 2}, {0, 2, 0}, {1, 1, 2}, {1, 2, 0}, {2, 0, 0}, {2, 1, 0}}));
  std::vector<JacobianPlace> places = {{0, 0}, {0, 2}, {1, 1}, {1, 2}, {2, 0}, {2, 1}};
  StateSelection selection{structure, places, {1, 1, 1}};

  static std::vector<double> jacobian(double x, double y) { return {1, x, 1, y, 2 * x, 2 * y}; }
};

TEST(StateSelection, of_the_pendulum_is_the_shorter_coordinate) {
  const PendulumSelection p;
  EXPECT_EQ(p.selection.by_pivoting(p.jacobian(0.6, 0.8)), (DeltaSpec{2, 0, 0}));
  EXPECT_EQ(p.selection.by_pivoting(p.jacobian(0.8, -0.6)), (DeltaSpec{0, 2, 0}));
}

// [Pryce2018, sec. 3.2]: (x, x') and (y, y') are the only convenient state vectors.
TEST(StateSelection, of_the_pendulum_has_two_values) {
  const PendulumSelection p;
  std::set<DeltaSpec> met;
  for (int k = 0; k < 100; ++k)
    met.insert(p.selection.by_pivoting(p.jacobian(std::cos(k), std::sin(k))));
  EXPECT_EQ(met, (std::set<DeltaSpec>{{0, 2, 0}, {2, 0, 0}}));
}

// G = 2y, N = 2x.
TEST(StateSelection, growth_is_how_much_solved_items_move) {
  const PendulumSelection p;
  EXPECT_DOUBLE_EQ(p.selection.growth(p.jacobian(0.8, 0.2), {2, 0, 0}), 4.0);
  EXPECT_DOUBLE_EQ(p.selection.growth(p.jacobian(0.8, 0.2), {0, 2, 0}), 0.25);
  EXPECT_TRUE(std::isinf(p.selection.growth(p.jacobian(1.0, 0.0), {2, 0, 0})));
}

TEST(StateSelection, growth_counts_in_units_of_nominal_values) {
  const PendulumSelection p;
  const StateSelection scaled(p.structure, p.places, {1000, 1, 1});
  EXPECT_DOUBLE_EQ(scaled.growth(p.jacobian(0.8, 0.2), {2, 0, 0}), 4000.0);
}

// [ScholzSteinbrecher2013]: delta_j = sigma_ij on the transversal.
TEST(StateSelection, by_transversal_needs_no_numbers) {
  const PendulumSelection p;
  const DeltaSpec delta = p.selection.by_transversal();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(delta[p.structure.transversal[i]],
              p.structure.d[p.structure.transversal[i]] - p.structure.c[i]);
  EXPECT_EQ(delta[0] + delta[1] + delta[2], p.structure.dof);
}

TEST(StateSelection, takes_the_transversal_where_it_is_good_and_pivots_elsewhere) {
  const PendulumSelection p;
  const DeltaSpec cheap = p.selection.by_transversal();
  const bool is_x = cheap[0] == 2;
  const auto good = p.jacobian(0.7, 0.7);
  const auto bad = is_x ? p.jacobian(1.0, 0.1) : p.jacobian(0.1, 1.0);
  EXPECT_EQ(p.selection.choose(good), cheap);
  EXPECT_NE(p.selection.choose(bad), cheap);
  EXPECT_LE(p.selection.growth(bad, p.selection.choose(bad)), 1.1);
}

// Two rods: x1, y1, x2, y2, lambda1, lambda2. Of the 6 pairs of columns that could be solved for,
// (x2, y2) never can: the first rod's constraint does not contain them.
TEST(StateSelection, of_the_double_pendulum_has_five_values) {
  const structure::Structure structure = structure::analyze_structure(structure::SignatureMatrix(
      6, 6, {{0, 0, 2}, {0, 2, 0}, {0, 4, 0}, {0, 5, 0}, {1, 1, 2}, {1, 3, 0}, {1, 4, 0},
             {1, 5, 0}, {2, 0, 0}, {2, 2, 2}, {2, 5, 0}, {3, 1, 0}, {3, 3, 2}, {3, 5, 0},
             {4, 0, 0}, {4, 1, 0}, {5, 0, 0}, {5, 1, 0}, {5, 2, 0}, {5, 3, 0}}));
  ASSERT_EQ(structure.c, (std::vector<int>{0, 0, 0, 0, 2, 2}));
  const std::vector<JacobianPlace> places = {{0, 0}, {0, 4}, {0, 5}, {1, 1}, {1, 4}, {1, 5},
                                             {2, 2}, {2, 5}, {3, 3}, {3, 5}, {4, 0}, {4, 1},
                                             {5, 0}, {5, 1}, {5, 2}, {5, 3}};
  const StateSelection selection(structure, places, std::vector<double>(6, 1.0));
  std::set<DeltaSpec> met;
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 40; ++k) {
      const double phi = 2 * std::numbers::pi * i / 40 + 0.01,
                   psi = 2 * std::numbers::pi * k / 40 + 0.02;
      const double x = std::cos(phi), y = std::sin(phi), u = std::cos(psi), v = std::sin(psi);
      const std::vector<double> jacobian = {1, x, -u,    1,     y,      -v,     1,     u,
                                            1, v, 2 * x, 2 * y, -2 * u, -2 * v, 2 * u, 2 * v};
      const DeltaSpec delta = selection.by_pivoting(jacobian);
      ASSERT_EQ(delta.size(), 6u);
      EXPECT_LE(selection.growth(jacobian, delta), 1.1 + 1e-12);
      met.insert(delta);
    }
  EXPECT_EQ(met.size(), 5u);
  EXPECT_FALSE(met.contains({2, 2, 0, 0, 0, 0}));  // x1, y1 would be state, x2, y2 solved for
}

// Rows that others need derivatives of: chain x1 = u, x2 = x1', ... has no state.
TEST(StateSelection, of_a_model_without_freedom_is_empty) {
  const structure::Structure structure = structure::analyze_structure(
      structure::SignatureMatrix(2, 2, {{0, 1, 0}, {1, 0, 0}, {1, 1, 1}}));
  const StateSelection selection(structure, std::vector<JacobianPlace>{{0, 1}, {1, 0}, {1, 1}},
                                 {1, 1});
  EXPECT_FALSE(selection.has_choice());
  EXPECT_EQ(selection.by_transversal(), (DeltaSpec{0, 0}));
  EXPECT_EQ(selection.by_pivoting(std::vector<double>{1, 1, 1}), (DeltaSpec{0, 0}));
}

}  // namespace
}  // namespace daedal::reduce

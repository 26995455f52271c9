#include "taylor/system_jacobian.hpp"

#include <gtest/gtest.h>

#include <map>

#include "structure/signature.hpp"
#include "structure/structure.hpp"
#include "taylor/interpreter.hpp"

namespace daedal::taylor {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

using Matrix = std::map<std::pair<int, int>, NodeId>;

Matrix jacobian_of(Graph& g, std::vector<NodeId> residuals, JacobianPart part = JacobianPart::all) {
  const auto s = structure::analyze_structure(structure::signature_of(g, residuals));
  Matrix matrix;
  for (const JacobianEntry& e : system_jacobian(g, residuals, s, part))
    matrix[{e.equation, e.unknown}] = e.value;
  return matrix;
}

TEST(SystemJacobian, of_the_pendulum_is_the_published_matrix) {
  // J = [1 0 x; 0 1 y; 2x 2y 0]
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y"), lambda = g.add_unknown("lambda");
  const Matrix J = jacobian_of(
      g, {g.add(g.diff(x, 2), g.multiply(x, lambda)), g.add(g.diff(y, 2), g.multiply(y, lambda)),
          g.add(g.power(x, 2), g.power(y, 2))});
  const Matrix expected = {{{0, 0}, g.constant(1)}, {{0, 2}, x},
                           {{1, 1}, g.constant(1)}, {{1, 2}, y},
                           {{2, 0}, g.scale(2, x)}, {{2, 1}, g.scale(2, y)}};
  EXPECT_EQ(J, expected);
}

TEST(SystemJacobian, passes_through_differentiated_expressions) {
  // d/dt(x^2 y) + y = 0, y = sin t:  highest derivatives x', y' (c = (0,1), d = (1,1)): J = [2xy
  // x^2; 0 1]
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  const Matrix J = jacobian_of(g, {g.add(g.diff(g.multiply(g.power(x, 2), y), 1), y),
                                   g.subtract(y, g.unary(Op::sin, g.time()))});
  const NodeId two_xy = g.scale(2, g.multiply(x, y));
  const Matrix expected = {{{0, 0}, two_xy}, {{0, 1}, g.power(x, 2)}, {{1, 1}, g.constant(1)}};
  EXPECT_EQ(J, expected);
}

TEST(SystemJacobian, leaves_out_lower_derivatives) {
  // x'' + x' y + x^3 = 0, y = x: c = (0, 0), d = (2, 0): only x'' in the first row, only y in the
  // second... x is lower.
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  const Matrix J = jacobian_of(
      g,
      {g.add(g.add(g.diff(x, 2), g.multiply(g.diff(x, 1), y)), g.power(x, 3)), g.subtract(y, x)});
  const Matrix expected = {
      {{0, 0}, g.constant(1)}, {{0, 1}, g.diff(x, 1)}, {{1, 1}, g.constant(-1)}};
  ASSERT_EQ(J.size(), 3U);
  EXPECT_EQ(J.at({0, 0}), g.constant(1));
  EXPECT_EQ(J.at({0, 1}), g.diff(x, 1));
}

TEST(SystemJacobian, of_the_diagonal_blocks_alone_does_not_differentiate_what_earlier_blocks_give) {
  // x s(y) = 1, y' = y: the second row's unknown is known when the first is solved.
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  const NodeId s = g.unary(Op::exp, g.unary(Op::sin, y));
  const std::vector<NodeId> residuals = {g.subtract(g.multiply(x, s), g.constant(1)),
                                         g.subtract(y, g.time())};
  const Matrix J = jacobian_of(g, residuals, JacobianPart::diagonal_blocks);
  const Matrix expected = {{{0, 0}, s}, {{1, 1}, g.constant(1)}};
  EXPECT_EQ(J, expected);
  EXPECT_EQ(jacobian_of(g, residuals).size(), 3U);
}

}  // namespace
}  // namespace daedal::taylor

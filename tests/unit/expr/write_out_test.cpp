#include "expr/write_out.hpp"

#include <gtest/gtest.h>

namespace daedal::expr {
namespace {

class WriteOut : public testing::Test {
 protected:
  std::string text(NodeId node) { return write_out(g, {&node, 1})[0]; }
  NodeId times(NodeId a, NodeId b) { return g.multiply(a, b); }

  Graph g;
  NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  NodeId p = g.add_parameter("p"), q = g.add_parameter("q");
};

TEST_F(WriteOut, derivatives_are_carried_out_and_come_first) {
  EXPECT_EQ(text(g.add(times(y, p), g.diff(times(x, g.diff(y, 1)), 1))),
            "x*der(y, 2) + p*y + der(y)*der(x)");
}

TEST_F(WriteOut, products_are_one_piece_with_parameters_first) {
  EXPECT_EQ(text(times(times(x, times(y, p)), times(q, x))), "p*q*y*x^2");
}

TEST_F(WriteOut, multiplies_out_only_where_that_is_shorter) {
  const NodeId sum = g.add(x, y);
  EXPECT_EQ(text(times(p, sum)), "p*(x + y)");
  EXPECT_EQ(text(g.subtract(times(p, sum), times(p, x))), "p*y");
}

}  // namespace
}  // namespace daedal::expr

// Deep and wide graphs neither overflow the stack nor go quadratic. (Quadratic would be 1e10
// operations here: these tests would not end. Timings themselves are in benchmarks/.)
#include <gtest/gtest.h>

#include <vector>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"

namespace daedal::expr {
namespace {

TEST(LargeGraph, a_running_sum_of_1e5_terms_becomes_one_node) {
  Graph g;
  NodeId sum = g.constant(0);
  for (int k = 0; k < 100000; ++k) sum = g.add(sum, g.add_unknown("x"));
  const Simplified flat = simplify(g, {&sum, 1});
  EXPECT_EQ(flat.graph->arguments(flat.roots[0]).size(), 100000U);
  EXPECT_EQ(flat.graph->size(), 100001U);
}

TEST(LargeGraph, a_running_product_of_1e5_factors_becomes_one_node) {
  Graph g;
  NodeId product = g.constant(1);
  for (int k = 0; k < 100000; ++k) product = g.multiply(product, g.add_unknown("x"));
  const Simplified flat = simplify(g, {&product, 1});
  EXPECT_EQ(flat.graph->arguments(flat.roots[0]).size(), 100000U);
}

TEST(LargeGraph,
     a_chain_of_1e6_nested_functions_is_recorded_simplified_evaluated_printed_and_differentiated) {
  Graph g;
  const NodeId x = g.add_unknown("x");
  NodeId deep = x;
  for (int k = 0; k < 1000000; ++k) deep = g.unary(k % 2 == 0 ? Op::sin : Op::atan, deep);
  const Simplified kept = simplify(g, {&deep, 1});
  EXPECT_EQ(kept.graph->size(), 1000001U);
  const Point point{.time = 0, .parameters = {}, .unknown = [](UnknownId, int) { return 0.0; }};
  EXPECT_EQ(Evaluator(g).value(deep, point), 0.0);
  EXPECT_EQ(to_text(g, deep, 30), "atan(sin(atan(sin(atan(sin(ata ...");
  const NodeId slope = gradient(g, deep, {&x, 1})[0];
  EXPECT_EQ(Evaluator(g).value(slope, point), 1.0);
}

TEST(LargeGraph, prefix_sums_that_are_all_used_stay_shared) {
  Graph g;
  std::vector<NodeId> roots;
  NodeId sum = g.constant(0);
  for (int k = 0; k < 20000; ++k) {
    sum = g.add(sum, g.add_unknown("x"));
    roots.push_back(g.unary(Op::exp, sum));
  }
  const Simplified kept = simplify(g, roots);
  EXPECT_LE(kept.graph->size(), 3U * 20000U);
}

}  // namespace
}  // namespace daedal::expr

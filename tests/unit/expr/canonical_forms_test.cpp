// Equal expressions are one node, however they were written.
#include <gtest/gtest.h>

#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"

namespace daedal::expr {
namespace {

class CanonicalForms : public testing::Test {
 protected:
  Graph g;
  NodeId x = g.add_unknown("x"), y = g.add_unknown("y"), z = g.add_unknown("z"),
         p = g.add_parameter("p");

  NodeId number(double value) { return g.constant(value); }
  NodeId simplified_root(NodeId root) {
    kept = simplify(g, {&root, 1});
    return kept.roots[0];
  }
  Simplified kept;
};

TEST_F(CanonicalForms, sums_and_products_do_not_depend_on_the_order_of_writing) {
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.multiply(x, y), g.multiply(y, x));
}

TEST_F(CanonicalForms, a_difference_and_its_negative_share_one_node) {
  const NodeId forward = g.subtract(x, y);
  const NodeId backward = g.subtract(y, x);
  ASSERT_EQ(g.op(backward), Op::affine);
  ASSERT_EQ(g.arguments(backward).size(), 1U);
  EXPECT_EQ(g.arguments(backward)[0], forward);
  EXPECT_EQ(g.coefficients(backward)[0], -1.0);
  EXPECT_EQ(g.power(forward, 2), g.power(backward, 2));
  EXPECT_EQ(g.unary(Op::cos, forward), g.unary(Op::cos, backward));
  EXPECT_EQ(g.unary(Op::sin, backward), g.negate(g.unary(Op::sin, forward)));
}

TEST_F(CanonicalForms, squares_share_however_they_are_written) {
  EXPECT_EQ(g.multiply(x, x), g.power(x, 2));
  EXPECT_EQ(g.multiply(g.scale(2, x), g.scale(3, x)), g.scale(6, g.power(x, 2)));
  EXPECT_EQ(g.multiply(g.power(x, 2), x), g.power(x, 3));
  EXPECT_EQ(g.power(g.power(x, 2), 3), g.power(x, 6));
}

TEST_F(CanonicalForms, powers_of_opposite_sign_stay_apart_because_the_domain_would_change) {
  const NodeId product = g.multiply(g.power(x, 2), g.power(x, -1));
  EXPECT_EQ(g.op(product), Op::product);
  EXPECT_EQ(g.op(g.divide(x, x)), Op::quotient);
  EXPECT_EQ(g.op(g.power(g.power(x, 2), 0.5)), Op::power);  // |x|, not x
}

TEST_F(CanonicalForms, like_terms_are_collected_and_cancel_to_rounding) {
  EXPECT_EQ(g.add(x, x), g.scale(2, x));
  EXPECT_EQ(g.subtract(g.scale(3, x), g.scale(2, x)), x);
  EXPECT_TRUE(g.is_constant(g.subtract(x, x), 0.0));
  // 0.1 + 0.2 - 0.3 = 5.6e-17 in doubles: a rounding error is no occurrence of x.
  const double c[] = {0.1, 0.2, -0.3};
  const NodeId xs[] = {x, x, x};
  EXPECT_TRUE(g.is_constant(g.affine(0.0, c, xs), 0.0));
}

TEST_F(CanonicalForms, a_small_coefficient_is_not_a_cancellation) {
  const double c[] = {1e-30, 1.0, -1.0};
  const NodeId xs[] = {x, y, y};
  EXPECT_EQ(g.affine(0.0, c, xs), g.scale(1e-30, x));
}

TEST_F(CanonicalForms, exact_cancellation_of_large_coefficients_keeps_what_is_left) {
  // Ten thousand times 1e8 x - 1e8 x, and one x: every addition is exact, so x stays.
  std::vector<double> c;
  for (int k = 0; k < 10000; ++k) c.insert(c.end(), {1e8, -1e8});
  c.push_back(1.0);
  EXPECT_EQ(g.affine(0.0, c, std::vector<NodeId>(c.size(), x)), x);
}

TEST_F(CanonicalForms, scale_factors_never_under_or_overflow) {
  const NodeId tiny = g.multiply(g.scale(1e-170, x), g.scale(1e-170, y));
  EXPECT_FALSE(g.is_constant(tiny));
  const NodeId huge = g.scale(1e300, g.scale(1e10, x));
  ASSERT_EQ(g.op(huge), Op::affine);
  EXPECT_EQ(g.coefficients(huge)[0], 1e300);
  EXPECT_EQ(g.op(g.divide(g.scale(1e-200, x), g.scale(1e200, y))), Op::quotient);
  EXPECT_EQ(g.op(g.power(g.scale(1e-150, x), 2)), Op::power);
}

TEST_F(CanonicalForms, constants_fold_unless_the_result_is_not_finite) {
  EXPECT_TRUE(g.is_constant(g.add(number(1), number(2)), 3.0));
  EXPECT_TRUE(g.is_constant(g.multiply(number(0), x), 0.0));
  EXPECT_TRUE(g.is_constant(g.unary(Op::cos, number(0)), 1.0));
  EXPECT_EQ(g.op(g.unary(Op::log, number(-1))), Op::log);
  EXPECT_EQ(g.op(g.divide(x, number(0))), Op::quotient);
  EXPECT_FALSE(g.is_constant(g.divide(number(1), number(0))));
}

TEST_F(CanonicalForms, parameters_are_never_baked_in) {
  EXPECT_EQ(g.op(g.multiply(p, x)), Op::product);
  EXPECT_TRUE(g.is_constant(g.diff(g.power(p, 2), 1), 0.0));
}

TEST_F(CanonicalForms, derivatives_merge_and_see_through_scalings) {
  EXPECT_EQ(g.diff(g.diff(x, 1), 2), g.diff(x, 3));
  EXPECT_EQ(g.diff(x, 0), x);
  EXPECT_EQ(g.diff(g.scale(5, x), 1), g.scale(5, g.diff(x, 1)));
  EXPECT_TRUE(g.is_constant(g.diff(g.time(), 1), 1.0));
  EXPECT_TRUE(g.is_constant(g.diff(g.time(), 2), 0.0));
  EXPECT_EQ(g.op(g.diff(g.multiply(x, y), 2)), Op::diff);
}

TEST_F(CanonicalForms, simplify_flattens_sums_that_are_used_once) {
  const NodeId nested = g.subtract(g.add(x, g.scale(2, y)), g.add(z, number(3)));
  const NodeId flat = simplified_root(nested);
  EXPECT_EQ(kept.graph->arguments(flat).size(), 3U);
  EXPECT_EQ(kept.graph->number(flat), -3.0);
}

TEST_F(CanonicalForms, simplify_keeps_a_sum_that_is_shared) {
  const NodeId shared = g.add(x, y);
  const NodeId roots[] = {g.add(shared, z), g.power(shared, 2)};
  const Simplified result = simplify(g, roots);
  EXPECT_EQ(result.graph->arguments(result.roots[0]).size(), 2U);
  EXPECT_EQ(result.graph->arguments(result.roots[1])[0],
            result.graph->arguments(result.roots[0])[1]);
}

TEST_F(CanonicalForms, simplify_leaves_out_what_no_root_needs) {
  g.unary(Op::exp, y);
  const NodeId root = simplified_root(g.add(x, number(1)));
  EXPECT_EQ(to_text(*kept.graph, root), "x + 1");
  EXPECT_EQ(kept.graph->size(), 4U + 1U);  // three unknowns, one parameter, the sum
}

TEST_F(CanonicalForms, a_node_keeps_the_place_where_it_was_first_written) {
  g.set_position({.line = 7, .column = 3});
  const NodeId first = g.multiply(x, y);
  g.set_position({.line = 9, .column = 1});
  EXPECT_EQ(g.multiply(y, x), first);
  EXPECT_EQ(g.position(first).line, 7U);
  EXPECT_EQ(simplify(g, {&first, 1}).graph->position(simplify(g, {&first, 1}).roots[0]).line, 7U);
}

TEST_F(CanonicalForms, printing_reads_like_the_model_language) {
  const auto text = [&](NodeId node) { return to_text(g, node); };
  const NodeId acceleration = g.diff(x, 2);
  EXPECT_EQ(text(g.add(acceleration, g.multiply(x, p))), "der(x, 2) + x*p");
  EXPECT_EQ(text(g.subtract(y, x)), "y - x");
  EXPECT_EQ(text(g.scale(2, g.add(x, y))), "2*(x + y)");
  EXPECT_EQ(text(g.divide(x, g.multiply(y, z))), "x/(y*z)");
  EXPECT_EQ(text(g.multiply(x, g.power(y, -1))), "x*(1/y)");
  EXPECT_EQ(text(g.power(g.add(x, y), -2)), "(x + y)^(-2)");
  EXPECT_EQ(text(g.power(x, 0.5)), "sqrt(x)");
  EXPECT_EQ(text(g.binary(Op::atan2, y, x)), "atan2(y, x)");
  EXPECT_EQ(text(g.diff(g.multiply(x, y), 1)), "der(x*y)");
  EXPECT_EQ(text(g.pow(x, p)), "x^p");
  EXPECT_EQ(text(g.subtract(number(1), x)), "1 - x");
  EXPECT_EQ(text(g.multiply(z, g.subtract(y, x))), "-z*(x - y)");
  EXPECT_EQ(text(g.negate(g.add(x, y))), "-x - y");
}

}  // namespace
}  // namespace daedal::expr

// Partial and total derivatives of graphs, checked against central differences and against each
// other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "expr/evaluate.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"

namespace daedal::expr {
namespace {

struct Case {
  const char* name;
  std::function<NodeId(Graph&, NodeId u, NodeId v)> build;
  double u, v;
};

NodeId unary(Graph& g, Op op, NodeId u) { return g.unary(op, u); }

std::vector<Case> all_operations() {
  std::vector<Case> cases = {
      {"sum", [](Graph& g, NodeId u, NodeId v) { return g.subtract(g.scale(3, u), v); }, 0.7, 0.4},
      {"product", [](Graph& g, NodeId u, NodeId v) { return g.multiply(u, v); }, 0.7, 0.4},
      {"quotient", [](Graph& g, NodeId u, NodeId v) { return g.divide(u, v); }, 0.7, 0.4},
      {"square", [](Graph& g, NodeId u, NodeId) { return g.power(u, 2); }, 0.7, 0},
      {"root", [](Graph& g, NodeId u, NodeId) { return g.power(u, 0.5); }, 0.7, 0},
      {"cube", [](Graph& g, NodeId u, NodeId) { return g.power(u, 3); }, -0.7, 0},
      {"reciprocal", [](Graph& g, NodeId u, NodeId) { return g.power(u, -1); }, -0.7, 0},
      {"pow", [](Graph& g, NodeId u, NodeId v) { return g.pow(u, v); }, 1.3, 0.4},
      {"atan2 right", [](Graph& g, NodeId u, NodeId v) { return g.binary(Op::atan2, u, v); }, 0.7,
       0.4},
      {"atan2 left", [](Graph& g, NodeId u, NodeId v) { return g.binary(Op::atan2, u, v); }, 0.7,
       -0.4},
      {"min", [](Graph& g, NodeId u, NodeId v) { return g.binary(Op::min, u, g.power(v, 2)); }, 0.7,
       0.4},
      {"max", [](Graph& g, NodeId u, NodeId v) { return g.binary(Op::max, u, g.power(v, 2)); }, 0.1,
       0.4},
      {"three factors",
       [](Graph& g, NodeId u, NodeId v) {
         const NodeId factors[] = {u, v, g.unary(Op::exp, u)};
         return g.product(factors);
       },
       0.7, 0.4},
      {"acosh", [](Graph& g, NodeId u, NodeId) { return g.unary(Op::acosh, u); }, 1.7, 0},
  };
  for (const Op op : {Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan,
                      Op::sinh, Op::cosh, Op::tanh, Op::asinh, Op::atanh, Op::erf, Op::abs})
    cases.push_back(
        {name_of(op).data(), [op](Graph& g, NodeId u, NodeId) { return unary(g, op, u); }, 0.3, 0});
  return cases;
}

double value_at(const Graph& graph, NodeId root, double u, double v) {
  const Point point{.time = 0, .parameters = {}, .unknown = [=](UnknownId id, int) {
                      return id.index() == 0 ? u : v;
                    }};
  return Evaluator(graph).value(root, point);
}

// Central difference with one Richardson step: error about h^4, here near 1e-11.
double slope(const std::function<double(double)>& f, double at) {
  const double h = 1e-3;
  const auto central = [&](double step) { return (f(at + step) - f(at - step)) / (2 * step); };
  return (4 * central(h / 2) - central(h)) / 3;
}

class EveryOperation : public testing::TestWithParam<Case> {};

TEST_P(EveryOperation, gradient_agrees_with_differences_and_forward_agrees_with_reverse) {
  const Case& c = GetParam();
  Graph g;
  const NodeId u = g.add_unknown("u"), v = g.add_unknown("v");
  const NodeId f = c.build(g, u, v);
  const NodeId wrt[] = {u, v};
  const std::vector<NodeId> reverse = gradient(g, f, wrt);
  for (int k = 0; k < 2; ++k) {
    const auto along = [&](double s) {
      return k == 0 ? value_at(g, f, s, c.v) : value_at(g, f, c.u, s);
    };
    const double exact = value_at(g, reverse[k], c.u, c.v);
    EXPECT_NEAR(exact, slope(along, k == 0 ? c.u : c.v), 1e-9) << "argument " << k;
    const Seed seed{wrt[k], g.constant(1)};
    EXPECT_NEAR(value_at(g, tangent(g, {&f, 1}, {&seed, 1})[0], c.u, c.v), exact,
                1e-15 + 1e-15 * std::abs(exact));
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryOperation, testing::ValuesIn(all_operations()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& ch : name)
                             if (ch == ' ') ch = '_';
                           return name;
                         });

TEST(Gradient, treats_derivatives_of_an_unknown_as_independent) {
  // L = m v^2/2 + m g y with v = y': the pieces that a Lagrangian needs.
  Graph g;
  const NodeId y = g.add_unknown("y"), m = g.add_parameter("m");
  const NodeId v = g.diff(y, 1);
  const NodeId kinetic = g.scale(0.5, g.multiply(m, g.power(v, 2)));
  const NodeId lagrangian = g.add(kinetic, g.scale(9.81, g.multiply(m, y)));
  const NodeId wrt[] = {y, v};
  const std::vector<NodeId> parts = gradient(g, lagrangian, wrt);
  EXPECT_EQ(parts[0], g.scale(9.81, m));
  EXPECT_EQ(parts[1], g.multiply(m, v));
}

TEST(TotalDerivative, of_a_product_is_the_product_rule) {
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  const NodeId expected = g.add(g.multiply(g.diff(x, 1), y), g.multiply(x, g.diff(y, 1)));
  EXPECT_EQ(total_derivative(g, g.multiply(x, y)), expected);
}

TEST(TotalDerivative, third_derivative_of_sin_of_t_squared_has_its_closed_form) {
  Graph g;
  const NodeId root = g.diff(g.unary(Op::sin, g.power(g.time(), 2)), 3);
  const NodeId expanded = expand_derivatives(g, {&root, 1})[0];
  const double t = 0.7, s = std::sin(t * t), c = std::cos(t * t);
  const Point point{.time = t, .parameters = {}, .unknown = {}};
  EXPECT_NEAR(Evaluator(g).value(expanded, point), -12 * t * s - 8 * t * t * t * c, 1e-13);
}

TEST(Gradient, of_a_sum_of_many_terms_is_linear_in_their_number) {
  Graph g;
  std::vector<NodeId> xs, squares;
  for (int k = 0; k < 20000; ++k) {
    xs.push_back(g.add_unknown("x"));
    squares.push_back(g.power(xs.back(), 2));
  }
  const NodeId sum = g.affine(0.0, std::vector<double>(squares.size(), 1.0), squares);
  const std::size_t before = g.size();
  const std::vector<NodeId> parts = gradient(g, sum, xs);
  EXPECT_EQ(parts[17], g.scale(2, xs[17]));
  EXPECT_LE(g.size() - before, 3 * xs.size());
}

TEST(Gradient, of_a_product_of_many_factors_is_linear_in_their_number) {
  Graph g;
  std::vector<NodeId> xs;
  for (int k = 0; k < 2000; ++k) xs.push_back(g.add_unknown("x"));
  const std::size_t before = g.size();
  const NodeId product = g.product(xs);
  gradient(g, product, xs);
  EXPECT_LE(g.size() - before, 8 * xs.size());
}

}  // namespace
}  // namespace daedal::expr

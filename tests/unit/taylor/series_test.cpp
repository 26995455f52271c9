// Taylor coefficients against closed forms and identities.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/rules.hpp"
#include "taylor/tape.hpp"

namespace daedal::taylor {
namespace {

using expr::Graph;
using expr::Op;
using expr::UnknownId;

constexpr int order = 12;

// Coefficients of `root` at time t, the unknowns' derivatives given by a function.
std::vector<double> series_of(Graph& graph, NodeId root, double t,
                              const std::function<double(UnknownId, int)>& derivative = {}) {
  const Tape tape(graph, {&root, 1}, order);
  Interpreter interpreter(tape);
  interpreter.run({.time = t, .parameters = {}, .derivative = derivative});
  std::vector<double> coefficients;
  for (int k = 0; k <= order; ++k) coefficients.push_back(interpreter.coefficient(root, k));
  return coefficients;
}

// z^(k) of f(t) at t, for functions with a known k-th derivative.
struct Closed {
  const char* name;
  std::function<NodeId(Graph&, NodeId t)> build;
  std::function<double(double t, int k)> derivative;
  double cancelled = 2e-17;  // what rounding leaves where larger terms cancel; see the quotient
};

double falling(double r, int k) {
  double result = 1;
  for (int j = 0; j < k; ++j) result *= r - j;
  return result;
}

std::vector<Closed> closed_forms() {
  const double pi = 3.14159265358979323846;
  return {
      {"exp", [](Graph& g, NodeId t) { return g.unary(Op::exp, t); },
       [](double t, int) { return std::exp(t); }},
      {"sin", [](Graph& g, NodeId t) { return g.unary(Op::sin, t); },
       [pi](double t, int k) { return std::sin(t + k * pi / 2); }},
      {"cos", [](Graph& g, NodeId t) { return g.unary(Op::cos, t); },
       [pi](double t, int k) { return std::cos(t + k * pi / 2); }},
      {"sinh", [](Graph& g, NodeId t) { return g.unary(Op::sinh, t); },
       [](double t, int k) { return k % 2 == 0 ? std::sinh(t) : std::cosh(t); }},
      {"cosh", [](Graph& g, NodeId t) { return g.unary(Op::cosh, t); },
       [](double t, int k) { return k % 2 == 0 ? std::cosh(t) : std::sinh(t); }},
      {"log", [](Graph& g, NodeId t) { return g.unary(Op::log, t); },
       [](double t, int k) { return k == 0 ? std::log(t) : falling(-1, k - 1) * std::pow(t, -k); }},
      {"root", [](Graph& g, NodeId t) { return g.power(t, 0.5); },
       [](double t, int k) { return falling(0.5, k) * std::pow(t, 0.5 - k); }},
      {"reciprocal", [](Graph& g, NodeId t) { return g.power(t, -1); },
       [](double t, int k) { return falling(-1, k) * std::pow(t, -1 - k); }},
      {"fifth_power", [](Graph& g, NodeId t) { return g.power(t, 5); },
       [](double t, int k) { return k > 5 ? 0.0 : falling(5, k) * std::pow(t, 5 - k); }},
      {"quotient",
       [](Graph& g, NodeId t) {
         return g.divide(g.unary(Op::exp, t), g.unary(Op::exp, g.scale(3, t)));
       },
       [](double t, int k) { return std::pow(-2, k) * std::exp(-2 * t); },
       // its terms reach 5^k/k! < 27 and cancel to 2^k/k!: the sum rounds by less than 27 eps
       6e-15},
      {"general_power",
       [](Graph& g, NodeId t) { return g.pow(g.unary(Op::exp, t), g.scale(0.5, g.add(t, t))); },
       // exp(t^2): H_k recurrence z^(k) = 2 t z^(k-1) + 2 (k-1) z^(k-2)
       [](double t, int k) {
         double before = 0, now = std::exp(t * t);
         for (int j = 1; j <= k; ++j) {
           const double next = 2 * t * now + 2 * (j - 1) * before;
           before = now;
           now = next;
         }
         return now;
       }},
  };
}

class ClosedForm : public testing::TestWithParam<Closed> {};

TEST_P(ClosedForm, coefficients_are_the_derivatives_over_factorials) {
  Graph g;
  const double t = 0.8;
  const std::vector<double> series = series_of(g, GetParam().build(g, g.time()), t);
  for (int k = 0; k <= order; ++k) {
    const double exact = GetParam().derivative(t, k) / factorial(k);
    EXPECT_NEAR(series[k], exact, 2e-14 * std::abs(exact) + GetParam().cancelled)
        << "coefficient " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(, ClosedForm, testing::ValuesIn(closed_forms()),
                         [](const auto& test) { return std::string(test.param.name); });

// f and its inverse, or two ways to write one function: the difference is zero to rounding at every
// order.
struct Identity {
  const char* name;
  std::function<NodeId(Graph&, NodeId u)> left, right;
  double u = 0.4;
};

std::vector<Identity> identities() {
  const auto f = [](Op op) { return [op](Graph& g, NodeId u) { return g.unary(op, u); }; };
  const auto of = [](Op outer, Op inner) {
    return [=](Graph& g, NodeId u) { return g.unary(outer, g.unary(inner, u)); };
  };
  const auto same = [](Graph&, NodeId u) { return u; };
  return {
      {"exp_log", of(Op::exp, Op::log), same},
      {"sin_asin", of(Op::sin, Op::asin), same},
      {"cos_acos", of(Op::cos, Op::acos), same},
      {"tan_atan", of(Op::tan, Op::atan), same},
      {"sinh_asinh", of(Op::sinh, Op::asinh), same},
      {"cosh_acosh", of(Op::cosh, Op::acosh), same, 1.4},
      {"tanh_atanh", of(Op::tanh, Op::atanh), same},
      {"sin2_plus_cos2",
       [](Graph& g, NodeId u) {
         return g.add(g.power(g.unary(Op::sin, u), 2), g.power(g.unary(Op::cos, u), 2));
       },
       [](Graph& g, NodeId) { return g.constant(1); }},
      {"tan_is_sin_over_cos", f(Op::tan),
       [](Graph& g, NodeId u) { return g.divide(g.unary(Op::sin, u), g.unary(Op::cos, u)); }},
      {"tanh_is_sinh_over_cosh", f(Op::tanh),
       [](Graph& g, NodeId u) { return g.divide(g.unary(Op::sinh, u), g.unary(Op::cosh, u)); }},
      {"atan2_is_atan_of_the_quotient",
       [](Graph& g, NodeId u) { return g.binary(Op::atan2, u, g.unary(Op::cosh, u)); },
       [](Graph& g, NodeId u) { return g.unary(Op::atan, g.divide(u, g.unary(Op::cosh, u))); }},
      {"square_of_root", [](Graph& g, NodeId u) { return g.power(g.power(u, 0.5), 2); }, same},
      {"abs_of_negative",
       [](Graph& g, NodeId u) { return g.unary(Op::abs, g.subtract(u, g.constant(5))); },
       [](Graph& g, NodeId u) { return g.subtract(g.constant(5), u); }},
      {"min_plus_max",
       [](Graph& g, NodeId u) {
         return g.add(g.binary(Op::min, u, g.power(u, 2)), g.binary(Op::max, u, g.power(u, 2)));
       },
       [](Graph& g, NodeId u) { return g.add(u, g.power(u, 2)); }},
  };
}

class SeriesIdentity : public testing::TestWithParam<Identity> {};

// u has the derivatives of u + sin(3 s)/4 at s = 0: nothing special at any order.
TEST_P(SeriesIdentity, holds_at_every_order) {
  const Identity& identity = GetParam();
  Graph g;
  const NodeId u = g.add_unknown("u");
  const auto derivative = [&](UnknownId, int k) {
    if (k == 0) return identity.u;
    return k % 2 == 0 ? 0.0 : 0.25 * std::pow(3.0, k) * (k % 4 == 1 ? 1 : -1) / (k == 1 ? 2 : 1);
  };
  const std::vector<double> left = series_of(g, identity.left(g, u), 0.0, derivative);
  const std::vector<double> right = series_of(g, identity.right(g, u), 0.0, derivative);
  for (int k = 0; k <= order; ++k)
    EXPECT_NEAR(left[k], right[k], 1e-11 * (1 + std::abs(right[k]))) << "coefficient " << k;
}

INSTANTIATE_TEST_SUITE_P(, SeriesIdentity, testing::ValuesIn(identities()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Series, erf_has_the_gaussian_as_derivative) {
  Graph g;
  const NodeId t = g.time();
  const NodeId left = g.diff(g.unary(Op::erf, t), 1);
  const NodeId right =
      g.scale(2 / std::sqrt(3.14159265358979323846), g.unary(Op::exp, g.negate(g.power(t, 2))));
  const auto a = series_of(g, left, 0.3), b = series_of(g, right, 0.3);
  for (int k = 0; k < order; ++k) EXPECT_NEAR(a[k], b[k], 1e-14);
}

TEST(Series, positive_integer_powers_are_defined_at_zero) {
  Graph g;
  const std::vector<double> cube = series_of(g, g.power(g.time(), 3), 0.0);
  for (int k = 0; k <= order; ++k) EXPECT_EQ(cube[k], k == 3 ? 1.0 : 0.0);
}

TEST(Series, nested_differentiation_reaches_the_right_coefficients) {
  // d/dt( x d/dt(x^2) ) = 4 x x'^2 + 2 x^2 x''
  Graph g;
  const NodeId x = g.add_unknown("x");
  const NodeId root = g.diff(g.multiply(x, g.diff(g.power(x, 2), 1)), 1);
  const double d[] = {0.7, -0.3, 1.1, 0.4};
  const Tape tape(g, {&root, 1}, 0);
  Interpreter interpreter(tape);
  interpreter.run(
      {.time = 0, .parameters = {}, .derivative = [&](UnknownId, int k) { return d[k]; }});
  EXPECT_NEAR(interpreter.coefficient(root), 4 * d[0] * d[1] * d[1] + 2 * d[0] * d[0] * d[2],
              1e-15);
}

TEST(Series, agrees_with_the_chain_rule_expanded_as_a_graph) {
  Graph g;
  const NodeId x = g.add_unknown("x"), y = g.add_unknown("y");
  const NodeId inner = g.divide(g.unary(Op::sin, g.multiply(x, y)),
                                g.add(g.constant(2), g.unary(Op::cos, g.diff(y, 1))));
  const NodeId root = g.add(g.diff(inner, 3), g.unary(Op::exp, g.diff(g.multiply(x, x), 1)));
  const auto derivative = [](UnknownId id, int k) {
    return std::cos(1.7 * (static_cast<double>(id.index()) + 1) + 0.9 * k);
  };
  const Tape tape(g, {&root, 1}, 0);
  Interpreter interpreter(tape);
  interpreter.run({.time = 0, .parameters = {}, .derivative = derivative});
  const NodeId expanded = expr::expand_derivatives(g, {&root, 1})[0];
  const double by_chain_rule =
      expr::Evaluator(g).value(expanded, {.time = 0, .parameters = {}, .unknown = derivative});
  EXPECT_NEAR(interpreter.coefficient(root), by_chain_rule, 1e-13 * std::abs(by_chain_rule));
}

}  // namespace
}  // namespace daedal::taylor

// Operators on Expression record into the graph of their operands; numbers fold without one.
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "daedal/error.hpp"
#include "daedal/expression.hpp"
#include "expr/evaluate.hpp"
#include "expr/graph.hpp"

namespace daedal {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

Graph* common_graph(const Expression& a, const Expression& b) {
  if (a.is_number()) return b.graph();
  if (b.is_number() || a.graph() == b.graph()) return a.graph();
  throw Error(Problem{
      .id = "E-MOD-006",
      .what = "an expression mixes two models",
      .why =
          "its operands belong to different Model objects, whose unknowns have nothing in common",
      .todo = "build each equation from variables and parameters of one model"});
}

NodeId node_in(Graph& graph, const Expression& a) {
  return a.is_number() ? graph.constant(a.number()) : NodeId(a.node());
}

Expression handle(Graph* graph, NodeId node) { return Expression::of(graph, node.value); }

Expression unary(Op op, const Expression& a) {
  if (a.is_number()) return expr::apply_unary(op, a.number());
  return handle(a.graph(), a.graph()->unary(op, NodeId(a.node())));
}

// `on_numbers` for two numbers, else `record` in the operands' graph.
template <typename OnNumbers, typename Record>
Expression binary(const Expression& a, const Expression& b, OnNumbers on_numbers, Record record) {
  Graph* graph = common_graph(a, b);
  if (graph == nullptr) return on_numbers(a.number(), b.number());
  return handle(graph, record(*graph, node_in(*graph, a), node_in(*graph, b)));
}

Expression binary_function(Op op, const Expression& a, const Expression& b) {
  const auto on_numbers = [op](double x, double y) {
    Graph scratch;
    return scratch.number(scratch.binary(op, scratch.constant(x), scratch.constant(y)));
  };
  return binary(a, b, on_numbers,
                [op](Graph& g, NodeId x, NodeId y) { return g.binary(op, x, y); });
}

}  // namespace

Expression operator+(const Expression& a, const Expression& b) {
  return binary(
      a, b, [](double x, double y) { return x + y; },
      [](Graph& g, NodeId x, NodeId y) { return g.add(x, y); });
}

Expression operator-(const Expression& a, const Expression& b) {
  return binary(
      a, b, [](double x, double y) { return x - y; },
      [](Graph& g, NodeId x, NodeId y) { return g.subtract(x, y); });
}

Expression operator*(const Expression& a, const Expression& b) {
  return binary(
      a, b, [](double x, double y) { return x * y; },
      [](Graph& g, NodeId x, NodeId y) { return g.multiply(x, y); });
}

Expression operator/(const Expression& a, const Expression& b) {
  return binary(
      a, b, [](double x, double y) { return x / y; },
      [](Graph& g, NodeId x, NodeId y) { return g.divide(x, y); });
}

Expression pow(const Expression& base, const Expression& exponent) {
  return binary(base, exponent, expr::apply_power<double>,
                [](Graph& g, NodeId x, NodeId y) { return g.pow(x, y); });
}

Expression operator+(const Expression& a) { return a; }

Expression operator-(const Expression& a) {
  return a.is_number() ? Expression(-a.number())
                       : handle(a.graph(), a.graph()->negate(NodeId(a.node())));
}

Expression& Expression::operator+=(const Expression& other) { return *this = *this + other; }
Expression& Expression::operator-=(const Expression& other) { return *this = *this - other; }
Expression& Expression::operator*=(const Expression& other) { return *this = *this * other; }
Expression& Expression::operator/=(const Expression& other) { return *this = *this / other; }

Equality operator==(const Expression& left, const Expression& right) { return {left, right}; }

Expression der(const Expression& a, int order) {
  if (order < 0 || order > expr::largest_order) {
    throw Error(Problem{.id = "E-MOD-008",
                        .what = "a derivative of an order that makes no sense",
                        .why = "der(e, k) was asked for with k = " + std::to_string(order) +
                               "; k goes from 0 to " + std::to_string(expr::largest_order),
                        .todo = "check k; an integral is a new unknown v with der(v) = e"});
  }
  if (order == 0) return a;
  if (a.is_number()) return 0.0;
  return handle(a.graph(), a.graph()->diff(NodeId(a.node()), order));
}

Expression sqr(const Expression& a) { return pow(a, 2.0); }
Expression sqrt(const Expression& a) { return pow(a, 0.5); }
Expression exp(const Expression& a) { return unary(Op::exp, a); }
Expression log(const Expression& a) { return unary(Op::log, a); }
Expression log10(const Expression& a) { return log(a) / std::log(10.0); }
Expression sin(const Expression& a) { return unary(Op::sin, a); }
Expression cos(const Expression& a) { return unary(Op::cos, a); }
Expression tan(const Expression& a) { return unary(Op::tan, a); }
Expression asin(const Expression& a) { return unary(Op::asin, a); }
Expression acos(const Expression& a) { return unary(Op::acos, a); }
Expression atan(const Expression& a) { return unary(Op::atan, a); }
Expression sinh(const Expression& a) { return unary(Op::sinh, a); }
Expression cosh(const Expression& a) { return unary(Op::cosh, a); }
Expression tanh(const Expression& a) { return unary(Op::tanh, a); }
Expression asinh(const Expression& a) { return unary(Op::asinh, a); }
Expression acosh(const Expression& a) { return unary(Op::acosh, a); }
Expression atanh(const Expression& a) { return unary(Op::atanh, a); }
Expression erf(const Expression& a) { return unary(Op::erf, a); }
Expression abs(const Expression& a) { return unary(Op::abs, a); }
Expression sign(const Expression& a) { return unary(Op::sign, a); }

Expression atan2(const Expression& y, const Expression& x) {
  return binary_function(Op::atan2, y, x);
}
Expression min(const Expression& a, const Expression& b) { return binary_function(Op::min, a, b); }
Expression max(const Expression& a, const Expression& b) { return binary_function(Op::max, a, b); }

Condition operator>(const Expression& a, const Expression& b) {
  return Condition(unary(Op::positive, a - b));
}
Condition operator>=(const Expression& a, const Expression& b) {
  return Condition(unary(Op::nonnegative, a - b));
}
Condition operator<(const Expression& a, const Expression& b) { return b > a; }
Condition operator<=(const Expression& a, const Expression& b) { return b >= a; }
Condition operator&&(const Condition& a, const Condition& b) {
  const Expression &left = a.value(), &right = b.value();
  if (left.is_number()) return left.number() != 0.0 ? b : a;
  if (right.is_number()) return right.number() != 0.0 ? a : b;
  return Condition(left * right);
}
Condition operator||(const Condition& a, const Condition& b) {
  const Expression &left = a.value(), &right = b.value();
  if (left.is_number()) return left.number() != 0.0 ? a : b;
  if (right.is_number()) return right.number() != 0.0 ? b : a;
  return !(!a && !b);
}
Condition operator!(const Condition& a) { return Condition(1.0 - a.value()); }

Expression if_else(const Condition& condition, const Expression& then,
                   const Expression& otherwise) {
  const Expression& c = condition.value();
  if (c.is_number()) return c.number() != 0.0 ? then : otherwise;
  Graph* graph = common_graph(common_graph(c, then) == nullptr ? then : c, otherwise);
  return handle(
      graph, graph->select(node_in(*graph, c), node_in(*graph, then), node_in(*graph, otherwise)));
}

}  // namespace daedal

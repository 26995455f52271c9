#include "lang/scalar_algebra.hpp"

#include <cmath>

#include "expr/apply.hpp"

namespace daedal::lang {
namespace {

Type type_of(bool is_integer) { return is_integer ? Type::integer : Type::real; }
bool is_integer(const Scalar& a) { return a.type == Type::integer; }

}  // namespace

void SumOfScalars::add(double sign, const Scalar& term) {
  is_integer_ &= is_integer(term);
  if (term.is_known) {
    constant_ += sign * term.number;
    return;
  }
  coefficients_.push_back(sign);
  nodes_.push_back(term.node);
}

Scalar SumOfScalars::finish(expr::Graph& graph) const {
  if (nodes_.empty() && std::isfinite(constant_))
    return Scalar::of_number(constant_, type_of(is_integer_));
  return Scalar::of_node(graph.affine(constant_, coefficients_, nodes_), type_of(is_integer_));
}

void ProductOfScalars::multiply(const Scalar& factor) {
  is_integer_ &= is_integer(factor);
  if (factor.is_known)
    factor_ *= factor.number;
  else
    nodes_.push_back(factor.node);
}

void ProductOfScalars::divide(expr::Graph& graph, const Scalar& divisor) {
  is_integer_ = false;
  if (divisor.is_known) {
    factor_ /= divisor.number;
    return;
  }
  const Scalar numerator = finish(graph);
  const NodeId node = numerator.is_known ? graph.constant(numerator.number) : numerator.node;
  factor_ = 1.0;
  is_integer_ = false;
  nodes_.assign(1, graph.divide(node, divisor.node));
}

Scalar ProductOfScalars::finish(expr::Graph& graph) {
  if (nodes_.empty() && std::isfinite(factor_))
    return Scalar::of_number(factor_, type_of(is_integer_));
  if (nodes_.empty()) return Scalar::of_node(graph.constant(factor_));
  const NodeId product = nodes_.size() == 1 ? nodes_[0] : graph.product(nodes_);
  const NodeId node = factor_ == 1.0 ? product : graph.scale(factor_, product);
  return Scalar::of_node(node, type_of(is_integer_));
}

Scalar ScalarAlgebra::negate(const Scalar& a) const {
  if (a.is_known) return Scalar::of_number(-a.number, a.type);
  return Scalar::of_node(graph_.negate(a.node), a.type);
}

Scalar ScalarAlgebra::multiply(const Scalar& a, const Scalar& b) const {
  ProductOfScalars product;
  product.multiply(a);
  product.multiply(b);
  return product.finish(graph_);
}

Scalar ScalarAlgebra::divide(const Scalar& a, const Scalar& b) const {
  ProductOfScalars product;
  product.multiply(a);
  product.divide(graph_, b);
  return product.finish(graph_);
}

Scalar ScalarAlgebra::power(const Scalar& base, const Scalar& exponent) const {
  if (!exponent.is_known) return Scalar::of_node(graph_.pow(node_of(base), exponent.node));
  if (!base.is_known) return Scalar::of_node(graph_.power(base.node, exponent.number));
  const double value = expr::apply_power(base.number, exponent.number);
  if (std::isfinite(value)) return Scalar::of_number(value);
  return Scalar::of_node(graph_.power(node_of(base), exponent.number));
}

Scalar ScalarAlgebra::unary(expr::Op op, const Scalar& a) const {
  const bool keeps_integers = op == expr::Op::abs || op == expr::Op::sign;
  const Type type = type_of(keeps_integers && is_integer(a));
  if (a.is_known) {
    const double value = expr::apply_unary(op, a.number);
    if (std::isfinite(value)) return Scalar::of_number(value, type);
  }
  return Scalar::of_node(graph_.unary(op, node_of(a)), type);
}

Scalar ScalarAlgebra::binary(expr::Op op, const Scalar& a, const Scalar& b) const {
  const Type type = type_of(op != expr::Op::atan2 && is_integer(a) && is_integer(b));
  if (a.is_known && b.is_known) {
    const double value = op == expr::Op::atan2 ? std::atan2(a.number, b.number)
                         : op == expr::Op::min ? std::fmin(a.number, b.number)
                                               : std::fmax(a.number, b.number);
    return Scalar::of_number(value, type);
  }
  return Scalar::of_node(graph_.binary(op, node_of(a), node_of(b)), type);
}

Scalar ScalarAlgebra::log10(const Scalar& a) const {
  if (a.is_known && a.number > 0.0) return Scalar::of_number(std::log10(a.number));
  const double per_decade = 1.0 / std::log(10.0);
  return Scalar::of_node(graph_.scale(per_decade, graph_.unary(expr::Op::log, node_of(a))));
}

Scalar ScalarAlgebra::der(const Scalar& a, int order) const {
  if (order == 0) return a;
  if (a.is_known) return Scalar::of_number(0.0);
  return Scalar::of_node(graph_.diff(a.node, order));
}

Scalar ScalarAlgebra::sum(std::span<const Scalar> terms) const {
  SumOfScalars sum;
  for (const Scalar& term : terms) sum.add(1.0, term);
  return sum.finish(graph_);
}

Scalar ScalarAlgebra::product(std::span<const Scalar> factors) const {
  ProductOfScalars product;
  for (const Scalar& factor : factors) product.multiply(factor);
  return product.finish(graph_);
}

}  // namespace daedal::lang

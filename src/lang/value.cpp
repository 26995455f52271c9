#include "lang/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "expr/evaluate.hpp"

namespace daedal::lang {

// ---------------------------------------------------------------------------------------------------------------------
// Values and their sizes

const Dimensions& Value::dimensions() const {
  static const Dimensions none;
  if (array_ != nullptr) return array_->dimensions;
  return none;
}

std::span<const Scalar> Value::elements() const {
  if (is_array()) return array_->elements;
  return {&scalar_, 1};
}

std::string description_of(const Dimensions& dimensions) {
  if (dimensions.empty()) return "a scalar";
  return fmt::format("an array of size {}", fmt::join(dimensions, " x "));
}

std::int64_t num_elements(const Dimensions& dimensions) {
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t size : dimensions) is_empty |= size == 0;
  if (is_empty) return 0;
  for (const std::int64_t size : dimensions) {
    if (count > std::numeric_limits<std::int64_t>::max() / size) return -1;
    count *= size;
  }
  return count;
}

std::string subscript_text(const Dimensions& dimensions, std::int64_t flat_index) {
  if (dimensions.empty()) return {};
  Dimensions index(dimensions.size());
  for (std::size_t k = dimensions.size(); k-- > 0;) {
    index[k] = flat_index % dimensions[k] + 1;
    flat_index /= dimensions[k];
  }
  return fmt::format("[{}]", fmt::join(index, ","));
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    default: return "Real";
  }
}
// ---------------------------------------------------------------------------------------------------------------------
// What operators do with scalars

namespace {

Type type_of(bool is_integer) { return is_integer ? Type::integer : Type::real; }
bool is_integer(const Scalar& a) { return a.type == Type::integer; }
Scalar truth(bool holds) { return Scalar::of_number(holds ? 1.0 : 0.0, Type::boolean); }

// The node v of number + coefficient*v; not set for other nodes.
NodeId argument_of(const expr::Graph& graph, NodeId node, double number, double coefficient) {
  const bool is_affine = graph.op(node) == expr::Op::affine && graph.arguments(node).size() == 1;
  if (!is_affine || graph.number(node) != number || graph.coefficients(node)[0] != coefficient)
    return {};
  return graph.arguments(node)[0];
}

// The graph writes 1 - v as -(v - 1).
NodeId opposite_of(const expr::Graph& graph, NodeId node) {
  const NodeId inner = argument_of(graph, node, 0.0, -1.0);
  return inner.is_set() ? argument_of(graph, inner, -1.0, 1.0) : NodeId();
}

bool compare(Operator op, double a, double b) {
  switch (op) {
    case Operator::less: return a < b;
    case Operator::less_equal: return a <= b;
    case Operator::greater: return a > b;
    case Operator::greater_equal: return a >= b;
    case Operator::equal: return a == b;
    default: return a != b;
  }
}

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

// ---------------------------------------------------------------------------------------------------------------------
// Conditions

// a - b > 0 or a - b >= 0
Scalar ScalarAlgebra::sign_of_difference(expr::Op op, const Scalar& a, const Scalar& b) const {
  SumOfScalars difference;
  difference.add(1.0, a);
  difference.add(-1.0, b);
  const NodeId node = graph_.unary(op, node_of(difference.finish(graph_)));
  if (graph_.is_constant(node)) return truth(graph_.number(node) != 0.0);  // x > x
  return Scalar::of_node(node, Type::boolean);
}

Scalar ScalarAlgebra::relation(Operator op, const Scalar& a, const Scalar& b) const {
  using expr::Op;
  if (a.is_known && b.is_known) return truth(compare(op, a.number, b.number));
  switch (op) {
    case Operator::less: return sign_of_difference(Op::positive, b, a);
    case Operator::less_equal: return sign_of_difference(Op::nonnegative, b, a);
    case Operator::greater: return sign_of_difference(Op::positive, a, b);
    case Operator::greater_equal: return sign_of_difference(Op::nonnegative, a, b);
    default: break;
  }
  const std::array both = {sign_of_difference(Op::nonnegative, a, b),
                           sign_of_difference(Op::nonnegative, b, a)};
  return op == Operator::equal ? conjunction(both) : negation(conjunction(both));
}

// False is less than true. No signs of differences: these would be relations of relations.
Scalar ScalarAlgebra::boolean_relation(Operator op, const Scalar& a, const Scalar& b) const {
  const auto implies = [this](const Scalar& p, const Scalar& q) {
    return disjunction(std::array{negation(p), q});
  };
  switch (op) {
    case Operator::less: return negation(implies(b, a));
    case Operator::less_equal: return implies(a, b);
    case Operator::greater: return negation(implies(a, b));
    case Operator::greater_equal: return implies(b, a);
    default: break;
  }
  const Scalar equal = conjunction(std::array{implies(a, b), implies(b, a)});
  return op == Operator::equal ? equal : negation(equal);
}

Scalar ScalarAlgebra::negation(const Scalar& a) const {
  if (a.is_known) return truth(a.number == 0.0);
  if (const NodeId opposite = opposite_of(graph_, a.node); opposite.is_set())
    return Scalar::of_node(opposite, Type::boolean);
  const std::array coefficient = {-1.0};
  return Scalar::of_node(graph_.affine(1.0, coefficient, std::array{a.node}), Type::boolean);
}

// A product in which every condition stands once: `a and b and a` has no square in it.
Scalar ScalarAlgebra::conjunction(std::span<const Scalar> parts) const {
  std::vector<NodeId> factors;
  for (const Scalar& part : parts) {
    if (part.is_known && part.number == 0.0) return truth(false);
    if (!part.is_known) factors.push_back(part.node);
  }
  std::sort(factors.begin(), factors.end());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  if (factors.empty()) return truth(true);
  const NodeId node = factors.size() == 1 ? factors[0] : graph_.product(factors);
  return Scalar::of_node(node, Type::boolean);
}

Scalar ScalarAlgebra::disjunction(std::span<const Scalar> parts) const {
  std::vector<Scalar> opposites;
  for (const Scalar& part : parts) opposites.push_back(negation(part));
  return negation(conjunction(opposites));
}

Scalar ScalarAlgebra::select(const Scalar& condition, const Scalar& then,
                             const Scalar& otherwise) const {
  if (condition.is_known) return condition.number != 0.0 ? then : otherwise;
  if (then.type == Type::boolean) {
    const Scalar first = conjunction(std::array{condition, then});
    const Scalar second = conjunction(std::array{negation(condition), otherwise});
    return disjunction(std::array{first, second});
  }
  const NodeId node = graph_.select(condition.node, node_of(then), node_of(otherwise));
  return Scalar::of_node(node, type_of(is_integer(then) && is_integer(otherwise)));
}

}  // namespace daedal::lang

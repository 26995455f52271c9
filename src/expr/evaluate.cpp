#include "expr/evaluate.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace daedal::expr {

// ---------------------------------------------------------------------------------------------------------------------
// One operation

namespace {

template <typename Real>
Real sign_of(Real value) {
  return value > 0 ? 1.0 : (value < 0 ? -1.0 : value);
}  // keeps NaN and zero

double apply_affine(const Graph& graph, NodeId node, std::span<const double> arguments) {
  const auto coefficients = graph.coefficients(node);
  double sum = graph.number(node);
  for (std::size_t k = 0; k < arguments.size(); ++k) sum += coefficients[k] * arguments[k];
  return sum;
}

double apply_product(std::span<const double> arguments) {
  double result = arguments[0];
  for (std::size_t k = 1; k < arguments.size(); ++k) result *= arguments[k];
  return result;
}

}  // namespace

bool is_root_or_product(double exponent) {
  const double magnitude = std::abs(exponent);
  return exponent == 0.5 || magnitude == 1.5 ||
         (magnitude <= 64 && magnitude == std::floor(magnitude));
}

template <typename Real>
Real apply_power(Real base, double exponent) {
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == 1.5) return base * std::sqrt(base);  // distances cubed
  if (exponent == -1.5) return 1 / (base * std::sqrt(base));
  if (!is_root_or_product(exponent)) return std::pow(base, static_cast<Real>(exponent));
  Real result = 1, square = base;
  for (int bits = static_cast<int>(std::abs(exponent)); bits > 0; bits >>= 1, square *= square)
    if ((bits & 1) != 0) result *= square;
  return exponent < 0 ? 1 / result : result;
}

template <typename Real>
Real apply_unary(Op op, Real u) {
  switch (op) {
    case Op::exp: return std::exp(u);
    case Op::log: return std::log(u);
    case Op::sin: return std::sin(u);
    case Op::cos: return std::cos(u);
    case Op::tan: return std::tan(u);
    case Op::asin: return std::asin(u);
    case Op::acos: return std::acos(u);
    case Op::atan: return std::atan(u);
    case Op::sinh: return std::sinh(u);
    case Op::cosh: return std::cosh(u);
    case Op::tanh: return std::tanh(u);
    case Op::asinh: return std::asinh(u);
    case Op::acosh: return std::acosh(u);
    case Op::atanh: return std::atanh(u);
    case Op::erf: return std::erf(u);
    case Op::abs: return std::abs(u);
    case Op::sign: return sign_of(u);
    case Op::positive: return u > 0 ? 1.0 : 0.0;
    case Op::nonnegative: return u >= 0 ? 1.0 : 0.0;
    default: base::report_bug("a unary function", __FILE__, __LINE__);
  }
}

template double apply_power(double, double);
template long double apply_power(long double, double);
template double apply_unary(Op, double);
template long double apply_unary(Op, long double);

double apply(const Graph& graph, NodeId node, std::span<const double> arguments) {
  switch (graph.op(node)) {
    case Op::affine: return apply_affine(graph, node, arguments);
    case Op::product: return apply_product(arguments);
    case Op::quotient: return arguments[0] / arguments[1];
    case Op::power: return apply_power(arguments[0], graph.number(node));
    case Op::pow: return std::pow(arguments[0], arguments[1]);
    case Op::atan2: return std::atan2(arguments[0], arguments[1]);
    case Op::min: return arguments[0] < arguments[1] ? arguments[0] : arguments[1];
    case Op::max: return arguments[0] > arguments[1] ? arguments[0] : arguments[1];
    case Op::select: return arguments[0] != 0.0 ? arguments[1] : arguments[2];
    default: return apply_unary(graph.op(node), arguments[0]);
  }
}
// ---------------------------------------------------------------------------------------------------------------------
// A graph at a point

namespace {

double value_of_diff(const Graph& graph, const Point& point, NodeId node) {
  const NodeId argument = graph.arguments(node)[0];
  if (graph.op(argument) != Op::unknown) return std::numeric_limits<double>::quiet_NaN();
  return point.unknown(graph.unknown(argument), graph.order(node));
}

}  // namespace

double value_at(const Graph& graph, NodeId node, const Point& point, std::span<const double> values,
                std::vector<double>& scratch) {
  switch (graph.op(node)) {
    case Op::constant: return graph.number(node);
    case Op::parameter: return point.parameters[graph.parameter(node).index()];
    case Op::time: return point.time;
    case Op::unknown: return point.unknown(graph.unknown(node), 0);
    case Op::diff: return value_of_diff(graph, point, node);
    default: break;
  }
  scratch.clear();
  for (const NodeId argument : graph.arguments(node)) scratch.push_back(values[argument.index()]);
  return apply(graph, node, scratch);
}

double Evaluator::value(NodeId root, const Point& point) {
  values_.resize(graph_.size());
  for (const NodeId node : cone_.below(root))
    values_[node.index()] = value_at(graph_, node, point, values_, arguments_);
  return values_[root.index()];
}

void SharedEvaluator::evaluate(const Point& point) {
  values_.resize(graph_.size());
  for (const NodeId node : nodes_)
    values_[node.index()] = value_at(graph_, node, point, values_, arguments_);
}

}  // namespace daedal::expr

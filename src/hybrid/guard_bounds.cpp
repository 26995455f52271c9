#include "hybrid/guard_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "expr/apply.hpp"
#include "expr/partial.hpp"
#include "expr/reachable.hpp"
#include "expr/simplify.hpp"
#include "hybrid/bernstein.hpp"

namespace daedal::hybrid {
namespace {

using expr::Op;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range anything{-infinity, infinity};

// A little wider, for rounding.
Range widened(Range r) {
  constexpr double rounding = 1e-14;
  if (std::isnan(r.low) || std::isnan(r.high)) return anything;
  return {r.low - rounding * std::abs(r.low), r.high + rounding * std::abs(r.high)};
}

Range times(Range a, Range b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double x : p)
    if (std::isnan(x)) return anything;
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

Range inverse(Range a) { return a.has_zero() ? anything : Range{1 / a.high, 1 / a.low}; }

Range power(Range a, double exponent) {
  const bool is_integer = exponent == std::floor(exponent);
  if (exponent < 0.0) return inverse(power(a, -exponent));
  const bool is_even = is_integer && std::fmod(exponent, 2.0) == 0.0;
  if (!is_integer && a.low < 0.0) return anything;
  const double low = std::pow(a.low, exponent), high = std::pow(a.high, exponent);
  if (!is_even || a.low >= 0.0) return {low, high};
  if (a.high <= 0.0) return {high, low};
  return {0.0, std::max(low, high)};
}

// Between -1 and 1; between the values at the ends if no extremum lies between them.
Range sine(Range a) {
  constexpr double pi = std::numbers::pi;
  if (!(a.high - a.low < 2 * pi)) return {-1.0, 1.0};
  const auto has_peak = [&](double phase) {  // phase + 2 pi k
    return std::floor((a.high - phase) / (2 * pi)) >= std::ceil((a.low - phase) / (2 * pi));
  };
  const double x = std::sin(a.low), y = std::sin(a.high);
  return {has_peak(-pi / 2) ? -1.0 : std::min(x, y), has_peak(pi / 2) ? 1.0 : std::max(x, y)};
}

Range monotone(Op op, Range a) {
  return {expr::apply_unary(op, a.low), expr::apply_unary(op, a.high)};
}

Range unary(Op op, Range a) {
  switch (op) {
    case Op::sin: return sine(a);
    case Op::cos: return sine({a.low + std::numbers::pi / 2, a.high + std::numbers::pi / 2});
    case Op::abs:
      if (a.has_zero()) return {0.0, std::max(-a.low, a.high)};
      return a.low > 0.0 ? a : Range{-a.high, -a.low};
    case Op::log: return a.low > 0.0 ? monotone(op, a) : anything;
    case Op::exp:
    case Op::atan:
    case Op::tanh:
    case Op::sinh:
    case Op::asinh:
    case Op::erf:
    case Op::sign: return monotone(op, a);
    default: return anything;
  }
}

}  // namespace

// The Bernstein coefficients of the first few terms bound their sum; the rest is bounded by the
// size of its terms.
Range range_of(solution::Polynomial x, int order, double scale, double end) {
  constexpr int few = 8;
  std::array<double, few> first{};  // of a shorter polynomial the rest is zero
  if (x.size() <= order) return anything;
  double factor = 1.0, rest = 0.0;
  for (int m = 1; m <= order; ++m) factor *= m / scale;
  for (int k = 0; k + order < x.size(); ++k) {
    const double term = factor * x[k + order];
    if (k < few)
      first[k] = term;
    else
      rest += std::abs(term);
    factor *= order == 0 ? end : end * static_cast<double>(k + 1 + order) / (k + 1);
  }
  to_bernstein(first);
  double low = first[0], high = first[0];
  for (const double b : first) {
    low = std::min(low, b);
    high = std::max(high, b);
  }
  return widened({low - rest, high + rest});
}

GuardBounds::GuardBounds(const expr::Graph& graph, std::span<const NodeId> guards) {
  expr::Simplified copy = expr::simplify(graph, guards);
  graph_ = std::move(copy.graph);
  roots_ = expr::expand_derivatives(*graph_, copy.roots);
  nodes_ = expr::reachable(*graph_, roots_);
  ranges_.resize(graph_->size());
}

bool GuardBounds::may_be_zero(const solution::StepView& step, const solution::StepLayout& layout,
                              const std::vector<double>& parameters) {
  for (const NodeId node : nodes_)
    ranges_[node.index()] = widened(range(node, step, layout, parameters));
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](NodeId root) { return ranges_[root.index()].has_zero(); });
}

Range GuardBounds::range(NodeId node, const solution::StepView& step,
                         const solution::StepLayout& layout,
                         const std::vector<double>& parameters) const {
  const auto arguments = graph_->arguments(node);
  const auto of = [&](std::size_t k) { return ranges_[arguments[k].index()]; };
  const double end = (step.end - step.begin) / step.scale;
  switch (graph_->op(node)) {
    case Op::constant: return {graph_->number(node), graph_->number(node)};
    case Op::parameter: {
      const double value = parameters[graph_->parameter(node).index()];
      return {value, value};
    }
    case Op::time: return {std::min(step.begin, step.end), std::max(step.begin, step.end)};
    case Op::unknown:
      return range_of(step.polynomial(layout, static_cast<int>(graph_->unknown(node).index())), 0,
                      step.scale, end);
    case Op::diff:
      return range_of(
          step.polynomial(layout, static_cast<int>(graph_->unknown(arguments[0]).index())),
          graph_->order(node), step.scale, end);
    case Op::affine: {
      Range sum{graph_->number(node), graph_->number(node)};
      const auto coefficients = graph_->coefficients(node);
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const double c = coefficients[k];
        sum.low += c > 0.0 ? c * of(k).low : c * of(k).high;
        sum.high += c > 0.0 ? c * of(k).high : c * of(k).low;
      }
      return sum;
    }
    case Op::product: {
      Range product = of(0);
      for (std::size_t k = 1; k < arguments.size(); ++k) product = times(product, of(k));
      return product;
    }
    case Op::quotient: return times(of(0), inverse(of(1)));
    case Op::power: return power(of(0), graph_->number(node));
    case Op::min: return {std::min(of(0).low, of(1).low), std::min(of(0).high, of(1).high)};
    case Op::max: return {std::max(of(0).low, of(1).low), std::max(of(0).high, of(1).high)};
    default:
      return expr::is_unary_function(graph_->op(node)) ? unary(graph_->op(node), of(0)) : anything;
  }
}

}  // namespace daedal::hybrid

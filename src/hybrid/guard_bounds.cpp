#include "hybrid/guard_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"
#include "hybrid/bernstein.hpp"

namespace daedal::hybrid {
namespace {

using expr::anything;
using expr::Op;
using expr::widened;

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

double GuardBounds::value(int guard, const expr::Point& point) const {
  return expr::Evaluator(*graph_).value(roots_[guard], point);
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
        const Range term = expr::times(coefficients[k], of(k));
        sum.low += term.low;
        sum.high += term.high;
      }
      return sum;
    }
    case Op::product: {
      Range product = of(0);
      for (std::size_t k = 1; k < arguments.size(); ++k) product = expr::times(product, of(k));
      return product;
    }
    case Op::quotient: return expr::times(of(0), expr::inverse(of(1)));
    case Op::power: return expr::power(of(0), graph_->number(node));
    case Op::min: return expr::smaller(of(0), of(1));
    case Op::max: return expr::larger(of(0), of(1));
    default:
      return expr::is_unary_function(graph_->op(node)) ? expr::apply_unary(graph_->op(node), of(0))
                                                       : anything;
  }
}

}  // namespace daedal::hybrid

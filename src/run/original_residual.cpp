#include "run/original_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/graph.hpp"

namespace daedal::run {

using expr::NodeId;

OriginalResidual::OriginalResidual(const plan::Plan& original, std::vector<double> parameters)
    : parameters_(std::move(parameters)),
      nominals_(plan::nominals_of(original.model, parameters_)),
      graph_(original.equations.graph->copy()),
      residuals_(original.residuals().begin(), original.residuals().end()),
      nodes_(expr::reachable(*graph_, residuals_)),
      sizes_(graph_->size(), 0.0),
      tape_(*graph_, residuals_, 0),
      interpreter_(tape_) {}

double OriginalResidual::at(const solution::StepSource& run) {
  const auto derivative = [&](expr::UnknownId unknown, int order) {
    const auto j = static_cast<int>(unknown.index());
    return order <= run.highest_reliable(j) ? run.derivative(j, order)
                                            : std::numeric_limits<double>::quiet_NaN();
  };
  interpreter_.run({.time = run.t(), .parameters = parameters_, .derivative = derivative});
  find_sizes();
  double largest = 0.0;
  for (const NodeId residual : residuals_) largest = std::max(largest, of_equation(residual));
  return largest;
}

// What the terms of every node would add up to if none cancelled, and if no unknown were smaller
// than its nominal size: an equation that is mixed of others has terms that vanish by themselves,
// and says nothing about its own size.
void OriginalResidual::find_sizes() {
  for (const NodeId node : nodes_) {
    const auto arguments = graph_->arguments(node);
    double size = tape_.has_slot(node) ? std::abs(interpreter_.coefficient(node)) : 0.0;
    const NodeId leaf = graph_->op(node) == expr::Op::diff ? arguments[0] : node;
    if (graph_->op(leaf) == expr::Op::unknown) {
      size = std::max(size, nominals_[graph_->unknown(leaf).index()]);
    } else if (graph_->op(node) == expr::Op::affine) {
      size = std::abs(graph_->number(node));
      for (std::size_t k = 0; k < arguments.size(); ++k)
        size += std::abs(graph_->coefficients(node)[k]) * sizes_[arguments[k].index()];
    } else if (graph_->op(node) == expr::Op::product) {
      size = 1.0;
      for (const NodeId argument : arguments) size *= sizes_[argument.index()];
    }
    sizes_[node.index()] = size;
  }
}

double OriginalResidual::of_equation(NodeId residual) const {
  const double value = std::abs(interpreter_.coefficient(residual));
  return value == 0.0
             ? 0.0
             : value / std::max(sizes_[residual.index()], std::numeric_limits<double>::min());
}

}  // namespace daedal::run

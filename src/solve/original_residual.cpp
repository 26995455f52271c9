#include "solve/original_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::solving {

using expr::NodeId;

OriginalResidual::OriginalResidual(const Plan& original, std::vector<double> parameters)
    : parameters_(std::move(parameters)),
      graph_(original.equations.graph->copy()),
      residuals_(original.residuals().begin(), original.residuals().end()),
      tape_(*graph_, residuals_, 0),
      interpreter_(tape_) {}

double OriginalResidual::at(const solution::StepSource& run) {
  const auto derivative = [&](expr::UnknownId unknown, int order) {
    const auto j = static_cast<int>(unknown.index());
    return order <= run.highest_reliable(j) ? run.derivative(j, order)
                                            : std::numeric_limits<double>::quiet_NaN();
  };
  interpreter_.run({.time = run.t(), .parameters = parameters_, .derivative = derivative});
  double largest = 0.0;
  for (const NodeId residual : residuals_) largest = std::max(largest, of_equation(residual));
  return largest;
}

double OriginalResidual::of_equation(NodeId residual) const {
  double size = 1.0;
  if (graph_->op(residual) == expr::Op::affine) {
    const auto terms = graph_->arguments(residual);
    size = std::abs(graph_->number(residual));
    for (std::size_t k = 0; k < terms.size(); ++k)
      if (tape_.has_slot(terms[k]))
        size += std::abs(graph_->coefficients(residual)[k] * interpreter_.coefficient(terms[k]));
  }
  const double value = std::abs(interpreter_.coefficient(residual));
  return value == 0.0 ? 0.0 : value / std::max(size, std::numeric_limits<double>::min());
}

}  // namespace daedal::solving

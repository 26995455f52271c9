// The derivative array by another method: d^k f/dt^k and its gradient as expressions, evaluated one
// by one.
#pragma once

#include <cmath>
#include <vector>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "reduce/array/derivative_array.hpp"

namespace daedal::test {

class DirectArray {
 public:
  DirectArray(expr::Graph& graph, std::span<const expr::NodeId> residuals,
              const reduce::DerivativeArray& array)
      : graph_(graph) {
    std::vector<expr::NodeId> derivatives = expr::expand_derivatives(graph, residuals);
    for (int column = 0; column < array.num_columns(); ++column) {
      const auto [unknown, order] = array.place_of_column(column);
      const expr::NodeId x = graph.node(expr::UnknownId(static_cast<std::size_t>(unknown)));
      columns_.push_back(order == 0 ? x : graph.diff(x, order));
    }
    std::vector<int> times(residuals.size(), 0);
    for (const auto [equation, order] : array.rows()) {  // by order
      for (; times[equation] < order; ++times[equation])
        derivatives[equation] = expr::total_derivative(graph, derivatives[equation]);
      rows_.push_back(derivatives[equation]);
    }
  }

  // At a point of derivatives.
  std::vector<double> values(const reduce::ArrayPoint& point) {
    expr::Evaluator evaluator(graph_);
    std::vector<double> values;
    for (const expr::NodeId row : rows_) values.push_back(evaluator.value(row, at(point)));
    return values;
  }

  std::vector<std::vector<double>> jacobian(const reduce::ArrayPoint& point) {
    std::vector<std::vector<double>> rows;
    for (const expr::NodeId row : rows_) {
      const std::vector<expr::NodeId> gradient = expr::gradient(graph_, row, columns_);
      expr::Evaluator evaluator(graph_);
      rows.emplace_back();
      for (const expr::NodeId entry : gradient)
        rows.back().push_back(evaluator.value(entry, at(point)));
    }
    return rows;
  }

 private:
  expr::Point at(const reduce::ArrayPoint& point) const {
    return {point.time, point.parameters, [this, &point](expr::UnknownId j, int order) {
              return point.values[order * graph_.num_unknowns() + j.index()];
            }};
  }

  expr::Graph& graph_;
  std::vector<expr::NodeId> columns_, rows_;
};

inline std::vector<std::vector<double>> dense(const reduce::SparseRows& matrix, int num_columns) {
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row + 1 < matrix.starts.size(); ++row) {
    rows.emplace_back(num_columns, 0.0);
    for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
      rows.back()[matrix.columns[k]] = matrix.values[k];
  }
  return rows;
}

// Numbers from -1 to 1 that look random and are the same everywhere.
inline double scattered(int k) {
  const double x = std::sin(12.9898 * (k + 1)) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

}  // namespace daedal::test

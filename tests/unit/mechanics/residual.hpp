// Residuals of models at a point that no formula favours.
#pragma once

#include <vector>

#include "daedal/model.hpp"
#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "model/model_data.hpp"

namespace daedal {

// x_j^(order) there.
inline double value_at_a_point(int unknown, int order) {
  return 0.3 + 0.7 * unknown - 0.41 * order;
}

// The residual of equation i, derivatives expanded.
inline double residual_at_a_point(const Model& model, std::size_t i) {
  expr::Graph& graph = *model.data().graph;
  const std::vector<double> parameters = model::parameter_values(model.data());
  const expr::NodeId root =
      expr::expand_derivatives(graph, {&model.data().equations[i].residual, 1})[0];
  const auto value = [](expr::UnknownId j, int order) {
    return value_at_a_point(static_cast<int>(j.index()), order);
  };
  return expr::Evaluator(graph).value(root,
                                      {.time = 0.8, .parameters = parameters, .unknown = value});
}

}  // namespace daedal

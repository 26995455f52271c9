// The equations of a model in order one.
#pragma once

#include <vector>

#include "model/model_data.hpp"
#include "reduce/array/first_order.hpp"

namespace daedal::reduce {

inline FirstOrderForm form_of(const Model& model) {
  std::vector<NodeId> residuals;
  for (const model::Equation& equation : model.data().equations)
    residuals.push_back(equation.residual);
  return first_order_form(*model.data().graph, residuals, {});
}

}  // namespace daedal::reduce

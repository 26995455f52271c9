// A model on its way through conversions: its equations simplified, their structure, the verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "structure/structure.hpp"
#include "taylor/regularity.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::reduce {

struct AnalysedModel {
  model::ModelData data;
  std::vector<double> parameters;
  expr::Simplified equations;  // roots: the residuals
  bool is_structurally_regular = false;
  // Set for a structurally regular model only:
  structure::Structure structure;
  std::vector<taylor::JacobianEntry> jacobian;  // of the diagonal blocks, nodes of equations.graph
  taylor::Regularity regularity;

  expr::Graph& graph() { return *equations.graph; }
  // The unknown's derivative of this order as a node of equations.graph.
  expr::NodeId derivative(int unknown, int order);
  // "d/dt total".
  std::string differentiated(int equation, int order) const;
  std::string derivative_name(int unknown, int order) const;
};

AnalysedModel analysed(model::ModelData model, std::vector<double> parameters);

}  // namespace daedal::reduce

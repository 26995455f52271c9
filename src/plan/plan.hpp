// What every computation on a model starts from: its equations simplified, their structure, the
// parameters' values. Built once, then constant, except that the graph grows by derivatives.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "solution/outputs.hpp"
#include "structure/structure.hpp"
#include "taylor/regularity.hpp"

namespace daedal::plan {

// A value at the start that was given beside the model: of an unknown's derivative of this order.
struct OtherStart {
  int unknown = 0;
  int order = 0;
  double value = 0.0;
  bool fixed = false;
};

struct Plan {
  const model::ModelData& model;
  std::vector<double> parameters;
  expr::Simplified equations;  // roots: the residuals, then those of the initial equations
  structure::Structure structure;
  std::vector<int> leads;         // by fine block: derivatives by which the block runs ahead
  std::vector<bool> is_linear;    // by fine block taken alone: in its highest derivatives
  taylor::Regularity regularity;  // of the system Jacobian at generic points
  std::shared_ptr<const solution::Outputs> outputs;
  std::vector<OtherStart> starts;   // they take the place of those of the model
  std::string conversion_obstacle;  // why a singular Jacobian could not be made regular, if it was
                                    // tried

  std::size_t size() const { return model.equations.size(); }
  std::span<const expr::NodeId> residuals() const {
    return std::span(equations.roots).first(size());
  }
  std::span<const expr::NodeId> initial_residuals() const {
    return std::span(equations.roots).subspan(size());
  }
  // The highest derivative of each unknown that its block taken alone determines: d_j - lead. Below
  // it are the values that a start must tell.
  std::vector<int> local_orders() const;
  std::vector<double> nominals() const;             // by unknown
  std::vector<std::string> variable_names() const;  // those told with a solution

  // With a graph of its own, in which all ids are the same.
  Plan copy() const;
};

// By unknown.
std::vector<double> nominals_of(const model::ModelData& model,
                                const std::vector<double>& parameters);

// Throws what model::check finds, and E-STR-001 and E-STR-002 for a structurally singular model.
Plan make_plan(const model::ModelData& model);
// Makes a plan for other values of the parameters, on which the verdict on the Jacobian depends.
// Throws E-STR-001 and E-STR-002; the model is not checked.
Plan make_plan(const model::ModelData& model, const std::vector<double>& parameters);

// S-STR-001 with the advice of this verb if the Jacobian is singular everywhere; empty if all is
// well.
std::vector<Problem> explain_regularity(Plan& plan);

}  // namespace daedal::plan

// The model that is solved: the user's, or, if its Lagrangian allows constraints that depend on
// each other and there are some, one in which multipliers of minimum norm replace the redundant
// ones.
#pragma once

#include <optional>
#include <vector>

#include "daedal/error.hpp"
#include "model/model_data.hpp"

namespace daedal::plan {

class BalancedModel {
 public:
  // Keeps a reference. Dependent constraints are looked for near the guesses, at time t. Throws
  // what model::check throws.
  BalancedModel(const model::ModelData& model, double t) : model_(model) {
    if (model.mechanics && model.mechanics->allows_redundant) balance(t);
  }

  const model::ModelData& data() const { return balanced_ ? *balanced_ : model_; }

 private:
  void balance(double t);

  const model::ModelData& model_;
  std::optional<model::ModelData> balanced_;
};

// S-LAG-001 for every constraint that follows from others; empty if there is none.
std::vector<Problem> explain_dependent_constraints(const model::ModelData& model,
                                                   const std::vector<double>& parameters, double t);
// Those constraints at the model's start time.
std::vector<Problem> explain_dependent_constraints(const model::ModelData& model,
                                                   const std::vector<double>& parameters);

// S-LAG-002 for every constraint that was left out as redundant and does not hold at a point, given
// by values[j]: x_j, x_j', ...
std::vector<Problem> explain_violated_constraints(const model::ModelData& model,
                                                  const std::vector<double>& parameters, double t,
                                                  const std::vector<std::vector<double>>& values);

// One list after the other.
std::vector<Problem> joined(std::vector<Problem> first, const std::vector<Problem>& second);

}  // namespace daedal::plan

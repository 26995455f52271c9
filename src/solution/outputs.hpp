// Expressions that are evaluated from a solution, not solved for: a model's outputs, its drawings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "expr/graph.hpp"
#include "model/model_data.hpp"

namespace daedal::solution {

// Needs nothing of the model once built, and does not change: several solutions share it.
class Formulas {
 public:
  Formulas(const expr::Graph& graph, const std::vector<expr::NodeId>& roots);

  std::size_t size() const { return roots_.size(); }

  // x_j^(order), NaN if it is not known.
  using Derivative = std::function<double(int unknown, int order)>;
  std::vector<double> values(double t, const std::vector<double>& parameters,
                             const Derivative& derivative) const;

 private:
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> roots_;  // derivatives of unknowns only
};

class Outputs : public Formulas {
 public:
  explicit Outputs(const model::ModelData& model);

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace daedal::solution

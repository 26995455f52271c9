// Expressions that are evaluated from a solution, not solved for: a model's discrete variables and
// outputs, its drawings.
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
  // The value of one formula.
  double value(std::size_t formula, double t, const std::vector<double>& parameters,
               const Derivative& derivative) const;

 private:
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> roots_;  // derivatives of unknowns only
};

// Discrete variables are parameters that events change: with those of a leg of a trajectory they
// have the values that held in it.
class Outputs : public Formulas {
 public:
  explicit Outputs(const model::ModelData& model);

  const std::vector<std::string>& names() const { return names_; }
  // How many of them, the first ones, are discrete variables.
  int num_discretes() const { return num_discretes_; }

 private:
  explicit Outputs(const expr::Graph& graph, const std::vector<model::Output>& reported);

  std::vector<std::string> names_;
  int num_discretes_ = 0;
};

}  // namespace daedal::solution

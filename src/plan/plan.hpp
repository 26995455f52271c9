// What every computation on a model starts from: its equations simplified, their structure, the
// parameters' values. Built once, then constant, except that the graph grows by derivatives.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/initialize.hpp"
#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "reduce/conversion/conversion.hpp"
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
  std::vector<OtherStart> starts;  // they take the place of those of the model
  StartWeighting weights = StartWeighting::choosable;
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
  // Whether all x_j^(d_j) are found by linear solves [Nedialkov2009, sec. 2.2].
  bool is_quasilinear() const;
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

// The model that is solved if structural analysis fails on the user's: one that conversions made of
// it, or the user's own if there is none.
class RegularizedModel {
 public:
  // Both keep a reference, and throw what make_plan throws.
  explicit RegularizedModel(const model::ModelData& model);
  // Is for other values of the parameters, and does not check the model.
  RegularizedModel(const model::ModelData& model, const std::vector<double>& parameters);
  RegularizedModel(const RegularizedModel&) = delete;
  RegularizedModel& operator=(const RegularizedModel&) = delete;

  // The plan of the model that is solved. Its Jacobian is singular only if no conversion was found.
  Plan& plan() { return is_converted() ? *converted_ : original_; }
  const Plan& plan() const { return is_converted() ? *converted_ : original_; }
  bool is_converted() const { return converted_ != nullptr; }
  // The user's equations, on which the solution of a converted model is checked.
  Plan& original() { return original_; }
  const Plan& original() const { return original_; }
  // Whether the conversion holds for these values of the parameters, too: some may be numbers in
  // it.
  bool holds_for(const std::vector<double>& parameters) const;
  // Bytes that are the same for two conversions that are numbers in the same parameters' places.
  std::string fixed_values() const;

 private:
  void convert_if_singular();

  Plan original_;
  reduce::ConversionResult conversion_;
  std::unique_ptr<Plan> converted_;
};

// What is to be done about a block on which structural analysis fails, now that a conversion was
// tried.
void tell_conversion(std::vector<Problem>& problems, const reduce::ConversionResult& result);

// S-STR-001 with the advice of this verb if the Jacobian is singular everywhere; empty if all is
// well.
std::vector<Problem> explain_regularity(Plan& plan);

}  // namespace daedal::plan

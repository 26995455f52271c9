// Values of expressions at several generic points of a model, with bounds of their rounding errors:
// what holds at all of them is taken for an identity (docs/theory/conversion.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linear/rounded.hpp"
#include "model/model_data.hpp"
#include "taylor/regularity.hpp"

namespace daedal::reduce {

class GenericValues {
 public:
  GenericValues(const model::ModelData& model, std::vector<double> parameters);

  // [point][k]: the value of roots[k]. Points at which one of them is not defined are left out.
  using Table = std::vector<std::vector<linear::Rounded>>;

  // At points with the parameters as given, and at points where all that may have other values do.
  Table everywhere(expr::Graph& graph, std::span<const expr::NodeId> roots) const;
  // With another value of this parameter alone.
  Table with_other(model::ParameterId parameter, expr::Graph& graph,
                   std::span<const expr::NodeId> roots) const;

  // Zero to rounding wherever they are defined, and defined somewhere.
  bool all_vanish(expr::Graph& graph, std::span<const expr::NodeId> roots) const;

  // Positive at some points and negative at others: it has zeros between them.
  bool changes_sign(expr::Graph& graph, expr::NodeId node) const;

  // Not for numbers that shape the model.
  bool may_change(model::ParameterId parameter) const { return may_change_[parameter.index()]; }
  double value(model::ParameterId parameter) const { return parameters_[parameter.index()]; }
  const std::vector<taylor::Guess>& guesses() const { return guesses_; }

 private:
  void add(expr::Graph& graph, std::span<const expr::NodeId> roots,
           const std::vector<double>& parameters, std::span<const double> reaches,
           Table& table) const;
  double other_value(std::size_t parameter) const;

  std::vector<double> parameters_;
  std::vector<bool> may_change_;
  std::vector<taylor::Guess> guesses_;
  double start_, duration_;
};

// The small rational number that a quantity is at all points, if it is one: p/q, q up to 12.
std::optional<double> recognised(std::span<const linear::Rounded> values);

}  // namespace daedal::reduce

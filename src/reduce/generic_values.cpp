#include "reduce/generic_values.hpp"

#include <algorithm>
#include <cmath>

#include "reduce/structural_analysis.hpp"
#include "taylor/generic_point.hpp"

namespace daedal::reduce {

using expr::NodeId;
using linear::Rounded;

GenericValues::GenericValues(const model::ModelData& model, std::vector<double> parameters)
    : parameters_(std::move(parameters)),
      guesses_(guesses_of(model, parameters_)),
      start_(model.experiment.start_time.value_or(0.0)),
      duration_(model.experiment.stop_time.value_or(start_ + 1.0) - start_) {
  for (const model::Parameter& parameter : model.parameters)
    may_change_.push_back(parameter.type == model::ParameterType::real && !parameter.structural);
}

// Near the value, so that what is defined stays so; irregular, so that no two change alike.
double GenericValues::other_value(std::size_t parameter) const {
  const double value = parameters_[parameter];
  const double part = 0.11 + 0.13 * std::abs(std::sin(1.9 * static_cast<double>(parameter) + 0.6));
  return value == 0.0 ? part : (1.0 + part) * value;
}

void GenericValues::add(expr::Graph& graph, std::span<const NodeId> roots,
                        const std::vector<double>& parameters, std::span<const double> reaches,
                        Table& table) const {
  const taylor::Tape tape(graph, roots, 0);
  taylor::RoundedInterpreter interpreter(tape);
  const taylor::GenericPointInput input{
      .time = start_, .duration = duration_, .parameters = parameters, .guesses = guesses_};
  std::uint64_t seed = 0xc0de;
  for (const double reach : reaches) {
    taylor::GenericPoint point(graph, input, seed++, reach);
    if (point.evaluate(interpreter).is_set()) continue;
    std::vector<Rounded>& values = table.emplace_back();
    for (const NodeId root : roots) values.push_back(interpreter.coefficient(root));
  }
}

GenericValues::Table GenericValues::everywhere(expr::Graph& graph,
                                               std::span<const NodeId> roots) const {
  constexpr double reaches[] = {1.0, 0.1, 0.01, 3.0}, reaches_of_others[] = {0.5, 0.05};
  Table table;
  add(graph, roots, parameters_, reaches, table);
  std::vector<double> others = parameters_;
  for (std::size_t k = 0; k < others.size(); ++k)
    if (may_change_[k]) others[k] = other_value(k);
  add(graph, roots, others, reaches_of_others, table);
  return table;
}

bool GenericValues::changes_sign(expr::Graph& graph, NodeId node) const {
  const std::vector<double> reaches(40, 1.0);
  Table table;
  add(graph, {&node, 1}, parameters_, reaches, table);
  const auto has = [&](bool positive) {
    return std::any_of(table.begin(), table.end(), [&](const std::vector<Rounded>& values) {
      return !values[0].is_zero() && (values[0].value > 0) == positive;
    });
  };
  return has(true) && has(false);
}

GenericValues::Table GenericValues::with_other(model::ParameterId parameter, expr::Graph& graph,
                                               std::span<const NodeId> roots) const {
  constexpr double reaches[] = {1.0, 0.1};
  std::vector<double> others = parameters_;
  others[parameter.index()] = other_value(parameter.index());
  Table table;
  add(graph, roots, others, reaches, table);
  return table;
}

bool GenericValues::all_vanish(expr::Graph& graph, std::span<const NodeId> roots) const {
  const Table table = everywhere(graph, roots);
  return !table.empty() && std::all_of(table.begin(), table.end(), [](const auto& values) {
    return std::all_of(values.begin(), values.end(),
                       [](const Rounded& value) { return value.is_zero(); });
  });
}

std::optional<double> recognised(std::span<const Rounded> values) {
  constexpr int largest_denominator = 12;
  constexpr long double largest = 1000, sharp = 1e-12L;  // an error bound this small is evidence
  if (values.empty() || std::abs(values[0].value) > largest) return std::nullopt;
  for (int q = 1; q <= largest_denominator; ++q) {
    const long double candidate = std::round(values[0].value * q) / q;
    const bool is_it = std::all_of(values.begin(), values.end(), [&](const Rounded& value) {
      return value.error <= sharp * std::max(std::abs(value.value), 1e-3L) &&
             (value - Rounded(candidate, 0)).is_zero();
    });
    if (is_it) return static_cast<double>(candidate);
  }
  return std::nullopt;
}

}  // namespace daedal::reduce

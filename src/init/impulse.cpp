#include "init/impulse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "linear/linear_solver.hpp"
#include "structure/quasilinear.hpp"
#include "taylor/system_jacobian.hpp"

namespace daedal::init {
namespace {

constexpr int most_iterations = 20;

// Whether equations that are not differentiated are linear in the highest derivatives.
bool balances_impulses(const SearchInput& input) {
  const std::vector<int> levels(input.structure.fine_blocks.size(), 0);
  const std::vector<bool> is_linear =
      structure::linear_blocks(input.graph, input.residuals, input.structure, levels);
  return std::all_of(is_linear.begin(), is_linear.end(), [](bool linear) { return linear; });
}

}  // namespace

ImpulseSearch::ImpulseSearch(const SearchInput& input)
    : graph_(input.graph),
      structure_(input.structure),
      is_linear_(balances_impulses(input)),
      constraints_(input.residuals.size()) {
  std::vector<expr::NodeId> nodes;
  const auto entries = taylor::system_jacobian(graph_, input.residuals, structure_);
  for (const taylor::JacobianEntry& entry : entries) nodes.push_back(entry.value);
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    if (structure_.c[i] > 0)
      nodes.push_back(structure_.c[i] > 1 ? graph_.diff(input.residuals[i], structure_.c[i] - 1)
                                          : input.residuals[i]);
  nodes = expr::expand_derivatives(graph_, nodes);
  std::size_t next = 0;
  for (const taylor::JacobianEntry& entry : entries)
    jacobian_.push_back({entry.equation, entry.unknown, nodes[next++]});
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    if (structure_.c[i] > 0) constraints_[i] = nodes[next++];
}

std::optional<Impulse> ImpulseSearch::find(double t, std::span<const double> parameters,
                                           std::vector<std::vector<double>> values) {
  if (!is_linear_) return std::nullopt;
  const auto size = static_cast<int>(constraints_.size());
  values.resize(size);
  std::vector<linear::Place> places;
  for (const Entry& entry : jacobian_) places.push_back({entry.row, entry.column});
  const auto solver = linear::make_square_solver(size, places);
  const expr::Point point{
      .time = t, .parameters = parameters, .unknown = [&](expr::UnknownId j, int order) {
        const std::vector<double>& known = values[j.index()];
        return order < static_cast<int>(known.size()) ? known[order] : 0.0;
      }};
  expr::Evaluator evaluator(graph_);
  Impulse impulse{std::vector<double>(size, 0.0)};
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    std::vector<double> numbers, b(size, 0.0);
    for (const Entry& entry : jacobian_) {
      numbers.push_back(evaluator.value(entry.value, point));
      if (structure_.c[entry.row] == 0)
        b[entry.row] -= numbers.back() * impulse.delta[entry.column];
    }
    for (int i = 0; i < size; ++i)
      if (constraints_[i].is_set()) b[i] = -evaluator.value(constraints_[i], point);
    if (!solver->factorise(numbers)) return std::nullopt;
    solver->solve(b);
    double largest = 0.0;
    for (int j = 0; j < size; ++j) {
      if (!std::isfinite(b[j])) return std::nullopt;
      impulse.delta[j] += b[j];
      if (structure_.d[j] == 0) continue;
      if (structure_.d[j] > static_cast<int>(values[j].size())) return std::nullopt;
      double& value = values[j][structure_.d[j] - 1];
      value += b[j];
      largest = std::max(largest, std::abs(b[j]) / (1.0 + std::abs(value)));
    }
    if (largest <= 1e-14) return impulse;
  }
  return std::nullopt;
}

}  // namespace daedal::init

#include "run/modes/fired_clauses.hpp"

#include <algorithm>

#include "expr/graph.hpp"

namespace daedal::run {

FiredClauses::FiredClauses(const model::ModelData& model, const hybrid::Guards& guards)
    : model_(model), guards_(guards), clauses_of_(guards.size()) {
  expr::Cone cones(*model.graph);
  for (std::size_t k = 0; k < model.whens.size(); ++k) {
    const auto clause = static_cast<int>(k);
    first_alternative_.push_back(model.whens[k].is_alternative && k > 0 ? first_alternative_.back()
                                                                        : clause);
    for (const expr::NodeId node : cones.below(model.whens[k].condition)) {
      if (!guards.has_use(node) || guards.use(node).guard < 0) continue;
      std::vector<int>& clauses = clauses_of_[guards.use(node).guard];
      if (clauses.empty() || clauses.back() != clause) clauses.push_back(clause);
    }
  }
}

std::vector<int> FiredClauses::concerned(const hybrid::Sides& before,
                                         const hybrid::Sides& after) const {
  std::vector<int> clauses;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (before[k] != after[k])
      clauses.insert(clauses.end(), clauses_of_[k].begin(), clauses_of_[k].end());
  std::sort(clauses.begin(), clauses.end());
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  return clauses;
}

std::vector<int> FiredClauses::between(const hybrid::Sides& before, const hybrid::Sides& after,
                                       const std::vector<double>& parameters) const {
  const auto holds = [&](int clause, const hybrid::Sides& sides) {
    return hybrid::holds(model_, guards_, model_.whens[clause].condition, sides, parameters);
  };
  std::vector<int> fired;
  for (const int k : concerned(before, after)) {
    const bool is_taken =
        !fired.empty() && first_alternative_[fired.back()] == first_alternative_[k];
    if (!is_taken && !holds(k, before) && holds(k, after)) fired.push_back(k);
  }
  return fired;
}

}  // namespace daedal::run

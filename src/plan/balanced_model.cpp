#include "plan/balanced_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wording.hpp"
#include "expr/evaluate.hpp"
#include "mechanics/redundancy.hpp"
#include "model/check.hpp"

namespace daedal::plan {

using mechanics::Dependence;
using model::ModelData;

void BalancedModel::balance(double t) {
  const std::vector<Dependence> dependences =
      mechanics::find_dependences(model_, model::check(model_), t);
  if (!dependences.empty()) balanced_ = mechanics::with_minimum_norm(model_, dependences);
}

std::vector<Problem> explain_dependent_constraints(const ModelData& model,
                                                   const std::vector<double>& parameters,
                                                   double t) {
  std::vector<Problem> problems;
  for (const Dependence& found : mechanics::find_dependences(model, parameters, t)) {
    const std::vector<model::EquationId>& constraints = model.mechanics->constraints;
    const auto name = [&](int j) { return fmt::format("'{}'", model.label(constraints[j])); };
    const std::string others =
        base::listed(found.on.size(), [&](std::size_t k) { return name(found.on[k]); });
    std::string where = model.place_of(constraints[found.redundant]);
    for (const int j : found.on) where += ", " + model.place_of(constraints[j]);
    problems.push_back(
        {.id = "S-LAG-001",
         .what = fmt::format("constraint {} follows from {}", name(found.redundant), others),
         .where = where,
         .why = fmt::format("near the start, where all constraints hold, the gradient of {} is {} "
                            "(to {:.0e}): how the force is shared between them is not determined",
                            name(found.redundant),
                            base::listed(found.on.size(),
                                         [&](std::size_t k) {
                                           return fmt::format("{:.4g} times that of {}",
                                                              found.coefficients[k],
                                                              name(found.on[k]));
                                         }),
                            std::max(found.defect, 1e-12)),
         .todo = "remove one of these constraints; or write 'redundant constraints;' in the "
                 "lagrangian section (allow_redundant in C++), which shares forces so that the sum "
                 "of the squares of the multipliers is smallest"});
  }
  return problems;
}

std::vector<Problem> explain_dependent_constraints(const ModelData& model,
                                                   const std::vector<double>& parameters) {
  return explain_dependent_constraints(model, parameters,
                                       model.experiment.start_time.value_or(0.0));
}

std::vector<Problem> explain_violated_constraints(const ModelData& model,
                                                  const std::vector<double>& parameters, double t,
                                                  const std::vector<std::vector<double>>& values) {
  if (!model.mechanics) return {};
  constexpr double holds = 1e-6;  // relative to the sides: a start is accurate to rounding
  const auto unknown = [&](expr::UnknownId j, int order) {
    const std::vector<double>& known = values[j.index()];
    return order < static_cast<int>(known.size()) ? known[order]
                                                  : std::numeric_limits<double>::quiet_NaN();
  };
  const expr::Point point{.time = t, .parameters = parameters, .unknown = unknown};
  expr::Evaluator evaluator(*model.graph);
  std::vector<Problem> problems;
  for (const model::Equation& equation : model.mechanics->left_out) {
    const double left = evaluator.value(equation.left, point);
    const double right = evaluator.value(equation.right, point);
    if (!(std::abs(left - right) > holds * (1.0 + std::abs(left) + std::abs(right)))) continue;
    problems.push_back(
        {.id = "S-LAG-002",
         .what = fmt::format("constraint '{}' does not hold at the start", equation.name),
         .where = equation.place.text(),
         .why = fmt::format("its sides are {:.10g} and {:.10g}; near the guesses it follows from "
                            "other constraints and was left out, but the start found is elsewhere",
                            left, right),
         .todo =
             "give guesses for all coordinates that nearly satisfy the constraints, on the side "
             "that is meant"});
  }
  return problems;
}

std::vector<Problem> joined(std::vector<Problem> first, const std::vector<Problem>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace daedal::plan

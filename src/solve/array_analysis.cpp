#include "daedal/array_analysis.hpp"

#include <algorithm>

#include "daedal/derivative_array.hpp"
#include "plan/balanced_model.hpp"
#include "run/modes/guessed_mode.hpp"
#include "start/array_start.hpp"
#include "taylor/rules.hpp"

namespace daedal {

ArrayAnalysis analyze_array(const Model& model, const ArrayAnalysisOptions& options) {
  const double t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  const run::GuessedMode mode(model.data(), t);
  const plan::BalancedModel balanced(mode.data(), t);
  plan::Plan plan = plan::make_plan(balanced.data());
  start::ArrayModel array(plan, t);
  const reduce::ArrayFinding finding = array.study().at(t, std::max(options.derivatives, 0));
  return start::describe(array, finding, t);
}

ArrayEvaluation evaluate_array(const Model& model, const DerivativeArrayOptions& options) {
  ArrayEvaluation result;
  result.t = options.t.value_or(model.experiment().start_time.value_or(0.0));
  DerivativeArray array(model, options);
  result.rows = array.row_names();
  result.columns = array.column_names();
  int highest = 0;
  for (const ArrayPlace& place : array.columns()) highest = std::max(highest, place.order);

  const run::GuessedMode mode(model.data(), result.t);
  const plan::BalancedModel balanced(mode.data(), result.t);
  plan::Plan plan = plan::make_plan(balanced.data());
  start::ArrayModel form(plan, result.t);
  const reduce::ArrayFinding finding = form.study().at(result.t, highest);
  const ConsistentPoint point = start::array_start(form, finding, result.t);
  result.model = plan.model.name;
  result.status = point.status;
  result.problems = point.problems;
  if (!point.ok()) return result;
  for (const ArrayPlace& place : array.columns()) {
    const std::vector<double>& known = point.values[place.index];
    const double value = place.order < static_cast<int>(known.size()) ? known[place.order] : 0.0;
    result.point.push_back(options.entries == ArrayEntries::coefficients
                               ? value / taylor::factorial(place.order)
                               : value);
  }
  array.linearise(result.t, result.point);
  result.G.assign(array.values().begin(), array.values().end());
  result.J = array.jacobian();
  return result;
}

}  // namespace daedal

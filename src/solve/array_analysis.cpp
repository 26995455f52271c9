#include "daedal/array_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "daedal/derivative_array.hpp"
#include "model/check.hpp"
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

namespace {

double start_time(const Model& model, const DerivativeArrayOptions& options) {
  return options.t.value_or(model.experiment().start_time.value_or(0.0));
}

// The value of a derivative as the array takes it.
double entry(double derivative, int order, const DerivativeArrayOptions& options) {
  return options.entries == ArrayEntries::coefficients ? derivative / taylor::factorial(order)
                                                       : derivative;
}

ArrayEvaluation named_after(const DerivativeArray& array, const Model& model,
                            const DerivativeArrayOptions& options) {
  ArrayEvaluation result;
  result.model = model.name();
  result.t = start_time(model, options);
  result.rows = array.row_names();
  result.columns = array.column_names();
  return result;
}

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

Problem undefined_there(const ArrayEvaluation& evaluation, const DerivativeArray& array) {
  const std::vector<std::string> operations = array.undefined_operations();
  return {
      .id = "S-ARR-003",
      .what = "the derivative array is not defined at the point",
      .where = fmt::format("derivative array of {} at t = {:.10g}", evaluation.model, evaluation.t),
      .why = operations.empty() ? "numbers grow beyond what doubles hold"
                                : fmt::format("{} or a derivative of it has no finite value",
                                              base::listed(operations)),
      .todo = "choose a point where it has one",
      .excerpt = {}};
}

void evaluate_at_point(DerivativeArray& array, ArrayEvaluation& result) {
  array.linearise(result.t, result.point);
  result.G.assign(array.values().begin(), array.values().end());
  result.J = array.jacobian();
  if (is_finite(result.G) && is_finite(result.J.values)) return;
  result.status = Status::left_domain;
  result.problems.push_back(undefined_there(result, array));
}

// The model with these values as guesses: then the point decides which equations hold.
Model guessed_at(const Model& model, const ArrayPointValues& point) {
  Model result(model::copy_of(model.data()));
  for (const auto& [name, value] : point) {
    const std::string variable = model::read_derivative_name(name).name;
    const auto& all = model.data().variables;
    if (std::any_of(all.begin(), all.end(), [&](const auto& v) { return v.name == variable; }))
      result.set_start(name, value);  // of others the array says that it has no such column
  }
  return result;
}

std::vector<double> guesses_by_column(const DerivativeArray& array, const Model& model,
                                      const DerivativeArrayOptions& options) {
  const double t = start_time(model, options);
  const run::GuessedMode mode(model.data(), t);
  const plan::BalancedModel balanced(mode.data(), t);
  const run::Derivatives guesses =
      run::guesses_of(balanced.data(), model::check(balanced.data()), t);
  std::vector<double> values;
  for (const ArrayPlace& place : array.columns()) {
    const auto& known = guesses[static_cast<std::size_t>(place.index)];
    const auto order = static_cast<std::size_t>(place.order);
    values.push_back(entry(order < known.size() ? known[order] : 0.0, place.order, options));
  }
  return values;
}

}  // namespace

ArrayEvaluation evaluate_array(const Model& model, const DerivativeArrayOptions& options) {
  DerivativeArray array(model, options);
  ArrayEvaluation result = named_after(array, model, options);
  int highest = 0;
  for (const ArrayPlace& place : array.columns()) highest = std::max(highest, place.order);

  const run::GuessedMode mode(model.data(), result.t);
  const plan::BalancedModel balanced(mode.data(), result.t);
  plan::Plan plan = plan::make_plan(balanced.data());
  start::ArrayModel form(plan, result.t);
  const reduce::ArrayFinding finding = form.study().at(result.t, highest);
  const ConsistentPoint point = start::array_start(form, finding, result.t);
  result.status = point.status;
  result.problems = point.problems;
  if (!point.ok()) return result;
  for (const ArrayPlace& place : array.columns()) {
    const std::vector<double>& known = point.values[place.index];
    const double value = place.order < static_cast<int>(known.size()) ? known[place.order] : 0.0;
    result.point.push_back(entry(value, place.order, options));
  }
  evaluate_at_point(array, result);
  return result;
}

ArrayEvaluation evaluate_array(const Model& model, const DerivativeArrayOptions& options,
                               const ArrayPointValues& point) {
  const Model guessed = guessed_at(model, point);
  DerivativeArray array(guessed, options);
  for (const auto& [name, value] : point) {
    const model::NamedDerivative named = model::read_derivative_name(name);
    array.column(named.name, named.order);  // throws if there is none
  }
  ArrayEvaluation result = named_after(array, guessed, options);
  result.is_point_given = true;
  result.point = guesses_by_column(array, guessed, options);
  evaluate_at_point(array, result);
  return result;
}

}  // namespace daedal

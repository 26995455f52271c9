// How many digits a computed solution shares with the stored references of a problem.
#pragma once

#include <algorithm>
#include <cmath>

#include "daedal/solve.hpp"
#include "expr/evaluate.hpp"
#include "model/model_data.hpp"
#include "published/problem_data.hpp"

namespace daedal::test {

inline constexpr double all_digits = 17.0;  // an error of zero

inline double digits_of(double error, double scale) {
  if (std::isnan(error)) return -all_digits;
  return error == 0.0 ? all_digits : std::min(all_digits, -std::log10(std::abs(error) / scale));
}

// The nominal value of each variable.
inline std::vector<double> nominals_of(const Model& model) {
  const std::vector<double> parameters = model::parameter_values(model.data());
  expr::Evaluator evaluator(*model.data().graph);
  std::vector<double> nominals;
  for (const model::Variable& variable : model.data().variables)
    nominals.push_back(variable.nominal
                           ? evaluator.value(*variable.nominal,
                                             {.time = 0.0, .parameters = parameters, .unknown = {}})
                           : 1.0);
  return nominals;
}

// The value of x_j^(order) where the run ended; NaN if the solution does not tell.
inline double final_value(const Solution& solution, std::size_t variable, int order) {
  if (order == 0)
    return variable < solution.final().size() ? solution.final()[variable] : std::nan("");
  if (variable >= solution.final_derivatives().size()) return std::nan("");
  const std::vector<double>& derivatives = solution.final_derivatives()[variable];
  const auto k = static_cast<std::size_t>(order - 1);
  return k < derivatives.size() ? derivatives[k] : std::nan("");
}

// The minimum over the stored derivatives of this order of -log10(|error|/max(|reference|,
// nominal)), at the end of the run.
inline double final_digits(const Model& model, const Solution& solution, const Json& reference,
                           int order = 0) {
  const std::vector<double> nominals = nominals_of(model);
  double digits = all_digits;
  for (std::size_t j = 0; j < nominals.size(); ++j) {
    const std::string name = model::derivative_name(model.data().variables[j].name, order);
    const auto stored = reference.at("values").find(name);
    if (stored == reference.at("values").end()) continue;
    const double value = number(*stored);
    digits = std::min(digits, digits_of(final_value(solution, j, order) - value,
                                        std::max(std::abs(value), nominals[j])));
  }
  return digits;
}

}  // namespace daedal::test

// What benchmarks of derivative arrays share: an array of a model with a point, and times of calls.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "benchmarks/measure.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"
#include "model/check.hpp"
#include "model/model_data.hpp"
#include "reduce/array/derivative_array.hpp"
#include "run/modes/guessed_mode.hpp"

namespace daedal::benchmarks {

// A model's equations, and a point: guesses as they are, derivatives of a tenth of their size.
struct Equations {
  explicit Equations(const Model& model)
      : parameters(model::check(model.data())),
        simplified(expr::simplify(*model.data().graph, residuals_of(model))),
        residuals(expr::expand_derivatives(*simplified.graph, simplified.roots)),
        guesses(run::guesses_of(model.data(), parameters, 0.0)) {}

  expr::Graph& graph() { return *simplified.graph; }

  reduce::DerivativeArray array(int r) {
    return {graph(), residuals, std::vector<int>(residuals.size(), r),
            reduce::Entries::derivatives};
  }

  std::vector<double> point(const reduce::DerivativeArray& array) const {
    std::vector<double> values;
    for (int column = 0; column < array.num_columns(); ++column) {
      const auto [j, m] = array.place_of_column(column);
      const double guess = guesses[j].empty() ? 0.0 : guesses[j][0];
      values.push_back(m == 0 ? guess : 0.1 * (0.1 + std::abs(guess)) * std::sin(1.0 + column + m));
    }
    return values;
  }

  static std::vector<expr::NodeId> residuals_of(const Model& model) {
    std::vector<expr::NodeId> nodes;
    for (const model::Equation& equation : model.data().equations)
      nodes.push_back(equation.residual);
    return nodes;
  }

  std::vector<double> parameters;
  expr::Simplified simplified;
  std::vector<expr::NodeId> residuals;
  run::Derivatives guesses;
};

// Seconds per call of each, batches of about 2 ms taken in turns.
inline std::vector<double> seconds_per_call(const std::vector<std::function<void()>>& calls,
                                            int num_batches) {
  std::vector<int> count;
  for (const auto& call : calls) {
    int n = 1;
    while (seconds_of([&] {
             for (int k = 0; k < n; ++k) call();
           }) < 2e-3)
      n *= 2;
    count.push_back(n);
  }
  std::vector<std::vector<double>> times(calls.size());
  for (int batch = 0; batch < num_batches; ++batch)
    for (std::size_t c = 0; c < calls.size(); ++c)
      times[c].push_back(seconds_of([&] {
                           for (int k = 0; k < count[c]; ++k) calls[c]();
                         }) /
                         count[c]);
  std::vector<double> medians;
  for (const auto& list : times) medians.push_back(median(list));
  return medians;
}

}  // namespace daedal::benchmarks

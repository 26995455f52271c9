#include "reduce/model_guesses.hpp"

#include <limits>

#include "expr/evaluate.hpp"

namespace daedal::reduce {

std::vector<taylor::Guess> guesses_of(const model::ModelData& model,
                                      const std::vector<double>& parameters) {
  expr::Evaluator evaluator(*model.graph);
  const expr::Point point{.time = 0.0, .parameters = parameters, .unknown = {}};
  std::vector<taylor::Guess> guesses(model.variables.size());
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    const model::Variable& variable = model.variables[j];
    if (variable.nominal) guesses[j].nominal = evaluator.value(*variable.nominal, point);
    for (const model::Start& start : variable.start)
      guesses[j].derivatives.push_back(start.value ? evaluator.value(*start.value, point)
                                                   : std::numeric_limits<double>::quiet_NaN());
  }
  return guesses;
}

}  // namespace daedal::reduce

#include "solve/jacobian_verdict.hpp"

#include <limits>

#include "expr/evaluate.hpp"

namespace daedal::solving {
namespace {

using model::ModelData;

std::vector<taylor::Guess> guesses_of(const ModelData& model,
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

}  // namespace

JacobianVerdict::JacobianVerdict(const ModelData& model, AnalysedEquations equations,
                                 const structure::Structure& structure,
                                 const std::vector<double>& parameters)
    : equations_(equations),
      structure_(structure),
      jacobian_(taylor::system_jacobian(equations.graph, equations.residuals, structure,
                                        taylor::JacobianPart::diagonal_blocks)),
      guesses_(guesses_of(model, parameters)),
      parameters_(parameters),
      start_(model.experiment.start_time.value_or(0.0)),
      stop_(model.experiment.stop_time.value_or(start_ + 1.0)) {}

taylor::Regularity JacobianVerdict::at(const std::vector<double>& parameters) {
  return taylor::judge_regularity(
      equations_.graph, equations_.residuals, jacobian_, structure_,
      {.time = start_, .duration = stop_ - start_, .parameters = parameters, .guesses = guesses_});
}

std::vector<model::ParameterId> JacobianVerdict::blamed_parameters(
    const taylor::Regularity& regularity) {
  std::vector<model::ParameterId> blamed;
  constexpr std::size_t most_work = 2'000'000;  // nodes times parameters
  if (regularity.singular.empty() || parameters_.size() * equations_.graph.size() > most_work)
    return blamed;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    std::vector<double> changed = parameters_;
    changed[k] = changed[k] == 0.0 ? 0.37 : 1.37 * changed[k];
    const taylor::Regularity other = at(changed);
    if (other.was_evaluated && other.singular.empty()) blamed.emplace_back(k);
  }
  return blamed;
}

}  // namespace daedal::solving

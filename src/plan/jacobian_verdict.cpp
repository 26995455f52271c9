#include "plan/jacobian_verdict.hpp"

#include "reduce/model_guesses.hpp"

namespace daedal::plan {

using model::ModelData;

JacobianVerdict::JacobianVerdict(const ModelData& model, AnalysedEquations equations,
                                 const structure::Structure& structure,
                                 const std::vector<double>& parameters)
    : equations_(equations),
      structure_(structure),
      jacobian_(taylor::system_jacobian(equations.graph, equations.residuals, structure,
                                        taylor::JacobianPart::diagonal_blocks)),
      guesses_(reduce::guesses_of(model, parameters)),
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

}  // namespace daedal::plan

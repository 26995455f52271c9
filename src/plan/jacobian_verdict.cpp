#include "plan/jacobian_verdict.hpp"

namespace daedal::plan {

std::vector<model::ParameterId> blamed_parameters(reduce::GenericJacobian& jacobian,
                                                  const taylor::Regularity& regularity,
                                                  const std::vector<double>& parameters) {
  std::vector<model::ParameterId> blamed;
  constexpr std::size_t most_work = 2'000'000;  // nodes times parameters
  if (regularity.singular.empty() || parameters.size() * jacobian.graph().size() > most_work)
    return blamed;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    std::vector<double> changed = parameters;
    changed[k] = changed[k] == 0.0 ? 0.37 : 1.37 * changed[k];
    const taylor::Regularity other = jacobian.judged_at(changed);
    if (other.was_evaluated && other.singular.empty()) blamed.emplace_back(k);
  }
  return blamed;
}

}  // namespace daedal::plan

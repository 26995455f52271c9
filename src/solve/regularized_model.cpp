#include "solve/regularized_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solve/balanced_model.hpp"

namespace daedal::solving {

RegularizedModel::RegularizedModel(const model::ModelData& model) : original_(make_plan(model)) {
  if (original_.regularity.singular.empty()) return;
  if (!explain_dependent_constraints(model, original_.parameters).empty()) return;
  conversion_ = reduce::convert(model, original_.parameters);
  original_.conversion_obstacle = conversion_.reason;
  if (conversion_.model) converted_ = std::make_unique<Plan>(make_plan(conversion_.model->data));
}

bool RegularizedModel::is_valid_for(const std::vector<double>& parameters) const {
  const auto is_fixed = [&](std::size_t k) {
    const auto& fixed = conversion_.fixed;
    return original_.model.parameters[k].type != model::ParameterType::real ||
           std::find(fixed.begin(), fixed.end(), model::ParameterId(k)) != fixed.end();
  };
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (parameters[k] != original_.parameters[k] && is_fixed(k)) return false;
  return true;
}

void tell_conversion(std::vector<Problem>& problems, const reduce::ConversionResult& result,
                     bool has_modes) {
  for (Problem& problem : problems) {
    if (!result.model)
      problem.todo += "; daedal found no equivalent model by itself: " + result.reason;
    else if (has_modes)
      problem.todo +=
          "; the conversion shows an equivalent model, which a run of a model with "
          "modes does not use by itself yet";
    else
      problem.todo =
          "nothing, if this is meant: `init` and `run` solve an equivalent model, which "
          "the conversion shows; otherwise " +
          problem.todo;
  }
}

}  // namespace daedal::solving

#include "plan/regularized_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/check.hpp"
#include "plan/balanced_model.hpp"

namespace daedal::plan {

RegularizedModel::RegularizedModel(const model::ModelData& model)
    : RegularizedModel(model, model::check(model)) {}

RegularizedModel::RegularizedModel(const model::ModelData& model,
                                   const std::vector<double>& parameters)
    : original_(make_plan(model, parameters)) {
  convert_if_singular();
}

void RegularizedModel::convert_if_singular() {
  const model::ModelData& model = original_.model;
  if (original_.regularity.singular.empty()) return;
  if (!explain_dependent_constraints(model, original_.parameters).empty()) return;
  conversion_ = reduce::convert(model, original_.parameters);
  original_.conversion_obstacle = conversion_.reason;
  if (conversion_.model)
    converted_ =
        std::make_unique<Plan>(make_plan(conversion_.model->data, conversion_.model->parameters));
}

bool RegularizedModel::holds_for(const std::vector<double>& parameters) const {
  return std::all_of(
      conversion_.fixed.begin(), conversion_.fixed.end(), [&](model::ParameterId parameter) {
        return parameters[parameter.index()] == original_.parameters[parameter.index()];
      });
}

void tell_conversion(std::vector<Problem>& problems, const reduce::ConversionResult& result) {
  for (Problem& problem : problems) {
    if (!result.model)
      problem.todo += "; daedal found no equivalent model by itself: " + result.reason;
    else
      problem.todo =
          "nothing, if this is meant: `init` and `run` solve an equivalent model, which "
          "the conversion shows; otherwise " +
          problem.todo;
  }
}

}  // namespace daedal::plan

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

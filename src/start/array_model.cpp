#include "start/array_model.hpp"

#include "start/consistent_start.hpp"

namespace daedal::start {
namespace {

// x^(m) of the model is an unknown of the form, or a derivative of the last one.
std::vector<init::GivenStart> starts_of(const reduce::FirstOrderForm& form,
                                        const std::vector<init::GivenStart>& given) {
  std::vector<init::GivenStart> starts;
  for (const auto& [j, order] : form.meaning) {
    init::GivenStart& start = starts.emplace_back();
    start.nominal = given[j].nominal;
    start.derivatives.push_back(given[j].at(order));
    if (order + 1 < std::max(form.highest[j], 1)) continue;
    for (int m = order + 1; m < static_cast<int>(given[j].derivatives.size()); ++m)
      start.derivatives.push_back(given[j].at(m));
  }
  return starts;
}

}  // namespace

ArrayModel::ArrayModel(plan::Plan& plan, double t)
    : plan_(plan),
      form_(reduce::first_order_form(*plan.equations.graph, plan.residuals(),
                                     plan.initial_residuals())),
      study_(form_, starts_of(form_, search_input(plan, t).starts), plan.parameters) {}

ArrayModel::ArrayModel(plan::Plan& plan, const std::vector<init::GivenStart>& starts)
    : plan_(plan),
      form_(reduce::first_order_form(*plan.equations.graph, plan.residuals(), {})),
      study_(form_, starts_of(form_, starts), plan.parameters) {}

std::string ArrayModel::name(int unknown) const {
  const auto [j, order] = form_.meaning[unknown];
  return model::derivative_name(plan_.model.variables[j].name, order);
}

std::vector<std::vector<double>> ArrayModel::derivatives(const reduce::Derivatives& point) const {
  std::vector<std::vector<double>> all(static_cast<std::size_t>(form_.num_given()));
  for (int j = 0; j < form_.num_given(); ++j) {
    int last = j;
    for (int order = 1; order < form_.highest[j]; ++order) {
      all[j].push_back(point[last][0]);
      last = form_.unknown_of(j, order);
    }
    all[j].insert(all[j].end(), point[last].begin(), point[last].end());
  }
  return all;
}

init::PointFound ArrayModel::translated(const init::PointFound& found) const {
  init::PointFound result = found;
  result.derivatives = derivatives(found.derivatives);
  for (init::ConditionConflict& conflict : result.conflicts)
    for (init::Condition& condition : conflict.conditions)
      if (condition.is_fixed_value()) {
        const auto [j, order] = form_.meaning[condition.unknown];
        condition = {.unknown = j, .order = order + condition.order};
      }
  std::erase_if(result.defects, [&](const init::Defect& defect) {
    return defect.equation >= static_cast<int>(plan_.size());
  });
  if (result.undefined.is_set() && result.undefined.index() >= plan_.equations.graph->size())
    result.undefined = {};
  return result;
}

}  // namespace daedal::start

#include "run/modes/mode_array.hpp"

#include <algorithm>
#include <cmath>

#include "init/tangent_series.hpp"
#include "start/array_start.hpp"

namespace daedal::run {
namespace {

// df/dx' of a form of order one: which unknowns are differentiated, and whether it is constant.
struct Differentiated {
  std::vector<bool> is_differentiated;  // by unknown
  bool is_constant = true;
};

Differentiated differentiated(const reduce::FirstOrderForm& form) {
  Differentiated found{std::vector<bool>(static_cast<std::size_t>(form.num_unknowns()), false)};
  const std::unique_ptr<expr::Graph> graph = form.graph->copy();
  for (const auto& partials : init::partials_of(*graph, form.residuals))
    for (const init::Partial& partial : partials) {
      if (partial.order == 0) continue;
      found.is_differentiated[partial.unknown] = true;
      found.is_constant = found.is_constant && !graph->varies(partial.value);
    }
  return found;
}

}  // namespace

ModeArray::ModeArray(const model::ModelData& model, const std::vector<double>& parameters,
                     const settings::Settings& settings)
    : settings_(settings), pristine_(plan::make_plan(model, parameters)) {}

ConsistentPoint ModeArray::find_start(double t, const std::vector<plan::OtherStart>& starts) {
  found_ = std::make_unique<Entry>(pristine_);
  found_->plan.starts = starts;
  found_->array = std::make_unique<start::StudiedArray>(found_->plan, t);
  return start::array_start_instead_of_structure(found_->array->model, found_->array->finding, t);
}

// Derivatives before t select the branch, but may lead astray where they jump: then the search
// begins without those that are no values of the array's form of order one.
ConsistentPoint ModeArray::find_near(double t, const Derivatives& values,
                                     const std::vector<init::Coefficient>& fixed) {
  const ConsistentPoint point = find_from(t, values, fixed);
  if (point.ok()) return point;
  const std::vector<int> highest = found_->array->model.form().highest;
  Derivatives fewer = values;
  for (std::size_t j = 0; j < fewer.size() && j < highest.size(); ++j)
    fewer[j].resize(std::min(fewer[j].size(), static_cast<std::size_t>(std::max(highest[j], 1))));
  for (const init::Coefficient& c : fixed)
    for (int order = static_cast<int>(fewer[c.index].size()); order <= c.order; ++order)
      fewer[c.index].push_back(values[c.index][order]);
  return find_from(t, fewer, fixed);
}

ConsistentPoint ModeArray::find_from(double t, const Derivatives& values,
                                     const std::vector<init::Coefficient>& fixed) {
  found_ = std::make_unique<Entry>(pristine_);
  const init::SearchInput input = start::search_input_near(found_->plan, t, values, fixed);
  found_->array = std::make_unique<start::StudiedArray>(found_->plan, t, input.starts);
  return start::array_point_near(found_->array->model, found_->array->finding, input);
}

bool ModeArray::begin(double t, double end) {
  found_->stepper = std::make_unique<ArrayStepper>(*found_->array, settings_);
  if (!found_->stepper->begin(t, {})) return false;
  found_->stepper->run().go_on_to(end);
  in_use_ = std::move(found_);
  return true;
}

bool ModeArray::keeps_what_is_differentiated(const Derivatives& values, double part) const {
  const start::ArrayModel& model = found_->array->model;
  const reduce::FirstOrderForm& form = model.form();
  const reduce::ArrayFinding& finding = found_->array->finding;
  const std::vector<double> nominals = found_->array->model.study().nominals();
  const int n = form.num_unknowns();
  Eigen::VectorXd change = Eigen::VectorXd::Zero(n);
  std::vector<double> before(static_cast<std::size_t>(n), 0.0);
  for (int u = 0; u < n; ++u) {
    const auto [j, order] = form.meaning[u];
    const bool is_known =
        j < static_cast<int>(values.size()) && order < static_cast<int>(values[j].size());
    if (!is_known) continue;
    before[u] = values[j][order];
    change[u] = (finding.point.derivatives[u][0] - before[u]) / nominals[u];
  }
  const Differentiated leading = differentiated(form);
  if (leading.is_constant) change = finding.projectors.P * change;
  for (int u = 0; u < n; ++u)
    if (leading.is_differentiated[u] &&
        !(std::abs(change[u]) <= part * (1.0 + std::abs(before[u]) / nominals[u])))
      return false;
  return true;
}

}  // namespace daedal::run

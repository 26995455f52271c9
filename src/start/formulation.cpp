#include "start/formulation.hpp"

#include <fmt/format.h>

#include "base/stopwatch.hpp"
#include "model/check.hpp"
#include "start/array_start.hpp"
#include "start/consistent_start.hpp"
#include "start/converted_start.hpp"

namespace daedal::start {
namespace {

std::string no_conversion(const plan::Plan& original) {
  return fmt::format(
      "structural analysis fails and no conversion helps ({}), so the derivative array was used",
      original.conversion_obstacle);
}

constexpr auto other_start =
    "the converted model has no start at the point nearest to the guesses, so the derivative array "
    "was used";
constexpr auto singular_start =
    "the system Jacobian is singular at the start, so the derivative array was used";

}  // namespace

void Formulation::choose_array(std::string why) {
  form_ = Form::array;
  why_ = std::move(why);
  array_ = std::make_unique<start::StudiedArray>(original(), beginning_.t);
  const auto start = why_.empty() ? array_start : array_start_instead_of_structure;
  start_ = start(array_->model, array_->finding, beginning_.t);
}

void Formulation::reject_conversion() { choose_array(other_start); }

std::optional<std::string> array_for_structure(const plan::RegularizedModel& model, Ladder ladder) {
  if (ladder == Ladder::structure || model.plan().regularity.singular.empty()) return std::nullopt;
  return no_conversion(model.original());
}

std::optional<std::string> array_for_start(plan::Plan& original, const ConsistentPoint& start,
                                           double t, Ladder ladder) {
  const bool may_help = ladder != Ladder::structure && start.status == Status::singular_point;
  if (!may_help || !has_regular_array(original, t)) return std::nullopt;
  return singular_start;
}

void Formulation::begin_on_structure() {
  if (const auto why = array_for_structure(*regular_, ladder_)) return choose_array(*why);
  form_ = regular_->is_converted() ? Form::converted : Form::as_written;
  std::optional<ConvertedStart> converted;
  if (is_converted()) converted = start_of_converted(*regular_, beginning_.t);
  if (converted && !converted->agrees && ladder_ != Ladder::structure)
    return choose_array(other_start);
  start_ = converted ? std::move(converted->point) : StartSearch(plan()).at(beginning_.t);
  if (converted && !converted->agrees) {
    start_.status = Status::structural_analysis_fails;
    start_.problems = {explain_other_start(original())};
  }
  if (const auto why = array_for_start(original(), start_, beginning_.t, ladder_))
    choose_array(*why);
}

// Both plans take the beginning: that of the equations as written, and that of those that a
// conversion made of them.
void Formulation::take_beginning() {
  for (plan::Plan* plan : {&original(), regular_ ? &regular_->plan() : nullptr}) {
    if (plan == nullptr) continue;
    plan->parameters = beginning_.parameters;
    plan->starts = beginning_.starts;
    plan->weights = beginning_.weights;
  }
}

bool Formulation::begin(Beginning beginning) {
  if (regular_ && !regular_->holds_for(beginning.parameters)) return false;
  beginning_ = std::move(beginning);
  seconds_of_analysis = 0.0;
  base::Stopwatch watch;
  why_.clear();
  take_beginning();
  if (ladder_ == Ladder::array)
    choose_array({});
  else
    begin_on_structure();
  seconds_of_start = watch.lap();
  return true;
}

Formulation choose_formulation(const model::ModelData& model, Beginning beginning, Ladder ladder) {
  if (ladder == Ladder::array) return array_formulation(model, std::move(beginning), ladder);
  base::Stopwatch watch;
  Formulation chosen(std::move(beginning), ladder);
  chosen.regular_ = std::make_unique<plan::RegularizedModel>(model, chosen.beginning_.parameters);
  chosen.take_beginning();
  chosen.seconds_of_analysis = watch.lap();
  chosen.begin_on_structure();
  chosen.seconds_of_start = watch.lap();
  return chosen;
}

Formulation array_formulation(const model::ModelData& model, Beginning beginning, Ladder ladder) {
  base::Stopwatch watch;
  Formulation chosen(std::move(beginning), ladder);
  const std::vector<double>& parameters = chosen.beginning_.parameters;
  if (ladder == Ladder::array)
    chosen.plan_ = std::make_unique<plan::Plan>(plan::make_plan(model, parameters));
  else
    chosen.regular_ = std::make_unique<plan::RegularizedModel>(model, parameters);
  chosen.take_beginning();
  chosen.seconds_of_analysis = watch.lap();
  std::string why;
  if (ladder != Ladder::array) {
    const plan::Plan& original = chosen.original();
    why = original.regularity.singular.empty()   ? singular_start
          : original.conversion_obstacle.empty() ? other_start
                                                 : no_conversion(original);
  }
  chosen.choose_array(std::move(why));
  chosen.seconds_of_start = watch.lap();
  return chosen;
}

}  // namespace daedal::start

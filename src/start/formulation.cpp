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
  array_ = std::make_unique<start::StudiedArray>(original(), t_);
  const auto start = why_.empty() ? array_start : array_start_instead_of_structure;
  start_ = start(array_->model, array_->finding, t_);
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

void Formulation::begin_on_structure(Ladder ladder) {
  if (const auto why = array_for_structure(*regular_, ladder)) return choose_array(*why);
  form_ = regular_->is_converted() ? Form::converted : Form::as_written;
  std::optional<ConvertedStart> converted;
  if (is_converted()) converted = start_of_converted(*regular_, t_);
  if (converted && !converted->agrees && ladder != Ladder::structure)
    return choose_array(other_start);
  start_ = converted ? std::move(converted->point) : StartSearch(plan()).at(t_);
  if (converted && !converted->agrees) {
    start_.status = Status::structural_analysis_fails;
    start_.problems = {explain_other_start(original())};
  }
  if (const auto why = array_for_start(original(), start_, t_, ladder)) choose_array(*why);
}

Formulation choose_formulation(const model::ModelData& model, double t, Ladder ladder) {
  if (ladder == Ladder::array) return array_formulation(model, t, ladder);
  return choose_formulation(model, model::check(model), t, ladder);
}

Formulation choose_formulation(const model::ModelData& model, const std::vector<double>& parameters,
                               double t, Ladder ladder) {
  base::Stopwatch watch;
  Formulation chosen;
  chosen.t_ = t;
  chosen.regular_ = std::make_unique<plan::RegularizedModel>(model, parameters);
  chosen.seconds_of_analysis = watch.lap();
  chosen.begin_on_structure(ladder);
  chosen.seconds_of_start = watch.lap();
  return chosen;
}

Formulation array_formulation(const model::ModelData& model, double t, Ladder ladder) {
  base::Stopwatch watch;
  Formulation chosen;
  chosen.t_ = t;
  if (ladder == Ladder::array)
    chosen.plan_ = std::make_unique<plan::Plan>(plan::make_plan(model));
  else
    chosen.regular_ = std::make_unique<plan::RegularizedModel>(model);
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

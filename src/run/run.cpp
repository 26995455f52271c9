#include "run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/machine.hpp"
#include "explain/stop_reason.hpp"

namespace daedal::run {
namespace {

// The start is all there is; what was not found there is not a number.
void take_start_as_end(solution::Record& solution) {
  constexpr double not_found = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t j = 0; j < solution.variables.size(); ++j) {
    const std::vector<double>& derivatives = solution.start.values[j];
    solution.final.push_back(derivatives.empty() ? not_found : derivatives.front());
    solution.final_derivatives.emplace_back(
        derivatives.empty() ? derivatives.begin() : derivatives.begin() + 1, derivatives.end());
  }
  solution.final_outputs = solution.start.output_values;
}

// Asking the system takes as long as a few hundred operations: of small models not after every
// step.
bool is_memory_due(const solution::Record& solution) {
  constexpr long rarely = 256, operations = 4096;
  const long num_variables = std::max<long>(1, static_cast<long>(solution.variables.size()));
  return solution.statistics.steps % std::clamp(operations / num_variables, 1L, rarely) == 0;
}

// Why there is no further step (S-INT-007, S-LIM-001, S-LIM-002); nothing while there may be one.
// Called between steps, and before the first.
std::optional<explain::StopReason> reached_limit(const settings::Settings& settings,
                                                 const SolveOptions& options, double t,
                                                 const solution::Record& solution) {
  const long num_steps = solution.statistics.steps;
  if (num_steps >= options.max_steps) return explain::explain_step_limit(t, num_steps);
  if (std::isfinite(options.max_seconds) && settings.seconds_since_start() >= options.max_seconds)
    return explain::explain_time_limit(settings, options, t, num_steps);
  if (!std::isfinite(settings.max_memory) || !is_memory_due(solution)) return {};
  const std::uint64_t resident = base::resident_memory_beyond(settings.max_memory);
  if (resident == 0) return {};
  return explain::explain_memory_limit(settings, options, t, num_steps,
                                       static_cast<double>(resident));
}

}  // namespace

solution::Record begin_solution(start::StartSearch& search, const settings::Settings& settings) {
  return begin_solution(search.plan(), search.at(settings.from), settings);
}

solution::Record begin_solution(const plan::Plan& plan, ConsistentPoint start,
                                const settings::Settings& settings) {
  solution::Record solution;
  solution.method = "taylor";
  solution.tolerance = settings.tolerance;
  solution.t = settings.from;
  solution.variables = plan.variable_names();
  solution.start = std::move(start);
  solution.keep_outputs(plan.outputs, plan.parameters);
  take_start_as_end(solution);
  if (!solution.start.ok()) {
    solution.status = solution.start.status;
    solution.problems = solution.start.problems;
  } else if (settings.tolerance < settings.smallest_tolerance) {
    const explain::StopReason reason = explain::explain_tolerance(settings);
    solution.status = reason.status;
    solution.problems.push_back(reason.problem);
  }
  return solution;
}

Run::Run(const plan::Plan& plan, const settings::Settings& settings, const SolveOptions& options,
         Stepper& stepper, solution::Record& solution)
    : plan_(plan),
      settings_(settings),
      options_(options),
      stepper_(&stepper),
      solution_(solution),
      recorder_(settings, options, solution),
      anchors_(settings, stepper.kind()) {
  solution.order = stepper.order();
}

Run::Run(Transitions& transitions, const settings::Settings& settings, const SolveOptions& options,
         solution::Record& solution)
    : Run(transitions.plan(), settings, options, transitions.stepper(), solution) {
  transitions_ = &transitions;
  transitions.write_to(recorder_, solution);
}

Anchored& Run::anchored() {
  return transitions_ != nullptr ? static_cast<Anchored&>(*transitions_) : *stepper_;
}

// Whatever has happened, the present mode makes the steps.
void Run::follow_transitions() {
  stepper_ = &transitions_->stepper();
  if (const auto reason = transitions_->take_end()) return end(*reason);
  if (settings_.pause) transitions_->heed_pause();
}

void Run::begin() {
  is_under_way_ = true;
  watch_.lap();
  if (resume())
    begin_again();
  else
    begin_at_start();
}

void Run::begin_at_start() {
  if (transitions_ != nullptr) {
    transitions_->begin();
    follow_transitions();
    if (is_under_way_) end_if_over();
    return;
  }
  if (!stepper_->begin(settings_.from, solution_.start.values))
    return refuse(stepper_->explain(solution_));
  if (const auto lost = lost_equations(stepper_->start())) {
    is_lost_at_start_ = true;
    return refuse(*lost);
  }
  recorder_.begin(stepper_->trajectory());
  stepper_->note_start(solution_);
  end_if_over();
}

void Run::take_step() {
  is_taken_back_ = false;
  if (transitions_ != nullptr) {
    if (transitions_->takes_back(true)) return follow_transitions();
    transitions_->refine();
  }
  const solution::StepSource& trajectory = stepper_->trajectory();
  Statistics& statistics = solution_.statistics;
  const std::size_t num_points = solution_.singularities.size();
  ++statistics.steps;
  stepper_->note_step(solution_);
  if (const auto reason = objection()) {
    if (!reason->is_passed_over || !stepper_->shorten(solution_)) return end(*reason);
    --statistics.steps;
    solution_.singularities.resize(num_points);
    is_taken_back_ = true;
    return;
  }
  recorder_.accept(trajectory);
  if (!recorder_.report(trajectory))
    end(explain::explain_interruption(trajectory.t(), statistics.steps));
  else if (const auto lost = lost_equations(trajectory))
    end(*lost);
  else if (const auto reason = stepper_->obstacle(solution_))
    end(*reason);
}

// Whether the solution of a converted model has left the equations as written.
std::optional<explain::StopReason> Run::lost_equations(const solution::StepSource& trajectory) {
  OriginalResidual* equations = original();
  if (equations == nullptr) return std::nullopt;
  Statistics& statistics = solution_.statistics;
  statistics.original_residual = std::max(statistics.original_residual, equations->at(trajectory));
  return explain::explain_lost_equations(plan_, settings_, trajectory.t(), statistics);
}

OriginalResidual* Run::original() {
  return transitions_ != nullptr ? transitions_->original() : original_.get();
}

std::optional<explain::StopReason> Run::objection() {
  return transitions_ != nullptr ? transitions_->objection() : stepper_->objection(solution_);
}

void Run::take_failure() {
  if (transitions_ != nullptr && (transitions_->takes_back(false) || transitions_->recovers()))
    return follow_transitions();
  end(stepper_->explain(solution_));
}

void Run::go_on() {
  if (is_taken_back_) return end_if_limit_reached();
  if (is_under_way_ && transitions_ != nullptr) {
    transitions_->after_step();
    follow_transitions();
  }
  if (is_under_way_) end_if_over();
  if (!is_under_way_) return;
  stepper_->cross(recorder_, solution_);
  anchor_if_due();
}

void Run::follow_stop() {
  is_paused_ = false;
  is_under_way_ = true;
  transitions_->go_on();
  follow_transitions();
}

std::optional<std::string> Run::save() {
  if (!anchored().can_begin_again()) return std::nullopt;
  anchored().settle(solution_);
  base::Writer archive;
  archive(anchored().kind());
  anchored().save(&archive);
  begin_again();
  return archive.take();
}

void Run::begin_from(base::Reader& state) {
  is_under_way_ = true;
  watch_.lap();
  load(state);
  begin_again();
  recorder_.begin(stepper_->trajectory());
}

void Run::load(base::Reader& archive) {
  const std::string kind = anchored().kind();
  if (const auto found = archive.read<std::string>(); found != kind)
    throw base::BadArchive("it is of a run by '" + found + "', which is one by '" + kind + "'");
  anchored().load(archive);
  if (!archive.rest().empty()) throw base::BadArchive("the state in it makes no sense");
}

void Run::record_present() {
  recorder_.finish(stepper_->trajectory());
  if (transitions_ != nullptr) transitions_->finish();
}

void Run::change(const StateChange& change) {
  transitions_->change(change);
  follow_transitions();
}

void Run::end_if_over() {
  const double t = stepper_->trajectory().t();
  is_paused_ = t == settings_.pause;
  if (is_paused_)
    is_under_way_ = false;
  else if (t == settings_.to)
    end({});
  else
    end_if_limit_reached();
}

// Also after a step that was taken back: it may be made again many times.
void Run::end_if_limit_reached() {
  const double t = stepper_->trajectory().t();
  if (const auto limit = reached_limit(settings_, options_, t, solution_)) end(*limit);
}

// The way on from a state is the same in a run that was never interrupted (rule K1).
void Run::anchor_if_due() {
  if (!anchors_.is_due(solution_.statistics.steps) || !anchored().can_begin_again()) return;
  anchored().settle(solution_);
  if (settings_.checkpoints == nullptr) {
    anchored().save(nullptr);
  } else {
    base::Writer archive;
    archive(anchored().kind());
    anchored().save(&archive);
    settings_.checkpoints->keep(solution_, stepper_->trajectory().t(), archive.take());
  }
  begin_again();
}

// Whether there is a state to go on from; the solution has the results until then.
bool Run::resume() {
  if (settings_.checkpoints == nullptr) return false;
  auto archive = settings_.checkpoints->resume(solution_);
  if (!archive) return false;
  try {
    load(*archive);
  } catch (const base::BadArchive& reason) {
    settings_.checkpoints->refuse_state(reason.what());
  }
  recorder_.resume();
  return true;
}

void Run::begin_again() {
  anchors_.begin_at(solution_.statistics.steps);
  const bool is_begun = anchored().begin_again();
  if (transitions_ != nullptr) return follow_transitions();
  recorder_.enter(stepper_->trajectory());
  stepper_->enter(solution_);
  if (!is_begun) end(stepper_->explain(solution_));
}

// A run that does not get that far has nothing but a reason.
void Run::refuse(const explain::StopReason& reason) {
  anchored().settle(solution_);
  conclude(reason);
}

void Run::end(const explain::StopReason& reason) {
  anchored().settle(solution_);
  if (!reason.is_recorded) record_end(recorder_, stepper_->trajectory(), reason);
  conclude(reason);
}

void Run::conclude(const explain::StopReason& reason) {
  stepper_->finish(solution_);
  if (transitions_ != nullptr) transitions_->finish();
  solution_.status = reason.status;
  if (!solution_.ok()) {
    solution_.problems = {reason.problem};
    solution_.problems.insert(solution_.problems.end(), reason.others.begin(), reason.others.end());
  }
  solution_.seconds.integrate = watch_.lap();
  is_under_way_ = is_paused_ = false;
}

}  // namespace daedal::run

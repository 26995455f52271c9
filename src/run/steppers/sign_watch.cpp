#include "run/steppers/sign_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/wording.hpp"
#include "run/series_opinion.hpp"
#include "run/stepper.hpp"
#include "run/steppers/series_engine.hpp"

namespace daedal::run {
namespace {

using solution::StepSource;
using solution::StepView;

// As of two methods that have made steps of the same tolerance (edge_watch.cpp).
constexpr double most_tolerances = 1000.0;
// The Taylor method goes across a singular point from so far before it to as far after it, and
// needs room to arrive.
constexpr double room = 4.0;

// A step that begins nearer to a singular point than this part of the run is judged from farther
// back: steps that arrive at a point get so short that any error is below the tolerance on them.
constexpr double far_part = 1e-3;

Derivatives derivatives_at_begin(const StepSource& run) {
  const StepView step = run.accepted();
  Derivatives values(run.layout().column.size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= run.layout().degree(j); ++order)
      values[j].push_back(step.value(run.layout(), j, step.begin, order));
  return values;
}

Derivatives derivatives_at_end(const StepSource& run) {
  Derivatives values(run.layout().column.size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= run.highest_reliable(j); ++order)
      values[j].push_back(run.derivative(j, order));
  return values;
}

// The unknown in which the step's end differs most from these values, in tolerances of its size.
struct Difference {
  int unknown = 0;
  double tolerances = 0.0;
};
Difference difference_at_end(const StepSource& run, const std::vector<double>& values,
                             const std::vector<double>& nominals, double tolerance) {
  Difference largest;
  for (int j = 0; j < static_cast<int>(values.size()); ++j) {
    const double size = nominals[j] + std::abs(values[j]);
    const double difference = std::abs(run.derivative(j, 0) - values[j]) / (tolerance * size);
    if (!(difference <= largest.tolerances)) largest = {j, difference};
  }
  return largest;
}

// S-INT-001: the step goes where the solution does not.
explain::StopReason leaves_branch(const plan::Plan& plan, const solution::Record& solution,
                                  const std::string& block, double t, const std::string& why,
                                  bool is_in_step) {
  return {
      .status = Status::singular_point,
      .problem =
          {.id = "S-INT-001",
           .what = fmt::format("the steps left the solution at a singular point, t = {:.15g}", t),
           .where = fmt::format("{}, block {{{}}}, method {}, after {}", plan.model.place.text(),
                                block, solution.method,
                                base::plural(solution.statistics.steps, "accepted step")),
           .why = fmt::format("the determinant of the block's Jacobian changes sign there, and {}",
                              why),
           .todo = "use the method taylor or a smaller tolerance, or end the run before this time"},
      .cut_at = t,
      .is_passed_over = is_in_step};
}

}  // namespace

// Where the Jacobian is singular everywhere its signs say nothing.
bool SignWatch::has_varying_blocks() {
  if (is_prepared_) return has_varying_;
  is_prepared_ = true;
  if (!plan_.regularity.singular.empty()) return false;
  constexpr int no_extra_stages = 0;
  graph_ = plan_.equations.graph->copy();
  series_.emplace(taylor::make_series_schedule(
                      {*graph_, plan_.residuals(), plan_.structure, plan_.leads, plan_.is_linear}),
                  plan_.structure, no_extra_stages,
                  std::vector<std::vector<double>>{plan_.parameters}, plan_.nominals());
  blocks_.resize(series_->num_blocks());
  for (int b = 0; b < series_->num_blocks(); ++b) {
    if (series_->has_constant_jacobian(b)) continue;
    blocks_[b] = std::make_unique<taylor::BlockJacobian>(*series_, b, 0);
    has_varying_ = true;
  }
  if (has_varying_) times_.emplace(*series_, 0);
  return has_varying_;
}

std::vector<int> SignWatch::signs_at_begin(const StepSource& run) {
  const StepView step = run.accepted();
  std::vector<int> signs(blocks_.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b])
      signs[b] = blocks_[b]->determinant_sign(step.begin, [&](int unknown, int order) {
        return step.value(run.layout(), unknown, step.begin, order);
      });
  return signs;
}

std::vector<int> SignWatch::signs_at_end(const StepSource& run) {
  std::vector<int> signs(blocks_.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b])
      signs[b] = blocks_[b]->determinant_sign(
          run.t(), [&](int unknown, int order) { return run.derivative(unknown, order); });
  return signs;
}

void SignWatch::look(const StepSource& run, solution::Record& solution) {
  objection_.reset();
  if (!has_varying_blocks()) return;
  const std::vector<int> before = signs_.empty() ? signs_at_begin(run) : signs_;
  signs_ = signs_at_end(run);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (signs_[b] == 0) signs_[b] = before[b];  // singular to rounding: the next step says
    if (!blocks_[b] || before[b] == 0 || signs_[b] == before[b]) continue;
    const StepView step = run.accepted();
    const auto t = times_->find(static_cast<int>(b), before[b], step, run.layout());
    judge({.t = t.value_or(0.5 * (step.begin + step.end)),
           .block = static_cast<int>(b),
           .is_in_step = signs_at_begin(run)[b] == before[b]},
          run, solution);
    if (objection_) return;
  }
  keep_state(run);
}

double SignWatch::far() const { return far_part * std::abs(settings_.to - settings_.from); }

void SignWatch::keep_state(const StepSource& run) {
  if (latest_ && std::abs(run.t() - latest_->t) < far()) return;
  earlier_ = std::exchange(latest_, State{run.t(), derivatives_at_end(run)});
}

SignWatch::State SignWatch::origin(const Change& change, const StepSource& run) const {
  const double begin = run.accepted().begin;
  if (!change.is_in_step && latest_) return *latest_;
  if (earlier_ && std::abs(change.t - begin) < far()) return *earlier_;
  return {begin, derivatives_at_begin(run)};
}

// The Taylor method is asked twice: whether it gets across, for which it needs room on the other
// side, and where it is at the end of the step.
void SignWatch::judge(const Change& change, const StepSource& run, solution::Record& solution) {
  if (meeting_.parts(change.block, change.t, run.accepted(), run.layout(), *series_, 0)) {
    objection_ = leaves_branch(plan_, solution, names_of(change.block), change.t,
                               "branches of the solution part there", change.is_in_step);
    return;
  }
  const State from = origin(change, run);
  const long num_steps = solution.statistics.steps;
  const auto ask_up_to = [&](double end) {
    return ask_series(plan_, settings_, from.t, end, from.derivatives, num_steps);
  };
  const double way = change.t - from.t, farther = change.t + room * way;
  const bool has_room = (settings_.to - farther) * way > 0.0;
  const auto across = ask_up_to(has_room ? farther : settings_.to);
  const bool ends_there = across && across->reason.status != Status::ok &&
                          std::abs(across->t - change.t) < std::abs(way);
  if (ends_there) {
    objection_ = across->reason;
    objection_->cut_at = change.t;
    return;
  }
  const auto there = across ? ask_up_to(run.t()) : std::nullopt;
  if (there && there->reason.status == Status::ok)
    compare(change, run, there->values, solution);
  else
    note(change, run, "the Taylor method cannot say whether the solution goes on", solution);
}

void SignWatch::compare(const Change& change, const StepSource& run,
                        const std::vector<double>& values, solution::Record& solution) {
  const Difference difference =
      difference_at_end(run, values, plan_.nominals(), settings_.tolerance);
  const auto j = static_cast<std::size_t>(difference.unknown);
  const std::string words =
      fmt::format("the Taylor method comes to {} = {:.10g} at t = {:.10g}, this one to {:.10g}",
                  plan_.model.label(model::UnknownId(j)), values[j], run.t(),
                  run.derivative(difference.unknown, 0));
  if (difference.tolerances <= most_tolerances) return note(change, run, words, solution);
  objection_ =
      leaves_branch(plan_, solution, names_of(change.block), change.t, words, change.is_in_step);
}

void SignWatch::note(const Change& change, const StepSource& run, const std::string& words,
                     solution::Record& solution) const {
  const StepView step = run.accepted();
  solution.singularities.push_back(
      {.t = change.t,
       .block = names_of(change.block),
       .why = fmt::format("the determinant of the block's Jacobian changes sign between t = {} and "
                          "t = {}; {}",
                          step.begin, step.end, words)});
}

std::string SignWatch::names_of(int block) const {
  const std::vector<int>& unknowns = plan_.structure.fine_blocks[block].unknowns;
  return base::listed(unknowns.size(), [&](std::size_t k) {
    return plan_.model.label(model::UnknownId(static_cast<std::size_t>(unknowns[k])));
  });
}

}  // namespace daedal::run

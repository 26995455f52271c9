#include "solve/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wording.hpp"
#include "solution/access.hpp"

namespace daedal::solving {
namespace {

constexpr long never = -1000;
// A jump of the highest derivatives by this part of their size is no smooth passage.
constexpr double other_branch = 0.5;

}  // namespace

Recorder::Recorder(const Plan& plan, const Settings& settings, const SolveOptions& options,
                   Solution& solution)
    : plan_(&plan), solution_(solution), steps_(settings, options, solution) {}

void Recorder::begin(const integrate::TaylorRun& run) {
  steps_.begin(run);  // the series at the start count
  watch_determinants(run);
}

void Recorder::go_on(const Plan& plan, const integrate::TaylorRun& run) {
  follow(plan, run);
  steps_.sample_again(run);
}

void Recorder::follow(const Plan& plan, const integrate::TaylorRun& run) {
  former_.rejected = solution_.statistics.rejected;
  former_.factorisations = solution_.statistics.factorisations;
  former_.newton_iterations = solution_.statistics.newton_iterations;
  plan_ = &plan;
  singular_time_.reset();
  signs_.clear();
  last_change_.clear();
  steps_.enter(run);
  at_entry_ = counters_of(run);
  watch_determinants(run);
}

Recorder::Counters Recorder::counters_of(const integrate::TaylorRun& run) {
  const taylor::SeriesCounters& counters = run.series().counters(run.lane());
  return {run.num_rejected(), counters.factorisations, counters.newton_iterations};
}

void Recorder::add_up(const integrate::TaylorRun& run) {
  const Counters now = counters_of(run);
  Statistics& statistics = solution_.statistics;
  statistics.rejected = former_.rejected + now.rejected - at_entry_.rejected;
  statistics.factorisations =
      former_.factorisations + now.factorisations - at_entry_.factorisations;
  statistics.newton_iterations =
      former_.newton_iterations + now.newton_iterations - at_entry_.newton_iterations;
  statistics.rounding = std::max(statistics.rounding, run.largest_noise());
}

bool Recorder::accept(const integrate::TaylorRun& run) {
  Statistics& statistics = solution_.statistics;
  ++statistics.steps;
  add_up(run);
  statistics.constraint_residual =
      std::max(statistics.constraint_residual, run.series().constraint_residual(run.lane()));
  watch_determinants(run);
  if (original_)
    statistics.original_residual = std::max(statistics.original_residual, original_->at(run));
  steps_.accept(run);
  return steps_.report(run);
}

bool Recorder::accept(const integrate::MethodRun& run) {
  ++solution_.statistics.steps;
  steps_.accept(run);
  return steps_.report(run);
}

void Recorder::accept(const SingularPassage::Crossing& crossing, const integrate::TaylorRun& run) {
  for (const solution::Step* step : {&crossing.before, &crossing.behind}) {
    ++solution_.statistics.steps;
    steps_.accept(step->view(), run.layout());
  }
  solution_.singularities.push_back(
      {.t = crossing.t,
       .block = names_of(crossing.block),
       .why = fmt::format("the determinant of the block's Jacobian changes sign; rounding errors "
                          "grow near this point, so the run went across it: the series from both "
                          "sides agree to {:.1e} there",
                          crossing.difference)});
  signs_.clear();
  watch_determinants(run);
}

void Recorder::watch_determinants(const integrate::TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  if (signs_.empty()) return begin_watch(run);
  for (const int b : varying_blocks_) {
    const int sign = series.determinant_sign(b, run.lane());
    if (sign != signs_[b]) {
      const long step_number = solution_.statistics.steps;
      if (step_number - last_change_[b] <= 2 || run.jump(b) > other_branch) lost_block_ = b;
      last_change_[b] = step_number;
      const solution::StepView step = run.accepted();
      solution_.singularities.push_back(
          {.t = singular_time(b, run),
           .block = names_of(b),
           .why = fmt::format("the determinant of the block's Jacobian changes sign between t = {} "
                              "and t = {}",
                              step.begin, step.end)});
    }
    signs_[b] = sign;
    note_condition(b, run);
  }
}

// The determinants of blocks whose Jacobian is constant are looked at here only.
void Recorder::begin_watch(const integrate::TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  varying_blocks_.clear();
  last_change_.resize(series.num_blocks(), never);
  for (int b = 0; b < series.num_blocks(); ++b) {
    signs_.push_back(series.determinant_sign(b, run.lane()));
    if (!series.has_constant_jacobian(b)) varying_blocks_.push_back(b);
    note_condition(b, run);
  }
}

void Recorder::note_condition(int block, const integrate::TaylorRun& run) {
  solution_.statistics.max_condition =
      std::max(solution_.statistics.max_condition, run.series().condition(block, run.lane()));
}

double Recorder::singular_time(int block, const integrate::TaylorRun& run) {
  const solution::StepView step = run.accepted();
  if (!singular_time_) singular_time_ = std::make_unique<SingularTime>(run.series(), run.lane());
  return singular_time_->find(block, signs_[block], step, run.shape().layout)
      .value_or(0.5 * (step.begin + step.end));
}

std::string Recorder::names_of(int block) const {
  std::vector<std::string> names;
  for (const int j : plan_->structure.fine_blocks[block].unknowns)
    names.push_back(plan_->model.label(model::UnknownId(static_cast<std::size_t>(j))));
  return base::listed(names);
}

void Recorder::finish(const integrate::TaylorRun& run) {
  add_up(run);
  steps_.finish(run);
}

}  // namespace daedal::solving

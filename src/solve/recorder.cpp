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
    : plan_(&plan),
      settings_(settings),
      options_(options),
      solution_(solution),
      num_variables_(solution.variables.size()),
      values_(num_variables_ + plan.outputs->size()) {}

void Recorder::begin(const integrate::TaylorRun& run) {
  if (options_.keep_steps) solution_.step_times.push_back(run.t());
  solution_.statistics.smallest_step = std::numeric_limits<double>::infinity();
  enter(run);
  at_entry_ = {};  // the series at the start count
  take_values(run, run.t());
  if (settings_.at.empty()) sample(run.t());
  while (next_at_ < settings_.at.size() && settings_.at[next_at_] == run.t())
    keep(settings_.at[next_at_++]);
}

void Recorder::go_on(const Plan& plan, const integrate::TaylorRun& run) {
  follow(plan, run);
  take_values(run, run.t());
  if (settings_.at.empty()) sample(run.t());
}

void Recorder::follow(const Plan& plan, const integrate::TaylorRun& run) {
  former_.rejected = solution_.statistics.rejected;
  former_.factorisations = solution_.statistics.factorisations;
  former_.newton_iterations = solution_.statistics.newton_iterations;
  plan_ = &plan;
  singular_time_.reset();
  signs_.clear();
  last_change_.clear();
  enter(run);
}

void Recorder::enter(const integrate::TaylorRun& run) {
  if (options_.keep_steps) SolutionAccess::keep_steps(solution_, run.shape().layout);
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
  add_up(run);
  note(run.accepted());
  statistics.constraint_residual =
      std::max(statistics.constraint_residual, run.series().constraint_residual(run.lane()));
  watch_determinants(run);
  if (original_)
    statistics.original_residual = std::max(statistics.original_residual, original_->at(run));
  sample_step(run);
  return !options_.on_step || options_.on_step({.from = settings_.from,
                                                .to = settings_.to,
                                                .t = run.t(),
                                                .steps = statistics.steps,
                                                .rejected = statistics.rejected});
}

void Recorder::note(const solution::StepView& step) {
  Statistics& statistics = solution_.statistics;
  const double length = std::abs(step.end - step.begin);
  ++statistics.steps;
  statistics.smallest_step = std::min(statistics.smallest_step, length);
  statistics.largest_step = std::max(statistics.largest_step, length);
  if (!options_.keep_steps) return;
  SolutionAccess::append(solution_, step);
  solution_.step_times.push_back(step.end);
}

void Recorder::accept(const SingularPassage::Crossing& crossing, const integrate::TaylorRun& run) {
  for (const solution::Step* step : {&crossing.before, &crossing.behind}) {
    note(step->view());
    sample_step(step->view(), run.shape().layout);
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

// Times inside the last step from its polynomial, its end and the start from the projected state.
void Recorder::take_values(const integrate::TaylorRun& run, double t) {
  const solution::StepLayout& layout = run.shape().layout;
  take_values(t, layout, [&](int unknown, int order) {
    return t == run.t() ? run.derivative(unknown, order)
                        : run.accepted().value(layout, unknown, t, order);
  });
}

template <typename Value>
void Recorder::take_values(double t, const solution::StepLayout& layout, Value value) {
  const auto derivative = [&](int unknown, int order) {
    return order > layout.degree(unknown) ? std::numeric_limits<double>::quiet_NaN()
                                          : value(unknown, order);
  };
  for (std::size_t j = 0; j < num_variables_; ++j) values_[j] = derivative(static_cast<int>(j), 0);
  if (values_.size() == num_variables_) return;
  const std::vector<double> outputs = SolutionAccess::outputs_at(solution_, t, derivative);
  std::copy(outputs.begin(), outputs.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(num_variables_));
}

void Recorder::sample_step(const integrate::TaylorRun& run) {
  sample_step(run.accepted(), [&](double t) { take_values(run, t); });
}

void Recorder::sample_step(const solution::StepView& step, const solution::StepLayout& layout) {
  sample_step(step, [&](double t) {
    take_values(t, layout,
                [&](int unknown, int order) { return step.value(layout, unknown, t, order); });
  });
}

template <typename Take>
void Recorder::sample_step(const solution::StepView& step, Take take) {
  const bool is_forward = step.end > step.begin;
  if (settings_.at.empty()) {
    if (!options_.on_sample) return;
    take(step.end);
    return sample(step.end);
  }
  for (; next_at_ < settings_.at.size(); ++next_at_) {
    const double t = settings_.at[next_at_];
    if (is_forward ? t > step.end : t < step.end) return;
    take(t);
    keep(t);
  }
}

void Recorder::sample(double t) {
  if (options_.on_sample) options_.on_sample(t, values_);
}

void Recorder::keep(double t) {
  const auto end_of_variables = values_.begin() + static_cast<std::ptrdiff_t>(num_variables_);
  solution_.at.push_back(
      {t, {values_.begin(), end_of_variables}, {end_of_variables, values_.end()}});
  sample(t);
}

void Recorder::watch_determinants(const integrate::TaylorRun& run) {
  const taylor::SeriesSolver& series = run.series();
  const auto num_blocks = series.num_blocks();
  const bool is_first = signs_.empty();
  signs_.resize(num_blocks);
  last_change_.resize(num_blocks, never);
  for (int b = 0; b < num_blocks; ++b) {
    const int sign = series.determinant_sign(b, run.lane());
    if (!is_first && sign != signs_[b]) {
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
    solution_.statistics.max_condition =
        std::max(solution_.statistics.max_condition, series.condition(b, run.lane()));
  }
}

double Recorder::singular_time(int block, const integrate::TaylorRun& run) {
  const solution::StepView step = run.accepted();
  if (!singular_time_) singular_time_ = std::make_unique<SingularTime>(*plan_);
  return singular_time_
      ->find(block, step, run.shape().layout, SolutionAccess::parameters(solution_))
      .value_or(0.5 * (step.begin + step.end));
}

std::string Recorder::names_of(int block) const {
  std::vector<std::string> names;
  for (const int j : plan_->structure.fine_blocks[block].unknowns)
    names.push_back(plan_->model.label(model::UnknownId(static_cast<std::size_t>(j))));
  return base::listed(names);
}

void Recorder::finish(const integrate::TaylorRun& run) {
  Statistics& statistics = solution_.statistics;
  add_up(run);
  if (statistics.steps == 0) statistics.smallest_step = 0.0;
  solution_.t = run.t();
  take_values(run, run.t());
  const auto end_of_variables = values_.begin() + static_cast<std::ptrdiff_t>(num_variables_);
  solution_.final.assign(values_.begin(), end_of_variables);
  solution_.final_outputs.assign(end_of_variables, values_.end());
  solution_.final_derivatives.clear();
  for (int j = 0; j < static_cast<int>(num_variables_); ++j) {
    std::vector<double>& derivatives = solution_.final_derivatives.emplace_back();
    const int highest =
        std::min(std::max(run.shape().local_orders[j], 2), run.shape().layout.degree(j));
    for (int order = 1; order <= highest; ++order) derivatives.push_back(run.derivative(j, order));
  }
}

}  // namespace daedal::solving

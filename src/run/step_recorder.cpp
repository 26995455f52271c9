#include "run/step_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "explain/stop_reason.hpp"
#include "run/cut_step.hpp"

namespace daedal::run {

using solution::StepSource;
using solution::StepView;

StepRecorder::StepRecorder(const settings::Settings& settings, const SolveOptions& options,
                           solution::Record& solution)
    : settings_(settings),
      options_(options),
      solution_(solution),
      num_variables_(solution.variables.size()),
      values_(num_variables_ + solution.outputs.size()) {}

void StepRecorder::begin(const StepSource& run) {
  if (options_.keep_steps) solution_.step_times.push_back(run.t());
  solution_.statistics.smallest_step = std::numeric_limits<double>::infinity();
  enter(run);
  sample_again(run);
  while (next_at_ < settings_.at.size() && settings_.at[next_at_] == run.t())
    keep(settings_.at[next_at_++]);
}

void StepRecorder::resume() { next_at_ = solution_.at.size(); }

void StepRecorder::enter(const StepSource& run) {
  rejected_before_ = solution_.statistics.rejected;
  if (options_.keep_steps) solution_.keep_steps(run.layout());
}

void StepRecorder::sample_again(const StepSource& run) {
  take_values(run, run.t());
  if (settings_.at.empty()) sample(run.t());
}

void StepRecorder::accept(const StepSource& run) {
  note(run.accepted());
  if (options_.keep_steps) keep(run.accepted(), run.quality());
  sample_step(run.accepted(), [&](double t) { take_values(run, t); });
}

void StepRecorder::accept(const StepView& step, const solution::StepLayout& layout) {
  note(step);
  if (options_.keep_steps) keep(step, {});
  sample_step(step, [&](double t) {
    take_values(t, layout,
                [&](int unknown, int order) { return step.value(layout, unknown, t, order); });
  });
}

void StepRecorder::keep_instant(const integrate::EventSource& run) {
  if (!options_.keep_steps) return;
  StepView instant = run.current();
  instant.end = instant.begin;
  solution_.keep_steps(run.layout());
  solution_.append(instant);
}

void StepRecorder::note(const StepView& step) {
  Statistics& statistics = solution_.statistics;
  const double length = std::abs(step.end - step.begin);
  statistics.smallest_step = std::min(statistics.smallest_step, length);
  statistics.largest_step = std::max(statistics.largest_step, length);
}

void StepRecorder::keep(const StepView& step, const solution::StepQuality& quality) {
  solution_.append(step);
  solution_.step_times.push_back(step.end);
  const long rejected = solution_.statistics.rejected;
  solution_.step_notes.push_back({.end = step.end,
                                  .length = std::abs(step.end - step.begin),
                                  .order = quality.order > 0 ? quality.order : solution_.order,
                                  .rejected = rejected - rejected_before_,
                                  .condition = quality.condition,
                                  .residual = quality.residual});
  rejected_before_ = rejected;
}

bool StepRecorder::report(const StepSource& run) const {
  return !options_.on_step || options_.on_step({.from = settings_.from,
                                                .to = settings_.to,
                                                .t = run.t(),
                                                .steps = solution_.statistics.steps,
                                                .rejected = solution_.statistics.rejected});
}

// Times inside the last step from its polynomial, its end and the start from the projected state.
void StepRecorder::take_values(const StepSource& run, double t) {
  take_values(t, run.layout(), [&](int unknown, int order) {
    if (order > run.highest_reliable(unknown)) return std::numeric_limits<double>::quiet_NaN();
    return t == run.t() ? run.derivative(unknown, order)
                        : run.accepted().value(run.layout(), unknown, t, order);
  });
}

template <typename Value>
void StepRecorder::take_values(double t, const solution::StepLayout& layout, Value value) {
  const auto derivative = [&](int unknown, int order) {
    return order > layout.degree(unknown) ? std::numeric_limits<double>::quiet_NaN()
                                          : value(unknown, order);
  };
  for (std::size_t j = 0; j < num_variables_; ++j) values_[j] = derivative(static_cast<int>(j), 0);
  if (values_.size() == num_variables_) return;
  const std::vector<double> outputs = solution_.outputs_at(t, derivative);
  std::copy(outputs.begin(), outputs.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(num_variables_));
}

template <typename Take>
void StepRecorder::sample_step(const StepView& step, Take take) {
  const bool is_forward = settings_.to > settings_.from;
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

void StepRecorder::sample(double t) {
  if (options_.on_sample) options_.on_sample(t, values_);
}

void StepRecorder::keep(double t) {
  const auto end_of_variables = values_.begin() + static_cast<std::ptrdiff_t>(num_variables_);
  solution_.at.push_back(
      {t, {values_.begin(), end_of_variables}, {end_of_variables, values_.end()}});
  sample(t);
}

void StepRecorder::finish(double t, const std::vector<std::vector<double>>& derivatives) {
  const auto derivative = [&](int unknown, int order) {
    const std::vector<double>& known = derivatives[static_cast<std::size_t>(unknown)];
    return order < static_cast<int>(known.size()) ? known[static_cast<std::size_t>(order)]
                                                  : std::numeric_limits<double>::quiet_NaN();
  };
  for (std::size_t j = 0; j < num_variables_; ++j) values_[j] = derivative(static_cast<int>(j), 0);
  const std::vector<double> outputs = solution_.outputs_at(t, derivative);
  std::copy(outputs.begin(), outputs.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(num_variables_));
  keep_final(t);
  for (std::size_t j = 0; j < num_variables_; ++j)
    solution_.final_derivatives.emplace_back(
        derivatives[j].begin() + (derivatives[j].empty() ? 0 : 1), derivatives[j].end());
}

void StepRecorder::keep_final(double t) {
  if (solution_.statistics.steps == 0) solution_.statistics.smallest_step = 0.0;
  solution_.t = t;
  const auto end_of_variables = values_.begin() + static_cast<std::ptrdiff_t>(num_variables_);
  solution_.final.assign(values_.begin(), end_of_variables);
  solution_.final_outputs.assign(end_of_variables, values_.end());
  solution_.final_derivatives.clear();
}

void StepRecorder::finish(const StepSource& run) {
  take_values(run, run.t());
  keep_final(run.t());
  for (int j = 0; j < static_cast<int>(num_variables_); ++j) {
    std::vector<double>& derivatives = solution_.final_derivatives.emplace_back();
    for (int order = 1; order <= run.highest_told(j); ++order)
      derivatives.push_back(run.derivative(j, order));
  }
}

void record_end(StepRecorder& recorder, const solution::StepSource& run,
                const explain::StopReason& reason) {
  if (!reason.cut_at) return recorder.finish(run);
  const CutStep cut(run, *reason.cut_at);
  if (cut.t() != run.accepted().begin) recorder.accept(cut);
  recorder.finish(cut);
}

}  // namespace daedal::run

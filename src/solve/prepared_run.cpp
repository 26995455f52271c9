#include "solve/prepared_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/stopwatch.hpp"
#include "hybrid/guards.hpp"
#include "model/check.hpp"
#include "run/checkpoints.hpp"
#include "run/drive.hpp"
#include "run/steppers/methods.hpp"
#include "run/steppers/taylor_stepper.hpp"

namespace daedal::solving {
namespace {

// What ends a converted model need not end the one that was written: conversions divide by what
// vanishes now and then, and their blocks are others.
void blame_conversion(solution::Record& solution) {
  const bool may_be_of_conversion = solution.status == Status::left_domain ||
                                    solution.status == Status::singular_point ||
                                    solution.status == Status::step_floor;
  if (!solution.converted || !may_be_of_conversion || solution.statistics.steps == 0) return;
  Problem& problem = solution.problems.front();
  problem.why +=
      "; this is of the equivalent model that was solved, since structural analysis "
      "fails on the one written";
  problem.todo =
      "use the method array, which works on the equations as written, from this time on "
      "or for the whole run";
}

start::Beginning beginning_of(const settings::Settings& settings,
                              const std::vector<double>& parameters,
                              std::vector<plan::OtherStart> starts) {
  return {.t = settings.from,
          .parameters = parameters,
          .starts = std::move(starts),
          .weights = settings.start_weighting};
}

start::Formulation formulation_for(const model::ModelData& model, start::Beginning beginning,
                                   const settings::Settings& settings,
                                   const SolveOptions& options) {
  const start::Ladder ladder = run::ladder_of(options.method.value());
  const bool was_on_array = ladder == start::Ladder::structure_or_array &&
                            settings.checkpoints != nullptr &&
                            settings.checkpoints->was(info_of(Method::array).name);
  return was_on_array ? start::array_formulation(model, std::move(beginning), ladder)
                      : start::choose_formulation(model, std::move(beginning), ladder);
}

// With its start, before the first step.
solution::Record begun_solution(start::Formulation& formulation, const settings::Settings& settings,
                                const SolveOptions& options) {
  solution::Record solution =
      run::begin_solution(formulation.plan(), formulation.start(), settings);
  solution.method = info_of(run::method_on(formulation, options)).name;
  solution.method_reason = run::reason_for_method(formulation, options);
  if (formulation.is_array()) solution.order = run::order_on_array(settings, options);
  solution.converted = formulation.is_converted();
  solution.seconds.analysis = formulation.seconds_of_analysis;
  solution.seconds.initialize = formulation.seconds_of_start;
  return solution;
}

std::optional<model::ModelData> with_values(const model::ModelData& model,
                                            const ParameterValues& values) {
  if (values.empty()) return std::nullopt;
  model::ModelData own = model::copy_of(model);
  for (const auto& [name, value] : values)
    own.parameters[model::parameter_to_set(own, name, value)].override_value = value;
  return own;
}

}  // namespace

plan::OtherStart other_start(const model::ModelData& model, const std::string& name, double value) {
  const model::StartToSet start = model::start_to_set(model, name, value);
  return {.unknown = static_cast<int>(start.variable), .order = start.order, .value = value};
}

std::vector<plan::OtherStart> starts_of(const model::ModelData& model, const RunInput& input) {
  std::vector<plan::OtherStart> starts;
  for (const auto& [name, value] : input.start) starts.push_back(other_start(model, name, value));
  for (const auto& [name, value] : input.fixed) {
    starts.push_back(other_start(model, name, value));
    starts.back().fixed = true;
  }
  return starts;
}

void PreparedRun::drive() {
  if (is_begun()) run::drive(*run_);
  finish();
}

solution::Record PreparedRun::take() {
  run_.reset();
  return std::move(record());
}

// Parameters that this run does not give are those of the model, whatever the run gave that the
// model was prepared for.
std::vector<double> PreparedRun::checked_parameters(const RunInput& input) {
  if (is_checked_) return model::checked_values(model_, input.parameters);
  std::vector<double> parameters = model::check(model_, input.parameters);
  is_checked_ = true;
  return parameters;
}

ModelOfRun::ModelOfRun(const model::ModelData& model, const ParameterValues& values, double t)
    : model_(model), own_(with_values(model, values)) {
  if (!hybrid::is_hybrid(model)) balanced_.emplace(own_ ? *own_ : model_, t);
}

const model::ModelData& ModelOfRun::data() const {
  if (balanced_) return balanced_->data();
  return own_ ? *own_ : model_;
}

void PlainRun::begin(const RunInput& input) {
  run_.reset();
  const std::vector<double> parameters = checked_parameters(input);
  if (!formulation_ || !begin_again(input, parameters)) prepare(input, parameters);
  start();
}

void PlainRun::prepare(const RunInput& input, const std::vector<double>& parameters) {
  stepper_.reset();
  engine_.reset();
  formulation_.reset();
  const model::ModelData& model = solved_.emplace(model_, input.parameters, settings_.from).data();
  formulation_.emplace(formulation_for(
      model, beginning_of(settings_, parameters, starts_of(model, input)), settings_, options_));
  ++num_analyses_;
}

// Begins on what was prepared. Where that has no start, a ladder that begins anew may lead to one.
bool PlainRun::begin_again(const RunInput& input, const std::vector<double>& parameters) {
  const start::Formulation::Form before = formulation_->form();
  stepper_.reset();
  if (!formulation_->begin(
          beginning_of(settings_, parameters, starts_of(solved_->data(), input))) ||
      !formulation_->start().ok())
    return false;
  if (formulation_->form() != before) engine_.reset();
  return true;
}

void PlainRun::start() {
  start::Formulation& formulation = *formulation_;
  record() = begun_solution(formulation, settings_, options_);
  if (!record().ok()) return;
  base::Stopwatch watch;
  stepper_ = run::make_stepper(formulation, settings_, options_, engine_);
  record().seconds.compile = watch.lap();
  run_.emplace(formulation.plan(), settings_, options_, *stepper_, record());
  if (formulation.is_converted())
    run_->check(std::make_unique<run::OriginalResidual>(formulation.original(),
                                                        formulation.plan().parameters));
  run_->begin();
  if (!run_->is_lost_at_start() ||
      run::ladder_of(options_.method.value()) != start::Ladder::structure_or_array)
    return;
  run_.reset();
  engine_.reset();
  formulation.reject_conversion();
  start();
}

void PlainRun::finish() {
  blame_conversion(record());
  if (!formulation_->is_array())
    record().start = start::without_auxiliaries(std::move(record().start), solved_->data());
}

// A start that modes which were prepared for other parameters do not have may be found on ones that
// are prepared for these.
void RunWithModes::begin(const RunInput& input) {
  run_.reset();
  const bool is_prepared = modes_ != nullptr;
  if (!find_start(input) && is_prepared) {
    num_before_ += modes_->table.num_built();
    transitions_.reset();
    modes_.reset();
    find_start(input);
  }
  if (!record().ok()) return;
  run_.emplace(*transitions_, settings_, options_, record());
  run_->begin();
}

void RunWithModes::begin_from(const RunInput& input, base::Reader& state) {
  run_.reset();
  if (!find_start(input)) return;
  run_.emplace(*transitions_, settings_, options_, record());
  run_->begin_from(state);
}

bool RunWithModes::find_start(const RunInput& input) {
  const std::vector<double> parameters = checked_parameters(input);
  if (modes_ == nullptr)
    modes_ = std::make_unique<run::PreparedModes>(
        solved_.emplace(model_, input.parameters, settings_.from).data(), parameters,
        run::ladder_of(options_.method.value()));
  transitions_.emplace(*modes_, settings_, options_,
                       beginning_of(settings_, parameters, starts_of(solved_->data(), input)));
  record() = transitions_->find_start();
  return record().ok();
}

long RunWithModes::num_analyses() const {
  return num_before_ + (modes_ != nullptr ? modes_->table.num_built() : 0);
}

namespace {

// Series follow the branches of abs, min and max; for other methods each branch is a mode.
bool needs_modes(const model::ModelData& model, Method method) {
  return hybrid::is_hybrid(model) ||
         (!run::makes_series_steps(method) && hybrid::has_branches(model));
}

}  // namespace

std::unique_ptr<PreparedRun> prepare(const model::ModelData& model, settings::Settings settings,
                                     const SolveOptions& options) {
  if (needs_modes(model, options.method.value()))
    return std::make_unique<RunWithModes>(model, std::move(settings), options);
  return std::make_unique<PlainRun>(model, std::move(settings), options);
}

}  // namespace daedal::solving

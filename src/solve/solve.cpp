// The whole run, in order:
//
//   settings       the options, with the model's defaults filled in
//   formulation    the equations that are solved, and their consistent start: as written,
//   converted,
//                  or on the derivative array (formulation.hpp); of a model with modes, the first
//                  mode that agrees with its own solution (transitions.hpp)
//   stepper        the method that makes steps on them (methods.hpp, stepper.hpp)
//   run, drive     step after step: judged, recorded, events, limits, singular points, anchors
//                  (run.hpp, drive.hpp)
//   warnings       what the result should not be trusted for, and what a second run says of it
#include "daedal/solve.hpp"

#include "base/stopwatch.hpp"
#include "explain/warnings.hpp"
#include "hybrid/guards.hpp"
#include "plan/balanced_model.hpp"
#include "run/checkpoints.hpp"
#include "run/drive.hpp"
#include "run/modes/transitions.hpp"
#include "run/run_parts.hpp"
#include "run/steppers/methods.hpp"
#include "run/verification.hpp"
#include "start/formulation.hpp"

namespace daedal {

using settings::Settings;

Solution solve(const Model& model, const SolveOptions& user_options) {
  base::Stopwatch total;
  const SolveOptions options = run::with_options_of_resumed(model.data(), user_options);
  settings::Settings settings = settings::settings_of(model.data(), options);
  std::optional<run::Checkpoints> checkpoints;
  if (!options.checkpoint.file.empty() || !options.resume.empty())
    settings.checkpoints = &checkpoints.emplace(model.data(), settings, options);
  Solution solution = hybrid::is_hybrid(model.data())
                          ? run::run_with_modes(model.data(), settings, options, {})
                          : run::run_without_modes(model.data(), settings, options);
  explain::add_warnings(settings, solution);
  if (checkpoints) checkpoints->finish(solution);
  if (options.verify && solution.ok())
    run::compare(model.data(), settings, solve(model, run::more_accurate(options, settings)),
                 solution);
  solution.seconds.total = total.lap();
  return solution;
}

namespace {

// What ends a converted model need not end the one that was written: conversions divide by what
// vanishes now and then, and their blocks are others.
void blame_conversion(Solution& solution) {
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

start::Formulation formulation_for(const model::ModelData& model,
                                   const settings::Settings& settings,
                                   const SolveOptions& options) {
  const start::Ladder ladder = run::ladder_of(options.method.value());
  const bool was_on_array = ladder == start::Ladder::structure_or_array &&
                            settings.checkpoints != nullptr &&
                            settings.checkpoints->was(info_of(Method::array).name);
  return was_on_array ? start::array_formulation(model, settings.from, ladder)
                      : start::choose_formulation(model, settings.from, ladder);
}

// With its start, before the first step.
Solution begun_solution(start::Formulation& formulation, const settings::Settings& settings,
                        const SolveOptions& options) {
  Solution solution = run::begin_solution(formulation.plan(), formulation.start(), settings);
  solution.method = info_of(run::method_on(formulation, options)).name;
  solution.method_reason = run::reason_for_method(formulation, options);
  if (formulation.is_array()) solution.order = run::order_on_array(settings, options);
  solution.converted = formulation.is_converted();
  solution.seconds.analysis = formulation.seconds_of_analysis;
  solution.seconds.initialize = formulation.seconds_of_start;
  return solution;
}

Solution run_on(start::Formulation& formulation, const settings::Settings& settings,
                const SolveOptions& options) {
  Solution solution = begun_solution(formulation, settings, options);
  if (!solution.ok()) return solution;
  base::Stopwatch watch;
  const std::unique_ptr<run::Stepper> stepper = run::make_stepper(formulation, settings, options);
  solution.seconds.compile = watch.lap();
  run::Run run(formulation.plan(), settings, options, *stepper, solution);
  if (formulation.is_converted())
    run.check(std::make_unique<run::OriginalResidual>(formulation.original(),
                                                      formulation.plan().parameters));
  run.begin();
  if (run.is_lost_at_start() &&
      run::ladder_of(options.method.value()) == start::Ladder::structure_or_array) {
    formulation.reject_conversion();
    return run_on(formulation, settings, options);
  }
  run::drive(run);
  blame_conversion(solution);
  return solution;
}

}  // namespace

Solution run::run_without_modes(const model::ModelData& user_model,
                                const settings::Settings& settings, const SolveOptions& options) {
  const plan::BalancedModel model(user_model, settings.from);
  start::Formulation formulation = formulation_for(model.data(), settings, options);
  Solution solution = run_on(formulation, settings, options);
  if (!formulation.is_array())
    solution.start = start::without_auxiliaries(std::move(solution.start), model.data());
  return solution;
}

Solution run::run_with_modes(const model::ModelData& model, const settings::Settings& settings,
                             const SolveOptions& options, const ParameterValues& overrides) {
  run::Transitions transitions(model, settings, options, overrides);
  Solution solution = transitions.find_start();
  if (!solution.ok()) return solution;
  run::Run run(transitions, settings, options, solution);
  run.begin();
  run::drive(run);
  return solution;
}

}  // namespace daedal

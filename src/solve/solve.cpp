// The whole run, in order: plan, consistent start, steps, and what there is to say at the end.
#include "daedal/solve.hpp"

#include "hybrid/guards.hpp"
#include "solve/array_solve.hpp"
#include "solve/array_start.hpp"
#include "solve/balanced_model.hpp"
#include "solve/checkpoints.hpp"
#include "solve/converted_start.hpp"
#include "solve/hybrid_run.hpp"
#include "solve/kernel_switch.hpp"
#include "solve/member.hpp"
#include "solve/method_solve.hpp"
#include "solve/regularized_model.hpp"
#include "solve/run_parts.hpp"
#include "solve/step_methods.hpp"
#include "solve/stopwatch.hpp"
#include "solve/verification.hpp"
#include "solve/warnings.hpp"

namespace daedal {

using solving::Plan;
using solving::Settings;

Solution solve(const Model& model, const SolveOptions& user_options) {
  solving::Stopwatch total;
  const SolveOptions options = solving::with_options_of_resumed(model.data(), user_options);
  Settings settings = solving::settings_of(model.data(), options);
  std::optional<solving::Checkpoints> checkpoints;
  if (!options.checkpoint.file.empty() || !options.resume.empty())
    settings.checkpoints = &checkpoints.emplace(model.data(), settings, options);
  Solution solution = hybrid::is_hybrid(model.data())
                          ? solving::HybridRun(model.data(), settings, options).run()
                          : solving::run_without_modes(model.data(), settings, options);
  solving::add_warnings(settings, solution);
  if (checkpoints) checkpoints->finish(solution);
  if (options.verify && solution.ok())
    solving::compare(model.data(), settings,
                     solve(model, solving::more_accurate(options, settings)), solution);
  solution.seconds.total = total.lap();
  return solution;
}

namespace {

using namespace solving;

// The nearest point on the equations as written is none of the converted model, which hides it.
StopReason no_start_of_converted(const Plan& original) {
  return {Status::structural_analysis_fails,
          {.id = "S-STR-003",
           .what = "the converted model has no start at the point nearest to the guesses",
           .where = original.model.place.text(),
           .why = "structural analysis fails on the model; in the equivalent one that was made, "
                  "values that are free are others than in the equations as written",
           .todo = "use the method auto or array, which work on the equations as they are"}};
}

// The start on structure, of the user's model or of the one that it was converted to; nothing if
// the derivative array is to be used instead.
std::optional<Solution> begin_on_structure(RegularizedModel& regular, const Settings& settings,
                                           const std::string& method) {
  const bool is_choice = method == "auto";
  if (is_choice && !regular.plan().regularity.singular.empty()) return std::nullopt;
  StartSearch start(regular.plan());
  std::optional<ConvertedStart> converted;
  if (regular.is_converted()) converted = start_of_converted(regular, settings.from);
  if (converted && !converted->agrees && is_choice) return std::nullopt;
  Solution solution = converted
                          ? begin_solution(regular.plan(), std::move(converted->point), settings)
                          : begin_solution(start, settings);
  if (converted && !converted->agrees) {
    const StopReason reason = no_start_of_converted(regular.original());
    solution.status = reason.status;
    solution.problems = {reason.problem};
  }
  if (is_choice && solution.status == Status::singular_point &&
      has_regular_array(regular.original(), settings.from))
    return std::nullopt;
  return solution;
}

void run_by_taylor(RegularizedModel& regular, const Settings& settings, const SolveOptions& options,
                   Solution& solution) {
  Stopwatch watch;
  Plan& plan = regular.plan();
  integrate::TaylorIntegrator integrator = make_integrator(make_schedule(plan), plan, settings, 1);
  solution.order = order_of(integrator);
  KernelSwitch kernels(options, integrator);
  solution.seconds.compile = watch.lap();
  Member member(plan, settings, options, solution);
  if (regular.is_converted())
    member.check(std::make_unique<OriginalResidual>(regular.original(), plan.parameters));
  SingularPassage passage(plan, settings);
  member.begin(integrator, 0);
  while (member.is_under_way()) {
    kernels.switch_if_ready(integrator);
    if (integrator.advance())
      member.take_step();
    else
      member.take_failure();
    if (!member.is_under_way()) break;
    if (const auto crossing = passage.cross(integrator)) member.take_crossing(*crossing);
    if (member.anchor_if_due()) passage.forget();
  }
  solution.kernel = kernels.name();
  solution.seconds.integrate = watch.lap();
}

// The converted model has another start than the equations as written.
bool is_lost(const Solution& solution) {
  return solution.converted && !solution.problems.empty() &&
         solution.problems.front().id == "S-STR-003";
}

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

Solution run_on_array(Plan plan, const Settings& settings, const SolveOptions& options) {
  return options.method == "completion" ? run_by_completion(plan, settings, options)
                                        : run_by_array(plan, settings, options);
}

}  // namespace

Solution solving::run_without_modes(const model::ModelData& user_model, const Settings& settings,
                                    const SolveOptions& options) {
  Stopwatch watch;
  const BalancedModel model(user_model, settings.from);
  if (options.method == "array" || options.method == "completion")
    return run_on_array(make_plan(model.data()), settings, options);
  RegularizedModel regular(model.data());
  if (options.method == "auto" && settings.checkpoints != nullptr &&
      settings.checkpoints->was("array"))
    return run_by_array(regular.original(), settings, options);
  const double analysis = watch.lap();
  std::optional<Solution> begun = begin_on_structure(regular, settings, options.method);
  if (!begun) return run_by_array(regular.original(), settings, options);
  Solution solution = std::move(*begun);
  if (is_step_method(options.method)) solution.method = options.method;
  solution.converted = regular.is_converted();
  solution.seconds.analysis = analysis;
  solution.seconds.initialise = watch.lap();
  if (solution.ok() && is_step_method(options.method))
    run_by_method(regular, settings, options, solution);
  else if (solution.ok())
    run_by_taylor(regular, settings, options, solution);
  if (options.method == "auto" && solution.statistics.steps == 0 && is_lost(solution))
    return run_by_array(regular.original(), settings, options);
  blame_conversion(solution);
  solution.start = without_auxiliaries(std::move(solution.start), model.data());
  return solution;
}

}  // namespace daedal

#include "run/steppers/methods.hpp"

#include <fmt/format.h>

#include "integrate/dummy/explicit_dummy.hpp"
#include "integrate/dummy/implicit_dummy.hpp"
#include "run/run_parts.hpp"
#include "run/steppers/array_stepper.hpp"
#include "run/steppers/bdf_method.hpp"
#include "run/steppers/completion_method.hpp"
#include "run/steppers/method_stepper.hpp"
#include "run/steppers/taylor_stepper.hpp"

namespace daedal::run {
namespace {

integrate::MethodOptions method_options(const settings::Settings& settings,
                                        const std::vector<double>& nominals) {
  return {.tolerance = settings.tolerance, .max_step = settings.max_step, .nominals = nominals};
}

reduce::DummyProblem dummy_problem(plan::Plan& plan, const settings::Settings& settings,
                                   const std::vector<double>& nominals) {
  return {.graph = *plan.equations.graph,
          .residuals = plan.residuals(),
          .structure = plan.structure,
          .parameters = plan.parameters,
          .nominals = nominals,
          .tolerance = settings.tolerance};
}

// Below it, the steps of order 8 are cheaper than those of order 5.
constexpr double small_tolerance = 1e-5;

std::unique_ptr<integrate::StepMethod> make_explicit(plan::Plan& plan,
                                                     const settings::Settings& settings,
                                                     const std::vector<double>& nominals) {
  const int order = settings.order.value_or(settings.tolerance < small_tolerance ? 8 : 5);
  taylor::SeriesSolver series(make_schedule(plan), plan.structure, integrate::ExplicitDummy::extra,
                              {plan.parameters}, nominals);
  return std::make_unique<integrate::ExplicitDummy>(dummy_problem(plan, settings, nominals),
                                                    std::move(series),
                                                    method_options(settings, nominals), order);
}

}  // namespace

bool is_step_method(const std::string& method) {
  return method == "dd-erk" || method == "dd-ida" || method == "bdf";
}

std::unique_ptr<integrate::StepMethod> make_step_method(plan::Plan& plan,
                                                        const settings::Settings& settings,
                                                        const SolveOptions& options,
                                                        const std::vector<double>& nominals) {
  if (options.method == "dd-erk") return make_explicit(plan, settings, nominals);
  if (options.method == "bdf") return make_bdf(plan, settings, options);
  if (options.method == "completion") return std::make_unique<CompletionMethod>(plan, settings);
  return std::make_unique<integrate::ImplicitDummy>(dummy_problem(plan, settings, nominals),
                                                    method_options(settings, nominals),
                                                    settings.order.value_or(5));
}

start::Ladder ladder_of(const std::string& method) {
  if (method == "array" || method == "completion") return start::Ladder::array;
  return method == "auto" ? start::Ladder::structure_or_array : start::Ladder::structure;
}

bool is_step_method_of_modes(const std::string& method) {
  return is_step_method(method) || method == "completion";
}

bool makes_series_steps(const std::string& method) {
  return !is_step_method(method) && ladder_of(method) != start::Ladder::array;
}

std::string method_on(const start::Formulation& formulation, const SolveOptions& options) {
  if (is_step_method(options.method)) return options.method;
  if (!formulation.is_array()) return "taylor";
  return options.method == "completion" ? "completion" : "array";
}

std::string reason_for_method(start::Formulation& formulation, const SolveOptions& options) {
  if (options.method != "bdf" || options.index) return formulation.why();
  const auto index = index_of_form(formulation.plan(), options);
  if (!index) return "";
  return fmt::format("the model is of index {}; bdf integrates its form of index {}",
                     formulation.plan().structure.index, *index);
}

int order_on_array(const settings::Settings& settings, const SolveOptions& options) {
  return options.method == "completion" ? CompletionStepper::fixed_order()
                                        : ArrayStepper::order_of(settings);
}

std::unique_ptr<Stepper> make_stepper(start::Formulation& formulation,
                                      const settings::Settings& settings,
                                      const SolveOptions& options) {
  const std::string method = method_on(formulation, options);
  if (method == "array") return std::make_unique<ArrayStepper>(formulation.array(), settings);
  if (method == "completion")
    return std::make_unique<CompletionStepper>(formulation.array(), settings);
  plan::Plan& plan = formulation.plan();
  if (is_step_method(method))
    return std::make_unique<MethodStepper>(plan, settings, options, plan.nominals());
  auto engine = std::make_shared<SeriesEngine>(make_schedule(plan), plan, settings, options, 1,
                                               plan.nominals());
  return std::make_unique<TaylorStepper>(plan, settings, std::move(engine));
}

}  // namespace daedal::run

#include "run/steppers/methods.hpp"

#include <fmt/format.h>

#include "integrate/dummy/explicit_dummy.hpp"
#include "integrate/dummy/implicit_dummy.hpp"
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

bool is_step_method(Method method) {
  return info_of(method).uses_structure && !info_of(method).has_series;
}

std::unique_ptr<integrate::StepMethod> make_step_method(plan::Plan& plan,
                                                        const settings::Settings& settings,
                                                        const SolveOptions& options,
                                                        const std::vector<double>& nominals) {
  if (options.method == Method::dd_erk) return make_explicit(plan, settings, nominals);
  if (options.method == Method::bdf) return make_bdf(plan, settings, options.bdf);
  if (options.method == Method::completion)
    return std::make_unique<CompletionMethod>(plan, settings);
  return std::make_unique<integrate::ImplicitDummy>(dummy_problem(plan, settings, nominals),
                                                    method_options(settings, nominals),
                                                    settings.order.value_or(5));
}

start::Ladder ladder_of(Method method) {
  const MethodInfo& info = info_of(method);
  if (!info.uses_structure) return start::Ladder::array;
  return info.uses_array ? start::Ladder::structure_or_array : start::Ladder::structure;
}

bool is_step_method_of_modes(Method method) { return !info_of(method).has_series; }

bool makes_series_steps(Method method) {
  const MethodInfo& info = info_of(method);
  return info.has_series && info.uses_structure;
}

Method method_on(const start::Formulation& formulation, const SolveOptions& options) {
  const Method asked = options.method.value();
  if (is_step_method(asked)) return asked;
  if (!formulation.is_array()) return Method::taylor;
  return asked == Method::completion ? Method::completion : Method::array;
}

std::string reason_for_method(start::Formulation& formulation, const SolveOptions& options) {
  if (options.method != Method::bdf || options.bdf.index) return formulation.why();
  const auto index = index_of_form(formulation.plan(), options.bdf);
  if (!index) return "";
  return fmt::format("the model is of index {}; bdf integrates its form of index {}",
                     formulation.plan().structure.index, *index);
}

int order_on_array(const settings::Settings& settings, const SolveOptions& options) {
  return options.method == Method::completion ? CompletionStepper::fixed_order()
                                              : ArrayStepper::order_of(settings);
}

std::unique_ptr<Stepper> make_stepper(start::Formulation& formulation,
                                      const settings::Settings& settings,
                                      const SolveOptions& options,
                                      std::shared_ptr<SeriesEngine>& engine) {
  const Method method = method_on(formulation, options);
  if (method == Method::array) return std::make_unique<ArrayStepper>(formulation.array(), settings);
  if (method == Method::completion)
    return std::make_unique<CompletionStepper>(formulation.array(), settings);
  plan::Plan& plan = formulation.plan();
  if (is_step_method(method))
    return std::make_unique<MethodStepper>(plan, settings, options, plan.nominals());
  if (engine == nullptr)
    engine = std::make_shared<SeriesEngine>(make_schedule(plan), plan, settings, options, 1,
                                            plan.nominals());
  else
    engine->integrator.run().set_member(plan.parameters, plan.nominals());
  return std::make_unique<TaylorStepper>(plan, settings, engine);
}

}  // namespace daedal::run

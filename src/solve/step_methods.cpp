#include "solve/step_methods.hpp"

#include "integrate/explicit_dummy.hpp"
#include "integrate/implicit_dummy.hpp"
#include "solve/bdf_method.hpp"
#include "solve/run_parts.hpp"

namespace daedal::solving {
namespace {

integrate::MethodOptions method_options(const Settings& settings,
                                        const std::vector<double>& nominals) {
  return {.tolerance = settings.tolerance, .max_step = settings.max_step, .nominals = nominals};
}

reduce::DummyProblem dummy_problem(Plan& plan, const Settings& settings,
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

std::unique_ptr<integrate::StepMethod> make_explicit(Plan& plan, const Settings& settings,
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

std::unique_ptr<integrate::StepMethod> make_step_method(Plan& plan, const Settings& settings,
                                                        const SolveOptions& options,
                                                        const std::vector<double>& nominals) {
  if (options.method == "dd-erk") return make_explicit(plan, settings, nominals);
  if (options.method == "bdf") return make_bdf(plan, settings, options);
  return std::make_unique<integrate::ImplicitDummy>(dummy_problem(plan, settings, nominals),
                                                    method_options(settings, nominals),
                                                    settings.order.value_or(5));
}

}  // namespace daedal::solving

// The methods: which equations each works on, and what makes its steps.
#pragma once

#include <memory>
#include <string>

#include "daedal/method.hpp"
#include "integrate/step_method.hpp"
#include "plan/plan.hpp"
#include "run/stepper.hpp"
#include "settings/settings.hpp"
#include "start/formulation.hpp"

namespace daedal::run {

struct SeriesEngine;

// Whether the method knows its solution at the ends of steps only: dd-erk, dd-ida, bdf.
bool is_step_method(Method method);

// Whether it does in a model with modes: completion, too.
bool is_step_method_of_modes(Method method);
// Whether steps are those of the series themselves: auto, taylor.
bool makes_series_steps(Method method);

// One of these. Keeps references to the plan, whose graph grows by derivatives.
std::unique_ptr<integrate::StepMethod> make_step_method(plan::Plan& plan,
                                                        const settings::Settings& settings,
                                                        const SolveOptions& options,
                                                        const std::vector<double>& nominals);

// The formulations that it may be used on.
start::Ladder ladder_of(Method method);
// The method that is used on the one that was chosen, and why it is another one than usual; empty
// if it is not.
Method method_on(const start::Formulation& formulation, const SolveOptions& options);
std::string reason_for_method(start::Formulation& formulation, const SolveOptions& options);
// The order of steps on an array.
int order_on_array(const settings::Settings& settings, const SolveOptions& options);
// Series are computed by this engine, which is made if there is none.
std::unique_ptr<Stepper> make_stepper(start::Formulation& formulation,
                                      const settings::Settings& settings,
                                      const SolveOptions& options,
                                      std::shared_ptr<SeriesEngine>& engine);

}  // namespace daedal::run

// The methods that are chosen by name: dd-erk, dd-ida, bdf.
#pragma once

#include <memory>

#include "integrate/step_method.hpp"
#include "solve/plan.hpp"
#include "solve/settings.hpp"

namespace daedal::solving {

// Whether the method is one of these.
bool is_step_method(const std::string& method);

// Keeps references to the plan, whose graph grows by derivatives.
std::unique_ptr<integrate::StepMethod> make_step_method(Plan& plan, const Settings& settings,
                                                        const SolveOptions& options,
                                                        const std::vector<double>& nominals);

}  // namespace daedal::solving

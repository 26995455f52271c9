// The method "bdf" for a plan.
#pragma once

#include <memory>
#include <optional>

#include "integrate/bdf/bdf.hpp"
#include "plan/plan.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

// The index of the form that is integrated: as asked for; else that of the equations, but 3
// at most, because beyond that errors of the highest derivatives do not stay bounded.
std::optional<int> index_of_form(const plan::Plan& plan, const BdfOptions& options);

// The order of the settings is the highest, or that of fixed
// steps (3 if none is asked for). Series at the start come from the structure of the plan, where
// its Jacobian is regular.
std::unique_ptr<integrate::Bdf> make_bdf(plan::Plan& plan, const settings::Settings& settings,
                                         const BdfOptions& options);

}  // namespace daedal::run

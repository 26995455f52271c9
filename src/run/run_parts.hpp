// What single runs and ensembles are made of.
#pragma once

#include "daedal/ensemble.hpp"
#include "daedal/solution.hpp"
#include "integrate/taylor/taylor_integrator.hpp"
#include "plan/plan.hpp"
#include "settings/settings.hpp"
#include "start/consistent_start.hpp"

namespace daedal::run {

// With its start, for the plan's parameters, and a status other than ok if there is none to begin a
// run from.
Solution begin_solution(start::StartSearch& search, const settings::Settings& settings);
Solution begin_solution(const plan::Plan& plan, ConsistentPoint start,
                        const settings::Settings& settings);

// The plan's graph grows by derivatives.
taylor::SeriesSchedule make_schedule(plan::Plan& plan);

// Its order is the one asked for, or the one that costs least.
integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes);
// With other nominal values than the plan's.
integrate::TaylorIntegrator make_integrator(taylor::SeriesSchedule schedule, const plan::Plan& plan,
                                            const settings::Settings& settings, int num_lanes,
                                            const std::vector<double>& nominals);
// Of a low order, for derivatives of all unknowns at a point, some more than a method needs.
integrate::TaylorIntegrator make_short_series(plan::Plan& plan, const settings::Settings& settings);
// By unknown: x, x', ... as far as the series goes.
std::vector<std::vector<double>> derivatives_of(const solution::StepSource& run);

int order_of(const integrate::TaylorIntegrator& integrator);

}  // namespace daedal::run

// What a run gave, as the curves, steps and moving shapes of the report's page.
#pragma once

#include "daedal/model.hpp"
#include "daedal/report.hpp"
#include "daedal/solution.hpp"
#include "report/errors_json.hpp"

namespace daedal::report {

// Null if the solution has no steps. {t, series: [{name, order, label, unit, description, kind,
// values}], left_out}
Json curves_of(const Model& model, const Solution& solution, const ReportOptions& options);

// Null if the solution has none. {t, length, order, rejected, condition, residual, thinned}: of
// groups of `thinned` steps the largest, of tries given up the sum.
Json steps_of(const Solution& solution);

// Null if there are none. {t, condition, smallest}
Json indicators_of(const Solution& solution);

// Null if the model draws nothing, or the solution has no steps. {dimension, t, shapes}
Json animation_of(const Model& model, const Solution& solution);

}  // namespace daedal::report

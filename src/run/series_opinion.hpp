// What the Taylor method says of a point that another method has come to: whether the solution ends
// there, and why.
#pragma once

#include <optional>
#include <vector>

#include "explain/stop_reason.hpp"
#include "plan/plan.hpp"
#include "settings/settings.hpp"

namespace daedal::run {

struct SeriesOpinion {
  explain::StopReason reason;
  double t;                    // where no further step was possible, or the end
  std::vector<double> values;  // there, by unknown
};

// From t with x_j, x_j', ... as far as known, by unknown. A status of ok: the end was reached.
// Nothing if many steps are possible, or if the model's structure allows no series.
std::optional<SeriesOpinion> ask_series(plan::Plan& plan, const settings::Settings& settings,
                                        double t, double end,
                                        const std::vector<std::vector<double>>& derivatives,
                                        long num_steps);

}  // namespace daedal::run

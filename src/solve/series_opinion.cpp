#include "solve/series_opinion.hpp"

#include <limits>

#include "solve/domain_edge.hpp"
#include "solve/run_parts.hpp"

namespace daedal::solving {
namespace {

// A value at which an operation is so near to the edge of its domain that it has no series.
std::optional<StopReason> edge_at(const Plan& plan, double t,
                                  const std::vector<std::vector<double>>& derivatives,
                                  long num_steps) {
  const auto unknown = [&](expr::UnknownId j, int order) {
    const auto& known = derivatives[j.index()];
    return order < static_cast<int>(known.size()) ? known[order]
                                                  : std::numeric_limits<double>::quiet_NaN();
  };
  const auto edge = nearest_edge(*plan.equations.graph, plan.residuals(),
                                 {.time = t, .parameters = plan.parameters, .unknown = unknown});
  if (!edge) return std::nullopt;
  return explain_edge(plan, *edge, t, num_steps);
}

}  // namespace

std::optional<SeriesOpinion> ask_series(Plan& plan, const Settings& settings, double t, double end,
                                        const std::vector<std::vector<double>>& derivatives,
                                        long num_steps) {
  constexpr int most_steps = 400;  // a pole that is approached by a tenth of the way takes 350
  if (!plan.regularity.singular.empty()) return std::nullopt;
  integrate::TaylorIntegrator series =
      make_integrator(make_schedule(plan), plan, settings, 1, plan.nominals());
  const integrate::TaylorRun& run = series.run();
  std::vector<double> values(plan.size());
  const auto take_values = [&](const auto& value) {
    for (int j = 0; j < static_cast<int>(values.size()); ++j) values[j] = value(j);
  };
  if (!series.begin(t, end, derivatives)) {
    take_values([&](int j) { return derivatives[j][0]; });
    const auto edge = edge_at(plan, t, derivatives, num_steps);
    return SeriesOpinion{edge ? *edge : explain_no_series(plan, series.run()), t, values};
  }
  StopReason reason;
  int n = 0;
  while (n < most_steps && !run.is_done() && series.advance()) ++n;
  if (n == most_steps) return std::nullopt;
  if (!run.is_done()) reason = explain_stop(plan, series.run(), num_steps);
  take_values([&](int j) { return run.derivative(j, 0); });
  return SeriesOpinion{reason, run.t(), values};
}

}  // namespace daedal::solving

#include "run/series_opinion.hpp"

#include <limits>

#include "explain/domain_edge.hpp"
#include "run/drive.hpp"
#include "run/steppers/taylor_stepper.hpp"

namespace daedal::run {
namespace {

// A value at which an operation is so near to the edge of its domain that it has no series.
std::optional<explain::StopReason> edge_at(const plan::Plan& plan, double t,
                                           const std::vector<std::vector<double>>& derivatives,
                                           long num_steps) {
  const auto unknown = [&](expr::UnknownId j, int order) {
    const auto& known = derivatives[j.index()];
    return order < static_cast<int>(known.size()) ? known[order]
                                                  : std::numeric_limits<double>::quiet_NaN();
  };
  const auto edge =
      explain::nearest_edge(*plan.equations.graph, plan.residuals(),
                            {.time = t, .parameters = plan.parameters, .unknown = unknown});
  if (!edge) return std::nullopt;
  return explain::explain_edge(plan, *edge, t, num_steps);
}

// Steps whose number is of no interest: messages say how many steps the run that asks had made.
class AskedSeries : public TaylorStepper {
 public:
  AskedSeries(plan::Plan& plan, const settings::Settings& settings, const SolveOptions& options,
              long num_steps)
      : TaylorStepper(plan, settings,
                      std::make_shared<SeriesEngine>(make_schedule(plan), plan, settings, options,
                                                     1, plan.nominals())) {
    asking_.statistics.steps = num_steps;
  }
  explain::StopReason explain(const solution::Record& /*own*/) override {
    return TaylorStepper::explain(asking_);
  }
  std::optional<explain::StopReason> obstacle(const solution::Record& /*own*/) override {
    return TaylorStepper::obstacle(asking_);
  }

 private:
  solution::Record asking_;
};

}  // namespace

std::optional<SeriesOpinion> ask_series(plan::Plan& plan, const settings::Settings& settings,
                                        double t, double end,
                                        const std::vector<std::vector<double>>& derivatives,
                                        long num_steps) {
  constexpr int most_steps = 400;  // a pole that is approached by a tenth of the way takes 350
  if (!plan.regularity.singular.empty()) return std::nullopt;
  settings::Settings own = settings;
  own.from = t;
  own.to = end;
  own.at = {};
  own.checkpoints = nullptr;
  own.max_memory = std::numeric_limits<double>::infinity();
  const SolveOptions options{
      .kernel = Kernel::interpreter, .max_steps = most_steps, .keep_steps = false};
  solution::Record opinion;
  opinion.start.values = derivatives;
  AskedSeries stepper(plan, own, options, num_steps);
  Run run(plan, own, options, stepper, opinion);
  run.begin();
  const bool is_begun = run.is_under_way() || opinion.ok();
  drive(run);
  if (opinion.status == Status::too_many_steps) return std::nullopt;
  explain::StopReason reason{.status = opinion.status, .problem = {}};
  if (!opinion.ok()) reason.problem = opinion.problems.front();
  if (!is_begun)
    if (const auto edge = edge_at(plan, t, derivatives, num_steps)) reason = *edge;
  std::vector<double> values(plan.size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    values[j] = is_begun ? stepper.run().derivative(j, 0) : derivatives[j][0];
  return SeriesOpinion{reason, is_begun ? stepper.run().t() : t, values};
}

}  // namespace daedal::run

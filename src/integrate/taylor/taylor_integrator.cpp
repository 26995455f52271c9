#include "integrate/taylor/taylor_integrator.hpp"

namespace daedal::integrate {

TaylorIntegrator::TaylorIntegrator(taylor::SeriesSolver series, std::vector<double> nominals,
                                   const TaylorOptions& options)
    : series_(std::make_unique<taylor::SeriesSolver>(std::move(series))),
      shape_(std::make_unique<SeriesShape>(*series_)),
      table_(std::make_unique<LaneTable>(*series_, *shape_, options.tolerance)),
      takes_part_(series_->num_lanes(), 0),
      outcomes_(series_->num_lanes(), Outcome::rejected) {
  for (int lane = 0; lane < num_lanes(); ++lane)
    runs_.emplace_back(*series_, *table_, lane, *shape_, nominals, options);
}

bool TaylorIntegrator::begin(double t, double end,
                             const std::vector<std::vector<double>>& derivatives, int lane,
                             double duration) {
  takes_part_[lane] = runs_[lane].begin(t, end, derivatives, duration) && !runs_[lane].is_done();
  return runs_[lane].failure().ok();
}

double TaylorIntegrator::longest_step(int lane) {
  table_->begin_steps();
  return table_->longest_step(lane);
}

bool TaylorIntegrator::advance(int lane) {
  for (int other = 0; other < num_lanes(); ++other) {
    series_->set_idle(other, other != lane);
    table_->choose(other, other == lane);
  }
  TaylorRun& run = runs_[lane];
  table_->begin_steps();
  run.begin_step();
  while (run.prepare_trial()) {
    table_->predict();
    series_->solve_start();
    table_->compare();
    if (run.is_close()) {
      if (run.refines_event()) continue;
      series_->solve_rest();
      if (run.accept()) {
        table_->keep_chosen();
        run.take_series();
        return true;
      }
    }
    run.reject();
  }
  return false;
}

const std::vector<TaylorIntegrator::Outcome>& TaylorIntegrator::advance_all() {
  const auto for_each_trying = [&](auto visit) {
    for (int lane = 0; lane < num_lanes(); ++lane)
      if (takes_part_[lane] != 0) visit(lane, runs_[lane]);
  };
  table_->begin_steps();
  for_each_trying([&](int lane, TaylorRun& run) {
    if (!run.is_trying()) run.begin_step();
    outcomes_[lane] = run.prepare_trial() ? Outcome::accepted : Outcome::stuck;
  });
  for (int lane = 0; lane < num_lanes(); ++lane)
    series_->set_idle(lane, takes_part_[lane] == 0 || outcomes_[lane] == Outcome::stuck);
  table_->predict();
  series_->solve_start();
  table_->compare();
  for_each_trying([&](int lane, TaylorRun& run) {
    if (outcomes_[lane] == Outcome::stuck || run.is_close()) return;
    outcomes_[lane] = Outcome::rejected;
    series_->set_idle(lane, true);
  });
  series_->solve_rest();
  for (int lane = 0; lane < num_lanes(); ++lane) table_->choose(lane, false);
  for_each_trying([&](int lane, TaylorRun& run) {
    if (outcomes_[lane] == Outcome::accepted && !run.accept()) outcomes_[lane] = Outcome::rejected;
    if (outcomes_[lane] == Outcome::rejected) run.reject();
    table_->choose(lane, outcomes_[lane] == Outcome::accepted);
  });
  table_->keep_chosen();
  for_each_trying([&](int lane, TaylorRun& run) {
    if (outcomes_[lane] == Outcome::accepted) run.take_series();
    if (outcomes_[lane] == Outcome::stuck || run.is_done()) takes_part_[lane] = 0;
  });
  return outcomes_;
}

}  // namespace daedal::integrate

// Explicit Taylor series integrator for DAEs of any index (docs/theory/taylor-method.md), for one
// trajectory or for several at once, one in each lane of the series.
#pragma once

#include <deque>
#include <memory>

#include "integrate/taylor/taylor_run.hpp"

namespace daedal::integrate {

class TaylorIntegrator {
 public:
  TaylorIntegrator(taylor::SeriesSolver series, std::vector<double> nominals,
                   const TaylorOptions& options);

  int num_lanes() const { return series_->num_lanes(); }
  TaylorRun& run(int lane = 0) { return runs_[lane]; }
  const TaylorRun& run(int lane = 0) const { return runs_[lane]; }
  const taylor::SeriesSolver& series() const { return *series_; }
  // From now on the series are computed by machine code; between steps.
  void use(std::shared_ptr<const taylor::CompiledStages> compiled) {
    series_->use(std::move(compiled));
  }

  // See TaylorRun::begin.
  bool begin(double t, double end, const std::vector<std::vector<double>>& derivatives,
             int lane = 0, double duration = 0.0);

  // The step that the present series is accurate for.
  double longest_step(int lane = 0);

  // One step of a lane alone. False if even the shortest is not accepted.
  bool advance(int lane = 0);

  // One trial in every lane that is still to go. A lane takes part until it is done, stuck or
  // stopped.
  enum class Outcome { accepted, rejected, stuck };
  // By lane; what lanes that take no part have is of no meaning.
  const std::vector<Outcome>& advance_all();
  bool takes_part(int lane) const { return takes_part_[lane] != 0; }
  void stop(int lane) { takes_part_[lane] = 0; }

 private:
  std::unique_ptr<taylor::SeriesSolver> series_;  // the runs refer to it, as to the next two
  std::unique_ptr<SeriesShape> shape_;
  std::unique_ptr<LaneTable> table_;
  std::deque<TaylorRun> runs_;  // by lane
  std::vector<char> takes_part_;
  std::vector<Outcome> outcomes_;
};

}  // namespace daedal::integrate

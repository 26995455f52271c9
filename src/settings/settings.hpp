// The options of a run with the model's defaults filled in.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <vector>

#include "daedal/ensemble.hpp"
#include "daedal/solve.hpp"
#include "model/model_data.hpp"

namespace daedal::run {
class Checkpoints;
}

namespace daedal::settings {

struct Settings {
  double from = 0.0;
  double to = 0.0;
  // A time before `to` at which the run is to wait for its user.
  std::optional<double> pause = {};
  double tolerance = 0.0;
  std::optional<int> order;
  StartWeighting start_weighting = StartWeighting::choosable;
  double max_step = 0.0;
  std::vector<double> at;  // in the direction of the run
  // Below this a tolerance asks for more than the method can give in double precision.
  double smallest_tolerance = 1e-15;
  std::optional<long> anchor_every = {};
  // The checkpoints of a run that is to be continued, or is; null if there are none.
  run::Checkpoints* checkpoints = nullptr;
  double max_memory = std::numeric_limits<double>::infinity();  // bytes
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  // Where steps end for now.
  double stop() const { return pause.value_or(to); }

  double seconds_since_start() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
};

// Throws E-OPT-001 to E-OPT-006, one problem for every option that makes no sense.
Settings settings_of(const model::ModelData& model, const SolveOptions& options);

// Throws E-OPT-001.
void check(const EnsembleOptions& options);
// As many lanes and threads as so many members can use on this machine.
EnsembleOptions fitted(const EnsembleOptions& options, std::size_t num_members);

}  // namespace daedal::settings

// Keeps the steps of a run, whichever method makes them: polynomials, samples, lengths, the end.
#pragma once

#include <vector>

#include "daedal/solve.hpp"
#include "settings/settings.hpp"
#include "solution/step_source.hpp"

namespace daedal::explain {
struct StopReason;
}

namespace daedal::run {

class StepRecorder {
 public:
  // Holds references. The solution has its variables and outputs.
  StepRecorder(const settings::Settings& settings, const SolveOptions& options, Solution& solution);

  void begin(const solution::StepSource& run);
  // The run is continued; the solution has what was found until then.
  void resume();
  // Steps from now on have another layout.
  void enter(const solution::StepSource& run);
  // The values at t are others than before.
  void sample_again(const solution::StepSource& run);
  // The step just accepted.
  void accept(const solution::StepSource& run);
  // One that was made in another way.
  void accept(const solution::StepView& step, const solution::StepLayout& layout);
  // Tells the caller how far the run is; false if it is to stop.
  bool report(const solution::StepSource& run) const;
  void finish(const solution::StepSource& run);

 private:
  void note(const solution::StepView& step);
  void keep(const solution::StepView& step, const solution::StepQuality& quality);
  template <typename Take>
  void sample_step(const solution::StepView& step, Take take);
  void take_values(const solution::StepSource& run, double t);
  template <typename Value>
  void take_values(double t, const solution::StepLayout& layout, Value value);
  void sample(double t);
  void keep(double t);

  const settings::Settings& settings_;
  const SolveOptions& options_;
  Solution& solution_;
  std::size_t next_at_ = 0;
  long rejected_before_ = 0;  // this step
  std::size_t num_variables_;
  std::vector<double> values_;  // of variables, then of outputs
};

// Records the end of a run, and the part of its last step that is good.
void record_end(StepRecorder& recorder, const solution::StepSource& run,
                const explain::StopReason& reason);

}  // namespace daedal::run

// Keeps the steps of a run, whichever method makes them: polynomials, samples, lengths, the end.
#pragma once

#include <vector>

#include "daedal/solve.hpp"
#include "integrate/event_source.hpp"
#include "settings/settings.hpp"
#include "solution/record.hpp"
#include "solution/step_source.hpp"

namespace daedal::explain {
struct StopReason;
}

namespace daedal::run {

class StepRecorder {
 public:
  // Holds references. The solution has its variables and outputs.
  StepRecorder(const settings::Settings& settings, const SolveOptions& options,
               solution::Record& solution);

  // Records the start of a run.
  void begin(const solution::StepSource& run);
  // Goes on recording into a solution that has the results of the run that is continued.
  void resume();
  // Steps from now on have the layout of this trajectory, which may be another than before.
  void enter(const solution::StepSource& run);
  // Records the values at t once more, after an event that may have changed them.
  void sample_again(const solution::StepSource& run);
  // Records the step that was just accepted.
  void accept(const solution::StepSource& run);
  // Records a step that no stepper made, such as the passage over a singular point.
  void accept(const solution::StepView& step, const solution::StepLayout& layout);
  // Keeps the last instant of a run as a step of no length, with the discrete variables that
  // clauses have set there.
  void keep_instant(const integrate::EventSource& run);
  // Reports to the caller (on_step) how far the run is; false if the caller asks to stop.
  bool report(const solution::StepSource& run) const;
  // Records the final values: those where a run is, or these, derivatives by unknown.
  void finish(double t, const std::vector<std::vector<double>>& derivatives);
  void finish(const solution::StepSource& run);

 private:
  void note(const solution::StepView& step);
  void keep(const solution::StepView& step, const solution::StepQuality& quality);
  template <typename Take>
  void sample_step(const solution::StepView& step, Take take);
  void take_values(const solution::StepSource& run, double t);
  template <typename Value>
  void take_values(double t, const solution::StepLayout& layout, Value value);
  void keep_final(double t);
  void sample(double t);
  void keep(double t);

  const settings::Settings& settings_;
  const SolveOptions& options_;
  solution::Record& solution_;
  std::size_t next_at_ = 0;
  long rejected_before_ = 0;  // this step
  std::size_t num_variables_;
  std::vector<double> values_;  // of variables, then of outputs
};

// Records the end of a run, and the part of its last step that is good.
void record_end(StepRecorder& recorder, const solution::StepSource& run,
                const explain::StopReason& reason);

}  // namespace daedal::run

// The whole run, in order:
//
//   settings   the options, with the model's defaults filled in
//   prepare    the equations that are solved: as written, converted, or on the derivative array
//              (start/formulation.hpp); of a model with modes, one set for each (run/modes/)
//   begin      the consistent start, and the stepper of the method (run/stepper.hpp)
//   drive      step after step: judged, recorded, events, limits, singular points, anchors
//              (run/run.hpp, run/drive.hpp)
//   warnings   what the result should not be trusted for, and what a second run says of it
#include "daedal/solve.hpp"

#include "base/stopwatch.hpp"
#include "explain/warnings.hpp"
#include "run/checkpoints.hpp"
#include "run/verification.hpp"
#include "solve/prepared_run.hpp"

namespace daedal {

Solution solve(const Model& model, const SolveOptions& user_options) {
  base::Stopwatch total;
  const SolveOptions options = user_options.resume.empty()
                                   ? user_options
                                   : run::with_options_of_resumed(model.data(), user_options);
  settings::Settings settings = settings::settings_of(model.data(), options);
  std::optional<run::Checkpoints> checkpoints;
  if (!options.checkpoint.file.empty() || !options.resume.empty())
    settings.checkpoints = &checkpoints.emplace(model.data(), settings, options);

  const auto run = solving::prepare(model.data(), settings, options);
  run->begin({});
  run->drive();
  solution::Record solution = run->take();

  explain::add_warnings(settings, solution);
  if (checkpoints) checkpoints->finish(solution);
  if (options.verify && solution.ok())
    run::compare(model.data(), settings,
                 SolutionAccess::record(solve(model, run::more_accurate(options, settings))),
                 solution);
  solution.seconds.total = total.lap();
  return SolutionAccess::solution_of(std::move(solution));
}

}  // namespace daedal

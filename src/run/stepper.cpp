#include "run/stepper.hpp"

namespace daedal::run {

Derivatives derivatives_of(const solution::StepSource& trajectory) {
  Derivatives all(trajectory.layout().column.size());
  for (int j = 0; j < trajectory.layout().num_unknowns(); ++j)
    for (int order = 0; order <= trajectory.layout().degree(j); ++order)
      all[j].push_back(trajectory.derivative(j, order));
  return all;
}

const solution::StepSource& Stepper::start() const { return trajectory(); }

std::optional<explain::StopReason> Stepper::objection(const solution::Record& /*solution*/) {
  return {};
}

}  // namespace daedal::run

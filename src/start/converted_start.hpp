// The start of a converted model. What may be chosen in it are other values than in the user's
// model, so the point nearest to the user's guesses is found on the user's equations, by their
// derivative array, and the converted model starts there.
#pragma once

#include <optional>

#include "daedal/initialize.hpp"
#include "plan/plan.hpp"

namespace daedal::start {

struct ConvertedStart {
  ConsistentPoint point;  // of the converted model
  bool agrees = false;    // with the nearest point of the user's equations
};

// S-STR-003: the nearest point on the equations as written is none of the converted model, which
// hides it.
Problem explain_other_start(const plan::Plan& original);

// Nothing if the user's equations are too many for an array, or have no start by it.
std::optional<ConvertedStart> start_of_converted(plan::RegularizedModel& model, double t);

}  // namespace daedal::start

// The analysis of the mode in which a run began.
#pragma once

#include "daedal/analysis.hpp"
#include "daedal/initialize.hpp"

namespace daedal::solving {

// For a model without modes this is analyze(model).
Analysis analyze_start(const Model& model, const ConsistentPoint& start);

}  // namespace daedal::solving

// A model with modes and what is true of it (docs/theory/manufactured-problems.md, F12 to F16).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manufactured/series.hpp"

namespace daedal::manufactured {

struct HybridProblem {
  std::string text;
  double from = 0.0, to = 1.0;
  std::vector<double> times;             // away from instants at which values jump
  std::vector<std::vector<Real>> exact;  // by time and variable, in the model's order
  double growth = 1.0;                   // of errors, by rule F14
  double uncertainty = 0.0;              // of the exact values, relative
};

// Nested conditions on known trajectories (rule F13).
HybridProblem nested_conditions(std::uint64_t seed);

// Conditions on what they decide: the truth is what many small steps make of it (rule F17).
HybridProblem with_feedback(std::uint64_t seed);

// A manufactured problem with parts that have events (rules F15 and F16).
HybridProblem with_events(std::uint64_t seed);

}  // namespace daedal::manufactured

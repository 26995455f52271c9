// The published problems as C++ models. Each has a folder of its own with the same model in the model language and a
// JSON file with its source, published facts and reference values; README.md lists them all.
#pragma once

#include "daedal/model.hpp"

namespace daedal::problems {

// Simple pendulum in cartesian coordinates, g = 9.81, L = 10: index 3.
Model pendulum();

}  // namespace daedal::problems

// What is known of a model's unknowns before any solution exists.
#pragma once

#include <vector>

#include "model/model_data.hpp"
#include "taylor/regularity.hpp"

namespace daedal::reduce {

// By unknown: start values and nominals, for these values of the parameters.
std::vector<taylor::Guess> guesses_of(const model::ModelData& model,
                                      const std::vector<double>& parameters);

}  // namespace daedal::reduce

// Whether two models say the same.
#pragma once

#include <cstdint>

#include "model/model_data.hpp"

namespace daedal::model {

// A hash of equations, start values, when clauses, outputs and bindings of parameters, as the graph
// has them. Values set at run time, descriptions and places do not count.
std::uint64_t fingerprint_of(const ModelData& model);

}  // namespace daedal::model

// An order of elimination for long, thin patterns such as chains: from both ends to the middle. It
// fills as little as going from one end to the other and is half as deep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/linear_solver.hpp"

namespace daedal::base {

// Breadth-first levels from one end; what is eliminated last is the whole level in the middle.
// Within a level places with a diagonal entry come first: rows without one get theirs by fill-in.
std::vector<std::int32_t> two_ended_order(int size, std::span<const Place> entries);

}  // namespace daedal::base

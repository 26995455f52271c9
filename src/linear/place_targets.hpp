// Where the values of a sparse pattern go in a dense matrix. Of places given repeatedly the first
// has the target, the others a spare one after the matrix; they are added afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/linear_solver.hpp"

namespace daedal::linear {

struct PlaceTargets {
  std::vector<std::int32_t> target;                     // by place
  std::vector<std::int32_t> repeated, repeated_target;  // places to be added, and where

  PlaceTargets() = default;
  // at(place): in 0 ... spare - 1.
  template <typename At>
  PlaceTargets(const std::vector<Place>& places, int spare, At at) {
    std::vector<bool> is_given(spare, false);
    for (const Place& place : places) {
      const std::int32_t where = at(place);
      if (is_given[where]) {
        repeated.push_back(static_cast<std::int32_t>(target.size()));
        repeated_target.push_back(where);
      }
      target.push_back(is_given[where] ? spare : where);
      is_given[where] = true;
    }
  }
};

}  // namespace daedal::linear

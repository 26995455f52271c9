// Operations on the solution whose series may show less than the operations do: all that are not
// linear. (What depends on time alone is in time_functions.hpp.)
#pragma once

#include <vector>

#include "taylor/series_schedule.hpp"

namespace daedal::taylor {

struct StateOperations {
  std::vector<Slot> operations;  // those whose series are computed
  // What their values need and a run does not keep constant, arguments before users.
  std::vector<Slot> evaluated;
};

StateOperations state_operations(const SeriesSchedule& schedule);

// Whether its values are those of its own series, not of other slots.
inline bool is_leaf(const TapeEntry& entry) {
  return entry.instruction == Instruction::unknown ||
         entry.instruction == Instruction::derivative || entry.instruction == Instruction::shift;
}

}  // namespace daedal::taylor

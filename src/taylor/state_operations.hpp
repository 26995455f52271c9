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

// The argument whose motion decides what an operation does.
inline Slot critical_argument(const Tape& tape, Slot operation) {
  const TapeEntry& entry = tape.entries()[operation];
  return tape.arguments(entry)[entry.instruction == Instruction::divide ? 1 : 0];
}

// How far this argument may go from a value of this size so that the operation does nothing that
// values at both ends do not show: values of functions and of powers change by a factor of e or so
// where that may be seen. Far from 0 tanh and the like are as flat as their arguments are large, and
// exp, of large arguments, is next to nothing or more than anything. `largest`: of the argument on
// the way; near 0 a power hardly moves. Infinite for products, which do nothing of their own.
double resolution(const TapeEntry& entry, double exponent, double size, double largest);

}  // namespace daedal::taylor

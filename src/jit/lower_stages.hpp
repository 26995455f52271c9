// A packed program as a list of operations for a compiler.
#pragma once

#include <vector>

#include "jit/stage_code.hpp"
#include "linear/lu_schedule.hpp"
#include "taylor/packed_program.hpp"

namespace daedal::jit {

// By block: the schedule of its linear solves; null if they follow none.
using SolveSchedules = std::vector<const linear::LuSchedule*>;

// The stages above 0 with their linear solves.
StageCode lower_stages(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule,
                       const SolveSchedules& solves);
// The steps of the stages up to 0, as far as it is worth it.
StageCode lower_start(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule);

// What an operation costs to compile, in elements and terms of sums.
Number work_of(const StageCode& code, const Operation& operation);

}  // namespace daedal::jit

// A packed program as a list of operations for a compiler.
#pragma once

#include "jit/stage_code.hpp"
#include "taylor/packed_program.hpp"

namespace daedal::jit {

StageCode lower_stages(const taylor::PackedProgram& program,
                       const taylor::SeriesSchedule& schedule);

// What an operation costs to compile, in elements and terms of sums.
Number work_of(const StageCode& code, const Operation& operation);

}  // namespace daedal::jit

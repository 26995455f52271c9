// A packed program as a list of operations for a compiler.
#pragma once

#include "jit/stage_code.hpp"
#include "taylor/packed_program.hpp"

namespace daedal::jit {

StageCode lower_stages(const taylor::PackedProgram& program,
                       const taylor::SeriesSchedule& schedule);

}  // namespace daedal::jit

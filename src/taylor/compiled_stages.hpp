// Machine code for the stages of a packed program, whoever made it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "linear/linear_solver.hpp"

namespace daedal::taylor {

// What machine code leaves to the interpreter: packs by number, coefficient k.
struct StageCallbacks {
  void* context;
  void (*evaluate)(void* context, std::int64_t pack, std::int64_t k);
  void (*correct)(void* context, std::int64_t pack, std::int64_t k);
};

using StageFunction = void (*)(double* table, double* work, std::int64_t stage,
                               const StageCallbacks* callbacks);

struct CompiledStages {
  std::vector<std::vector<StageFunction>> segments;  // by segment of the program, in order
  // By PackedProgram::number_of; null where a step is left to the interpreter.
  std::vector<StageFunction> start;
  std::vector<linear::CompiledSolve> solves;  // by block; null where it is left to the solver
  std::vector<std::shared_ptr<void>> images;  // the memory that holds them
};

}  // namespace daedal::taylor

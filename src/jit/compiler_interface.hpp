// The interface to a compiler, which lives in a module of its own that is loaded when first needed:
// a compiler is larger than all the rest, and many runs end before one would be ready.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/stage_code.hpp"

namespace daedal::jit {

// Increased when anything that the module and the library share changes.
inline constexpr int interface_version = 4;
inline constexpr const char* module_entry = "daedal_compiler";

struct StageCodeView {
  std::int64_t num_lanes;
  std::int64_t last_stage;
  const Operation* operations;
  const std::uint32_t* lists;
  const Piece* pieces;
};

struct ObjectView {
  const char* bytes;
  std::size_t size;
};

extern "C" {

// Text is given to these; the receiver keeps a copy.
using daedal_receiver = void (*)(void* context, const char* bytes, std::size_t size);

// Functions return 0 if all went well; else they gave `failed` a message. All may be called from
// any thread.
struct daedal_compiler_functions {
  int version;
  // What the object code depends on besides the stages: processor, its features, the compiler.
  void (*describe_target)(daedal_receiver take, void* context);
  // The object code of pieces first to last - 1.
  int (*compile)(const StageCodeView* code, std::size_t first, std::size_t last,
                 daedal_receiver take, daedal_receiver failed, void* context);
  // Brings objects into memory that can be executed; functions[n] becomes that of piece n. The
  // image stays until it is released.
  int (*link)(const ObjectView* objects, std::size_t num_objects, std::size_t num_pieces,
              void** functions, void** image, daedal_receiver failed, void* context);
  void (*release)(void* image);
};

}  // extern "C"

}  // namespace daedal::jit

// The operations of a piece as LLVM instructions.
#pragma once

#include <llvm/IR/Module.h>

#include <cstddef>

#include "jit/compiler_interface.hpp"

namespace daedal::llvm_backend {

// Adds `void piece_<number>(double* table, double* work, i64 stage, const callbacks*)`.
// vector_width: doubles in a register of the processor.
void emit_piece(llvm::Module& module, const jit::StageCodeView& code, std::size_t number,
                unsigned vector_width);

}  // namespace daedal::llvm_backend

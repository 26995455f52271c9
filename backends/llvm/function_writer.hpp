// The function of a piece while it is written: control, numbers, places, and vectors of elements,
// which stay in registers while they may be read again. What a stage computes is not known here.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jit/stage_code.hpp"

namespace daedal::llvm_backend {

using jit::Array;
using jit::Number;
using jit::Rows;
using llvm::Value;

// array + stage * stride + offset, in doubles.
struct Place {
  Array array;
  Number stride, offset;

  Place operator+(Number doubles) const { return {array, stride, offset + doubles}; }
  bool is_in_row_of(const Place& other) const {
    return array == other.array && stride == other.stride;
  }
};

// Elements first to first + count - 1 of an operation, in a vector of `width` >= count.
struct Chunk {
  Number first;
  unsigned count, width;
};

class FunctionWriter {
 public:
  // stage: that of the piece. vector_width: doubles in a register of the processor.
  FunctionWriter(llvm::Module& module, const std::string& name, Number stage,
                 unsigned vector_width);
  // After the last operation.
  void finish();

  // For instructions that have no word here.
  llvm::IRBuilder<>& builder() { return builder_; }

  // --- control ---

  llvm::BasicBlock* new_block();
  void go_on_in_new_block();
  void if_holds(Value* condition, const std::function<void()>& emit_inside);
  // A loop that runs `times`; state is what changes in it.
  std::vector<Value*> repeat(Value* times, bool may_be_zero, const std::vector<Value*>& state,
                             const std::function<void(std::vector<Value*>&)>& emit_body);
  std::vector<Value*> merge(const std::vector<Value*>& one, llvm::BasicBlock* from_one,
                            const std::vector<Value*>& other, llvm::BasicBlock* from_other);

  // --- arguments ---

  Value* table() { return function_->getArg(0); }
  Value* work() { return function_->getArg(1); }
  Value* stage() { return known_stage_ ? integer(*known_stage_) : function_->getArg(2); }
  Value* callbacks() { return function_->getArg(3); }
  // That of a piece which serves no other.
  const std::optional<Number>& known_stage() const { return known_stage_; }

  // --- numbers ---

  Value* integer(Number value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  Value* order(Number less_stage) { return builder_.CreateAdd(stage(), integer(less_stage)); }
  Value* is_odd(Value* whole);
  Value* to_real(Value* whole) { return builder_.CreateSIToFP(whole, real_); }
  Value* real(double value) { return llvm::ConstantFP::get(real_, value); }
  Value* zero(unsigned width) { return llvm::Constant::getNullValue(type_of(width)); }
  Value* splat(Value* scalar, const Chunk& c) {
    return c.width == 1 ? scalar : builder_.CreateVectorSplat(c.width, scalar);
  }
  Value* splat(double value, const Chunk& c) { return splat(real(value), c); }
  Value* mul(Value* a, Value* b) { return builder_.CreateFMul(a, b); }
  Value* add(Value* a, Value* b) { return builder_.CreateFAdd(a, b); }
  Value* sub(Value* a, Value* b) { return builder_.CreateFSub(a, b); }
  Value* div(Value* a, Value* b) { return builder_.CreateFDiv(a, b); }

  // --- places ---

  // Row stage + order; and row n for a number known now.
  Place stage_row(const Rows& rows, Number row_order, Number element) const {
    if (known_stage_) return known_row(rows, *known_stage_ + row_order, element);
    return {rows.array, rows.stride, rows.first + row_order * rows.stride + element};
  }
  static Place known_row(const Rows& rows, Number n, Number element) {
    return {rows.array, 0, rows.first + n * rows.stride + element};
  }
  static Place in_work(Number offset) { return {Array::work, 0, offset}; }

  Value* pointer(const Place& place) {
    return at(stage_row(place.array, place.stride), place.offset);
  }
  // To row n, which is computed.
  Value* moving_row(const Rows& rows, Value* n);
  Value* at(Value* pointer, Number doubles);

  // --- vectors ---

  std::vector<Chunk> chunks(Number width) const;

  Value* load(Value* from, unsigned width);
  Value* load(const Place& place, const Chunk& c);
  Value* load_one(const Place& place) { return load(place, {0, 1, 1}); }
  // The elements of a row in the order of the list.
  Value* assemble(const Place& row, const std::vector<std::uint32_t>& elements, unsigned width);
  // Stores `stored` elements, of which `count` mean something.
  void store(Value* value, const Place& place, const Chunk& c, unsigned stored);
  // From here on what was stored is loaded where it is read again.
  void forget_kept() { kept_.clear(); }

 private:
  // A vector stored last.
  struct Kept {
    Place place;
    unsigned count;
    Value* value;
  };

  llvm::Type* type_of(unsigned width) {
    return width == 1 ? real_ : llvm::FixedVectorType::get(real_, width);
  }
  Value* stage_row(Array array, Number stride);

  void store(Value* value, Value* pointer, unsigned count, unsigned width);
  Value* part_of(Value* vector, unsigned first, unsigned count);

  Value* shuffle_together(const Place& row, const std::vector<std::uint32_t>& elements,
                          unsigned width, std::size_t most);
  Value* widen(Value* vector, unsigned width);
  Kept vector_with(const Place& row, std::uint32_t element) const;
  Value* part(const Place& row, std::uint32_t element, unsigned length);
  Value* insert(Value* into, Value* what, unsigned first, unsigned length, unsigned width);

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::Type* real_;
  unsigned vector_width_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock *entry_ = nullptr, *body_ = nullptr;
  std::optional<Number> known_stage_;
  std::map<std::pair<Array, Number>, Value*> stage_rows_;
  std::vector<Kept> kept_;
};

}  // namespace daedal::llvm_backend

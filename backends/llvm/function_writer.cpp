// The instructions behind the words of FunctionWriter. Scattered elements are put together from the
// vectors stored last and whole vectors in memory where those are few, else piece by piece.
#include "function_writer.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace daedal::llvm_backend {
namespace {

// What was stored last is taken from registers where it is read again. Beyond so many vectors they
// would not stay there.
constexpr std::size_t most_kept = 24;

unsigned run_length(const std::vector<std::uint32_t>& elements, unsigned first) {
  unsigned end = first + 1;
  if (elements[first] == jit::no_element) return 1;
  while (end < elements.size() && elements[end] == elements[first] + (end - first)) ++end;
  return end - first;
}

// Neighbours in the row that are neighbours in a vector, too, and can be put there at once.
struct Run {
  unsigned first, length;
};
std::vector<Run> aligned_runs(const std::vector<std::uint32_t>& elements) {
  std::vector<Run> runs;
  for (unsigned i = 0; i < elements.size(); i += runs.back().length) {
    unsigned length = std::bit_floor(run_length(elements, i));
    while (i % length != 0) length /= 2;
    runs.push_back({i, length});
  }
  return runs;
}

unsigned width_of(Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

}  // namespace

FunctionWriter::FunctionWriter(llvm::Module& module, const std::string& name, Number stage,
                               unsigned vector_width)
    : module_(module),
      builder_(module.getContext()),
      real_(builder_.getDoubleTy()),
      vector_width_(vector_width) {
  llvm::Type* pointer = builder_.getPtrTy();
  std::vector<llvm::Type*> arguments = {pointer, pointer};
  if (stage != jit::solve_of_block) {
    arguments.push_back(builder_.getInt64Ty());
    arguments.push_back(pointer);
  }
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), arguments, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  const std::string bits = std::to_string(64 * vector_width_);
  function_->addFnAttr("prefer-vector-width", bits);
  function_->addFnAttr("min-legal-vector-width", bits);
  for (unsigned a : {0u, 1u}) function_->addParamAttr(a, llvm::Attribute::NoAlias);
  entry_ = new_block();
  body_ = new_block();
  builder_.SetInsertPoint(body_);
  if (stage != jit::any_stage_above_0) known_stage_ = stage;
}

void FunctionWriter::finish() {
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(entry_);
  builder_.CreateBr(body_);
}

// --- control ---

llvm::BasicBlock* FunctionWriter::new_block() {
  return llvm::BasicBlock::Create(module_.getContext(), "", function_);
}

void FunctionWriter::go_on_in_new_block() {
  llvm::BasicBlock* next = new_block();
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

void FunctionWriter::if_holds(Value* condition, const std::function<void()>& emit_inside) {
  llvm::BasicBlock* inside = new_block();
  llvm::BasicBlock* after = new_block();
  builder_.CreateCondBr(condition, inside, after);
  builder_.SetInsertPoint(inside);
  emit_inside();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

std::vector<Value*> FunctionWriter::repeat(
    Value* times, bool may_be_zero, const std::vector<Value*>& state,
    const std::function<void(std::vector<Value*>&)>& emit_body) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = new_block();
  llvm::BasicBlock* after = new_block();
  if (may_be_zero)
    builder_.CreateCondBr(builder_.CreateICmpEQ(times, integer(0)), after, loop);
  else
    builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* left = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  left->addIncoming(times, before);
  std::vector<Value*> now;
  for (Value* value : state) {
    llvm::PHINode* phi = builder_.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    now.push_back(phi);
  }
  const std::vector<Value*> phis = now;
  emit_body(now);
  Value* next = builder_.CreateSub(left, integer(1));
  left->addIncoming(next, loop);
  for (std::size_t n = 0; n < now.size(); ++n)
    llvm::cast<llvm::PHINode>(phis[n])->addIncoming(now[n], loop);
  builder_.CreateCondBr(builder_.CreateICmpNE(next, integer(0)), loop, after);
  builder_.SetInsertPoint(after);
  return may_be_zero ? merge(state, before, now, loop) : now;
}

std::vector<Value*> FunctionWriter::merge(const std::vector<Value*>& one,
                                          llvm::BasicBlock* from_one,
                                          const std::vector<Value*>& other,
                                          llvm::BasicBlock* from_other) {
  std::vector<Value*> merged;
  for (std::size_t n = 0; n < one.size(); ++n) {
    llvm::PHINode* phi = builder_.CreatePHI(one[n]->getType(), 2);
    phi->addIncoming(one[n], from_one);
    phi->addIncoming(other[n], from_other);
    merged.push_back(phi);
  }
  return merged;
}

// --- numbers and places ---

Value* FunctionWriter::is_odd(Value* whole) {
  return builder_.CreateICmpNE(builder_.CreateAnd(whole, integer(1)), integer(0));
}

Value* FunctionWriter::moving_row(const Rows& rows, Value* n) {
  return builder_.CreateGEP(builder_.getInt8Ty(), pointer(known_row(rows, 0, 0)),
                            builder_.CreateMul(n, integer(8 * rows.stride)));
}

Value* FunctionWriter::at(Value* pointer, Number doubles) {
  return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer,
                                     static_cast<std::uint64_t>(8 * doubles));
}

// array + stage * stride, computed once, at the beginning of the function.
Value* FunctionWriter::stage_row(Array array, Number stride) {
  Value* base = array == Array::table ? table() : work();
  if (stride == 0) return base;
  Value*& row = stage_rows_[{array, stride}];
  if (row == nullptr) {
    const llvm::IRBuilderBase::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_);
    row = builder_.CreateGEP(builder_.getInt8Ty(), base,
                             builder_.CreateMul(stage(), integer(8 * stride)));
  }
  return row;
}

// --- vectors ---

std::vector<Chunk> FunctionWriter::chunks(Number width) const {
  std::vector<Chunk> result;
  for (Number first = 0; first < width;) {
    const auto count = static_cast<unsigned>(std::min<Number>(vector_width_, width - first));
    result.push_back({first, count, std::bit_ceil(count)});
    first += count;
  }
  return result;
}

Value* FunctionWriter::load(Value* from, unsigned width) {
  return builder_.CreateAlignedLoad(type_of(width), from, llvm::Align(8));
}

// A load that reaches from one vector just stored to the next would have to wait for both.
Value* FunctionWriter::load(const Place& place, const Chunk& c) {
  for (const Kept& kept : kept_)
    if (kept.place.is_in_row_of(place) && kept.place.offset == place.offset &&
        kept.count >= c.count && kept.value->getType() == type_of(c.width))
      return kept.value;
  if (c.count > 1 && vector_with(place, 0).value != nullptr &&
      vector_with(place, c.count - 1).value != nullptr) {
    std::vector<std::uint32_t> elements(c.count);
    std::iota(elements.begin(), elements.end(), 0u);
    if (Value* shuffled = shuffle_together(place, elements, c.width, 3)) return shuffled;
  }
  return load(pointer(place), c.width);
}

void FunctionWriter::store(Value* value, const Place& place, const Chunk& c, unsigned stored) {
  store(value, pointer(place), stored, c.width);
  std::erase_if(kept_, [&](const Kept& kept) {
    return kept.place.is_in_row_of(place) && kept.place.offset < place.offset + c.count &&
           place.offset < kept.place.offset + kept.count;
  });
  if (kept_.size() == most_kept) kept_.erase(kept_.begin());
  kept_.push_back({place, c.count, value});
}

// The first `count` elements only: in halves.
void FunctionWriter::store(Value* value, Value* pointer, unsigned count, unsigned width) {
  if (count == width) {
    builder_.CreateAlignedStore(value, pointer, llvm::Align(8));
    return;
  }
  unsigned done = 0;
  for (unsigned part = std::bit_floor(count); part > 0; part /= 2) {
    if (count - done < part) continue;
    builder_.CreateAlignedStore(part_of(value, done, part), at(pointer, done), llvm::Align(8));
    done += part;
  }
}

Value* FunctionWriter::part_of(Value* vector, unsigned first, unsigned count) {
  if (count == 1) return builder_.CreateExtractElement(vector, first);
  std::vector<int> lanes(count);
  for (unsigned i = 0; i < count; ++i) lanes[i] = static_cast<int>(first + i);
  return builder_.CreateShuffleVector(vector, lanes);
}

// --- vectors of scattered elements ---

Value* FunctionWriter::assemble(const Place& row, const std::vector<std::uint32_t>& elements,
                                unsigned width) {
  const auto count = static_cast<unsigned>(elements.size());
  if (run_length(elements, 0) == count && elements[0] != jit::no_element)
    return load(row + elements[0], {0, count, width});
  if (std::all_of(elements.begin(), elements.end(),
                  [&](std::uint32_t e) { return e == elements[0]; })) {
    if (elements[0] == jit::no_element) return zero(width);
    return builder_.CreateVectorSplat(width, load_one(row + elements[0]));
  }
  const std::vector<Run> runs = aligned_runs(elements);
  if (Value* shuffled = shuffle_together(row, elements, width, runs.size())) return shuffled;
  Value* result = llvm::PoisonValue::get(type_of(width));
  for (const Run& run : runs)
    result =
        insert(result, part(row, elements[run.first], run.length), run.first, run.length, width);
  return result;
}

// The same from whole vectors, in registers or at multiples of their size in memory, if those are
// fewer than `most`; else nothing.
Value* FunctionWriter::shuffle_together(const Place& row,
                                        const std::vector<std::uint32_t>& elements, unsigned width,
                                        std::size_t most) {
  if (width < 4) return nullptr;
  std::vector<Kept> sources;
  std::vector<std::size_t> source_of;
  for (const std::uint32_t element : elements) {
    if (element == jit::no_element) return nullptr;
    const Kept source = vector_with(row, element);
    const auto found = std::find_if(sources.begin(), sources.end(), [&](const Kept& other) {
      return other.place.offset == source.place.offset && other.value == source.value;
    });
    source_of.push_back(static_cast<std::size_t>(found - sources.begin()));
    if (found == sources.end()) sources.push_back(source);
  }
  if (sources.size() >= most) return nullptr;
  unsigned widest = 0;
  for (Kept& source : sources) {
    if (source.value == nullptr) source.value = load(pointer(source.place), vector_width_);
    widest = std::max(widest, width_of(source.value));
  }
  Value* result = nullptr;
  for (std::size_t s = 0; s < sources.size(); s += 2) {
    std::vector<int> lanes(width, -1), blend(width);
    for (unsigned i = 0; i < width; ++i) {
      blend[i] = static_cast<int>(i);
      if (i >= elements.size() || source_of[i] / 2 != s / 2) continue;
      const Number lane = row.offset + elements[i] - sources[source_of[i]].place.offset;
      lanes[i] = static_cast<int>(lane + (source_of[i] == s ? 0 : widest));
      blend[i] = static_cast<int>(width + i);
    }
    Value* one = widen(sources[s].value, widest);
    Value* other = s + 1 < sources.size() ? widen(sources[s + 1].value, widest)
                                          : llvm::PoisonValue::get(one->getType());
    Value* both = builder_.CreateShuffleVector(one, other, lanes);
    result = result == nullptr ? both : builder_.CreateShuffleVector(result, both, blend);
  }
  return result;
}

Value* FunctionWriter::widen(Value* vector, unsigned width) {
  if (width_of(vector) == width) return vector;
  std::vector<int> lanes(width, -1);
  for (unsigned i = 0; i < width_of(vector); ++i) lanes[i] = static_cast<int>(i);
  return builder_.CreateShuffleVector(vector, lanes);
}

// One that has the element; without a value if there is none, and it is to be loaded.
FunctionWriter::Kept FunctionWriter::vector_with(const Place& row, std::uint32_t element) const {
  const Number offset = row.offset + element;
  for (const Kept& kept : kept_)
    if (kept.place.is_in_row_of(row) && kept.value->getType()->isVectorTy() &&
        kept.place.offset <= offset && offset < kept.place.offset + kept.count)
      return kept;
  return {row + element / vector_width_ * vector_width_, vector_width_, nullptr};
}

Value* FunctionWriter::part(const Place& row, std::uint32_t element, unsigned length) {
  if (element == jit::no_element) return real(0.0);
  return load(row + element, {0, length, length});
}

Value* FunctionWriter::insert(Value* into, Value* what, unsigned first, unsigned length,
                              unsigned width) {
  if (length == 1) return builder_.CreateInsertElement(into, what, first);
  std::vector<int> widen(width, -1), blend(width);
  for (unsigned i = 0; i < width; ++i) {
    const bool is_new = i >= first && i < first + length;
    if (is_new) widen[i] = static_cast<int>(i - first);
    blend[i] = static_cast<int>(is_new ? width + i : i);
  }
  return builder_.CreateShuffleVector(into, builder_.CreateShuffleVector(what, widen), blend);
}

}  // namespace daedal::llvm_backend

// Products and sums are rounded one by one, in the order of taylor/kernels_body.hpp and
// taylor/series_table.cpp; no instruction carries a fast-math flag. Vectors run along the elements
// of an operation, so that each element sees the same operations whatever the width.
#include "emit_stages.hpp"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace daedal::llvm_backend {
namespace {

using jit::Array;
using jit::Kind;
using jit::Number;
using jit::Operation;
using jit::Rows;
using llvm::Value;

// Vectors of one loop over orders: two partial sums each, and room for what is loaded.
constexpr unsigned most_vectors_of_loop = 6;

// array + stage * stride + offset, in doubles.
struct Place {
  Array array;
  Number stride, offset;

  Place operator+(Number doubles) const { return {array, stride, offset + doubles}; }
  bool is_in_row_of(const Place& other) const {
    return array == other.array && stride == other.stride;
  }
};

// What was stored last is taken from registers where it is read again. Beyond so many vectors they
// would not stay there.
constexpr std::size_t most_kept = 24;

// Elements first to first + count - 1 of an operation, in a vector of `width` >= count.
struct Chunk {
  Number first;
  unsigned count, width;
};

class Emitter {
 public:
  Emitter(llvm::Module& module, const jit::StageCodeView& code, unsigned vector_width)
      : module_(module),
        code_(code),
        builder_(module.getContext()),
        real_(builder_.getDoubleTy()),
        vector_width_(vector_width) {}

  void run(std::size_t number) {
    llvm::Type* pointer = builder_.getPtrTy();
    const jit::Piece& piece = code_.pieces[number];
    std::vector<llvm::Type*> arguments = {pointer, pointer};
    if (piece.stage != jit::solve_of_block) {
      arguments.push_back(builder_.getInt64Ty());
      arguments.push_back(pointer);
    }
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), arguments, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       "piece_" + std::to_string(number), module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    const std::string bits = std::to_string(64 * vector_width_);
    function_->addFnAttr("prefer-vector-width", bits);
    function_->addFnAttr("min-legal-vector-width", bits);
    for (unsigned a : {0u, 1u}) function_->addParamAttr(a, llvm::Attribute::NoAlias);
    entry_ = new_block();
    llvm::BasicBlock* body = new_block();
    builder_.SetInsertPoint(body);
    if (piece.stage != jit::any_stage_above_0) known_stage_ = piece.stage;
    for (Number n = piece.first; n < piece.last; ++n) emit_guarded(code_.operations[n]);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(entry_);
    builder_.CreateBr(body);
  }

 private:
  // --- control ---

  llvm::BasicBlock* new_block() {
    return llvm::BasicBlock::Create(module_.getContext(), "", function_);
  }
  Value* table() { return function_->getArg(0); }
  Value* work() { return function_->getArg(1); }
  Value* stage() { return known_stage_ ? integer(*known_stage_) : function_->getArg(2); }

  // Within the stages of the operation.
  void emit_guarded(const Operation& operation) {
    if (known_stage_) return emit(operation);
    Value* holds = nullptr;
    if (operation.first_stage > 1)
      holds = builder_.CreateICmpSGE(stage(), integer(operation.first_stage));
    if (operation.last_stage < code_.last_stage) {
      Value* below = builder_.CreateICmpSLE(stage(), integer(operation.last_stage));
      holds = holds == nullptr ? below : builder_.CreateAnd(holds, below);
    }
    if (holds == nullptr) return emit(operation);
    if_holds(holds, [&] { emit(operation); });
    kept_.clear();
  }

  void if_holds(Value* condition, const std::function<void()>& emit_inside) {
    llvm::BasicBlock* inside = new_block();
    llvm::BasicBlock* after = new_block();
    builder_.CreateCondBr(condition, inside, after);
    builder_.SetInsertPoint(inside);
    emit_inside();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  }

  void emit(const Operation& o) {
    switch (o.kind) {
      case Kind::clear:
        return for_each_chunk(o, [&](const Chunk& c) { store_z(o, c, zero(c.width)); });
      case Kind::copy:
        return for_each_chunk(o, [&](const Chunk& c) { store_z(o, c, source(o, c)); });
      case Kind::weighted_copy: {
        Value* weight = to_real(order(o.source_order));
        return for_each_chunk(
            o, [&](const Chunk& c) { store_z(o, c, mul(splat(weight, c), source(o, c))); });
      }
      case Kind::invert:
        return for_each_chunk(
            o, [&](const Chunk& c) { store_z(o, c, div(splat(1.0, c), source(o, c))); });
      case Kind::scale:
        return for_each_chunk(
            o, [&](const Chunk& c) { store_z(o, c, mul(factor(o, c), source(o, c))); });
      case Kind::quotient:
        return for_each_chunk(o, [&](const Chunk& c) {
          store_z(o, c, div(source(o, c), load(stage_row(o.v, o.order, c.first), c)));
        });
      case Kind::root_or_product:
        return for_each_chunk(o, [&](const Chunk& c) {
          store_z(o, c, power(source(o, c), std::bit_cast<double>(o.exponent_bits), c));
        });
      case Kind::sum:
      case Kind::sum_and_scale:
      case Kind::correct_sum: return emit_sums(o);
      case Kind::multiply:
      case Kind::square:
      case Kind::divide:
      case Kind::power:
      case Kind::function: return emit_rule(o);
      case Kind::correct_multiply:
      case Kind::correct_square:
      case Kind::correct_divide:
      case Kind::correct_power:
      case Kind::correct_function:
        return for_each_chunk(o, [&](const Chunk& c) { correct(o, c, change_by_rule(o, c)); });
      case Kind::substitute: return emit_substitution(o);
      case Kind::evaluate_pack: return call_back(1, o);
      case Kind::correct_pack: return call_back(2, o);
    }
  }

  // callbacks: {void* context; void (*evaluate)(context, pack, k); void (*correct)(...)}
  void call_back(unsigned member, const Operation& o) {
    llvm::Type* pointer = builder_.getPtrTy();
    Value* callbacks = function_->getArg(3);
    Value* context = builder_.CreateLoad(pointer, callbacks);
    Value* called = builder_.CreateLoad(
        pointer, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), callbacks, 8 * member));
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(), {pointer, builder_.getInt64Ty(), builder_.getInt64Ty()}, false);
    builder_.CreateCall(type, called, {context, integer(o.pack), order(o.order)});
    kept_.clear();
  }

  // --- numbers ---

  Value* integer(Number value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  Value* order(Number less_stage) { return builder_.CreateAdd(stage(), integer(less_stage)); }
  Value* to_real(Value* whole) { return builder_.CreateSIToFP(whole, real_); }
  Value* real(double value) { return llvm::ConstantFP::get(real_, value); }
  llvm::Type* type_of(unsigned width) {
    return width == 1 ? real_ : llvm::FixedVectorType::get(real_, width);
  }
  Value* zero(unsigned width) { return llvm::Constant::getNullValue(type_of(width)); }
  Value* splat(Value* scalar, const Chunk& c) {
    return c.width == 1 ? scalar : builder_.CreateVectorSplat(c.width, scalar);
  }
  Value* splat(double value, const Chunk& c) { return splat(real(value), c); }
  Value* mul(Value* a, Value* b) { return builder_.CreateFMul(a, b); }
  Value* add(Value* a, Value* b) { return builder_.CreateFAdd(a, b); }
  Value* sub(Value* a, Value* b) { return builder_.CreateFSub(a, b); }
  Value* div(Value* a, Value* b) { return builder_.CreateFDiv(a, b); }

  // As in expr::apply_power.
  Value* power(Value* base, double exponent, const Chunk& c) {
    Value* result = nullptr;
    if (const double magnitude = std::abs(exponent); magnitude == std::floor(magnitude)) {
      result = splat(1.0, c);
      Value* square = base;
      for (auto bits = static_cast<unsigned>(magnitude); bits > 0; bits >>= 1) {
        if ((bits & 1) != 0) result = mul(result, square);
        square = mul(square, square);
      }
    } else {
      result = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, base);
      if (magnitude == 1.5) result = mul(base, result);
    }
    return exponent < 0 ? div(splat(1.0, c), result) : result;
  }

  // --- places ---

  Value* at(Value* pointer, Number doubles) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer,
                                       static_cast<std::uint64_t>(8 * doubles));
  }

  // array + stage * stride, computed once, at the beginning of the function.
  Value* stage_row(Array array, Number stride) {
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
  Value* pointer(const Place& place) {
    return at(stage_row(place.array, place.stride), place.offset);
  }
  // Row stage + order; and row n for a number known now.
  Place stage_row(const Rows& rows, Number row_order, Number element) const {
    if (known_stage_) return known_row(rows, *known_stage_ + row_order, element);
    return {rows.array, rows.stride, rows.first + row_order * rows.stride + element};
  }
  static Place known_row(const Rows& rows, Number n, Number element) {
    return {rows.array, 0, rows.first + n * rows.stride + element};
  }
  static Place in_work(Number offset) { return {Array::work, 0, offset}; }

  Value* load(Value* from, unsigned width) {
    return builder_.CreateAlignedLoad(type_of(width), from, llvm::Align(8));
  }
  // A load that reaches from one vector just stored to the next would have to wait for both.
  Value* load(const Place& place, const Chunk& c) {
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
  Value* load_one(const Place& place) { return load(place, {0, 1, 1}); }

  // Stores `stored` elements, of which `count` mean something.
  void store(Value* value, const Place& place, const Chunk& c, unsigned stored) {
    store(value, pointer(place), stored, c.width);
    std::erase_if(kept_, [&](const Kept& kept) {
      return kept.place.is_in_row_of(place) && kept.place.offset < place.offset + c.count &&
             place.offset < kept.place.offset + kept.count;
    });
    if (kept_.size() == most_kept) kept_.erase(kept_.begin());
    kept_.push_back({place, c.count, value});
  }

  // The first `count` elements only: in halves.
  void store(Value* value, Value* pointer, unsigned count, unsigned width) {
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
  Value* part_of(Value* vector, unsigned first, unsigned count) {
    if (count == 1) return builder_.CreateExtractElement(vector, first);
    std::vector<int> lanes(count);
    for (unsigned i = 0; i < count; ++i) lanes[i] = static_cast<int>(first + i);
    return builder_.CreateShuffleVector(vector, lanes);
  }

  Value* load_z(const Operation& o, const Chunk& c) {
    return load(stage_row(o.z, o.order, c.first), c);
  }
  // Rows of copies have room for whole vectors, which a processor can load at once.
  void store_z(const Operation& o, const Chunk& c, Value* value) {
    const bool is_copy = o.z.array == Array::work && o.z.stride != 0;
    store(value, stage_row(o.z, o.order, c.first), c, is_copy ? c.width : c.count);
  }
  Value* source(const Operation& o, const Chunk& c) {
    return gather(stage_row(o.u, o.source_order, 0), o.elements_of_u, c);
  }

  // The elements of a chunk, as listed from `list`.
  Value* gather(const Place& row, Number list, const Chunk& c) {
    if (list == jit::all_in_order) return load(row + c.first, c);
    const std::uint32_t* elements = code_.lists + list + c.first;
    return assemble(row, std::vector<std::uint32_t>(elements, elements + c.count), c.width);
  }

  Value* assemble(const Place& row, const std::vector<std::uint32_t>& elements, unsigned width) {
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

  // Neighbours in the row that are neighbours in a vector, too, and can be put there at once.
  struct Run {
    unsigned first, length;
  };
  static std::vector<Run> aligned_runs(const std::vector<std::uint32_t>& elements) {
    std::vector<Run> runs;
    for (unsigned i = 0; i < elements.size(); i += runs.back().length) {
      unsigned length = std::bit_floor(run_length(elements, i));
      while (i % length != 0) length /= 2;
      runs.push_back({i, length});
    }
    return runs;
  }

  // The same from whole vectors, in registers or at multiples of their size in memory, if those are
  // fewer than `most`; else nothing.
  Value* shuffle_together(const Place& row, const std::vector<std::uint32_t>& elements,
                          unsigned width, std::size_t most) {
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
  static unsigned width_of(Value* vector) {
    return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  }
  Value* widen(Value* vector, unsigned width) {
    if (width_of(vector) == width) return vector;
    std::vector<int> lanes(width, -1);
    for (unsigned i = 0; i < width_of(vector); ++i) lanes[i] = static_cast<int>(i);
    return builder_.CreateShuffleVector(vector, lanes);
  }

  // A vector stored last.
  struct Kept {
    Place place;
    unsigned count;
    Value* value;
  };
  // One that has the element; without a value if there is none, and it is to be loaded.
  Kept vector_with(const Place& row, std::uint32_t element) const {
    const Number offset = row.offset + element;
    for (const Kept& kept : kept_)
      if (kept.place.is_in_row_of(row) && kept.value->getType()->isVectorTy() &&
          kept.place.offset <= offset && offset < kept.place.offset + kept.count)
        return kept;
    return {row + element / vector_width_ * vector_width_, vector_width_, nullptr};
  }
  static unsigned run_length(const std::vector<std::uint32_t>& elements, unsigned first) {
    unsigned end = first + 1;
    if (elements[first] == jit::no_element) return 1;
    while (end < elements.size() && elements[end] == elements[first] + (end - first)) ++end;
    return end - first;
  }
  Value* part(const Place& row, std::uint32_t element, unsigned length) {
    if (element == jit::no_element) return real(0.0);
    return load(row + element, {0, length, length});
  }
  Value* insert(Value* into, Value* what, unsigned first, unsigned length, unsigned width) {
    if (length == 1) return builder_.CreateInsertElement(into, what, first);
    std::vector<int> widen(width, -1), blend(width);
    for (unsigned i = 0; i < width; ++i) {
      const bool is_new = i >= first && i < first + length;
      if (is_new) widen[i] = static_cast<int>(i - first);
      blend[i] = static_cast<int>(is_new ? width + i : i);
    }
    return builder_.CreateShuffleVector(into, builder_.CreateShuffleVector(what, widen), blend);
  }

  // --- chunks ---

  std::vector<Chunk> chunks(Number width) const {
    std::vector<Chunk> result;
    for (Number first = 0; first < width;) {
      const auto count = static_cast<unsigned>(std::min<Number>(vector_width_, width - first));
      result.push_back({first, count, std::bit_ceil(count)});
      first += count;
    }
    return result;
  }
  void for_each_chunk(const Operation& o, const std::function<void(const Chunk&)>& emit_chunk) {
    for (const Chunk& c : chunks(o.width)) emit_chunk(c);
  }

  // --- factors ---

  // (q+1)...(q+n)/h^n or its reciprocal; the powers of h differ from lane to lane.
  Value* factor(const Operation& o, const Chunk& c) {
    Value* rising = load_one(stage_row({Array::work, o.rising, 1}, o.factor_order, 0));
    return mul(splat(rising, c), by_lane(o.powers, c));
  }
  Value* by_lane(Number first, const Chunk& c) {
    std::vector<std::uint32_t> lanes(c.count);
    for (unsigned i = 0; i < c.count; ++i)
      lanes[i] = static_cast<std::uint32_t>((c.first + i) % code_.num_lanes);
    return c.width == 1 ? load_one(in_work(first + lanes[0]))
                        : assemble(in_work(first), lanes, c.width);
  }

  // --- sums ---

  // Vectors run along destinations that have equally many terms, or along lanes.
  void emit_sums(const Operation& o) {
    const Number count = o.width / code_.num_lanes;
    for (Number first = 0, last = 0; first < count; first = last) {
      for (last = first + 1; last < count && are_side_by_side(o, last - 1);) ++last;
      for (const Chunk& c : chunks((last - first) * code_.num_lanes))
        emit_sum(o, {c.first + first * code_.num_lanes, c.count, c.width});
    }
  }
  // Whether the coefficients of destinations i and i + 1 can be loaded together.
  bool are_side_by_side(const Operation& o, Number i) const {
    const std::uint32_t* places = code_.lists + o.places + i;
    const std::uint32_t* steps = code_.lists + o.steps + i;
    return code_.num_lanes == 1 && num_terms(o, i) == num_terms(o, i + 1) &&
           places[1] == places[0] + 1 && steps[1] == steps[0];
  }
  Number num_terms(const Operation& o, Number i) const {
    const std::uint32_t* starts = code_.lists + o.starts + i;
    return starts[1] - starts[0];
  }

  void emit_sum(const Operation& o, const Chunk& c) {
    const Number lanes = code_.num_lanes, i = c.first / lanes, lane = c.first % lanes;
    const Place row = stage_row(o.u, o.source_order, 0);
    Value* sum = nullptr;
    for (Number term = 0; term < num_terms(o, i); ++term) {
      const Number place = code_.lists[o.places + i] + term * code_.lists[o.steps + i] + lane;
      std::vector<std::uint32_t> elements(c.count);
      for (unsigned e = 0; e < c.count; ++e) {
        const Number element = c.first + e;
        const Number slot = code_.lists[o.starts + element / lanes] + term;
        elements[e] =
            static_cast<std::uint32_t>(code_.lists[o.slots + slot] * lanes + element % lanes);
      }
      Value* product = mul(load(in_work(place), c), assemble(row, elements, c.width));
      sum = sum == nullptr ? product : add(sum, product);
    }
    finish_sum(o, c, sum == nullptr ? zero(c.width) : sum);
  }
  void finish_sum(const Operation& o, const Chunk& c, Value* sum) {
    if (o.constants != jit::no_constants) sum = add(sum, load(in_work(o.constants + c.first), c));
    if (o.kind == Kind::correct_sum) return correct(o, c, sum);
    if (o.kind == Kind::sum_and_scale) sum = mul(sum, builder_.CreateFNeg(factor(o, c)));
    store_z(o, c, sum);
  }

  // --- linear systems ---

  // Rules S2 and S3 of docs/theory/linear-solves.md; a number is a vector of lanes.
  void emit_substitution(const Operation& o) {
    const std::uint32_t* list = code_.lists + o.slots;
    std::vector<Value*> y, z(static_cast<std::size_t>(o.width));
    for (Number i = 0; i < o.width; ++i)
      y.push_back(mul(lanes_at(work(), 0, i), lanes_at(table(), o.scales, i)));
    list = subtract_terms(y, list, 0, o.num_lower);
    const std::uint32_t* row_of = list + o.num_upper / 2 + o.num_upper;
    for (Number k = 0; k < o.width; ++k)
      z[row_of[o.width + k]] =
          mul(y[row_of[k]], lanes_at(table(), 0, o.num_lower + o.num_upper + k));
    subtract_terms(z, list, o.num_lower, o.num_upper);
    for (Number i = 0; i < o.width; ++i)
      builder_.CreateAlignedStore(z[i], at(work(), i * code_.num_lanes), llvm::Align(8));
  }
  Value* lanes_at(Value* array, Number first, Number number) {
    return load(at(array, first + number * code_.num_lanes),
                static_cast<unsigned>(code_.num_lanes));
  }
  // x[row] -= factor x[source], slot by slot; two slots have one row. Returns what follows in the
  // list.
  const std::uint32_t* subtract_terms(std::vector<Value*>& x, const std::uint32_t* list,
                                      Number first_slot, Number num_slots) {
    const std::uint32_t* source = list + num_slots / 2;
    for (Number slot = 0; slot < num_slots; ++slot) {
      if (slot % slots_of_block == 0) go_on_in_new_block();
      Value*& sum = x[list[slot / 2]];
      sum = sub(sum, mul(lanes_at(table(), 0, first_slot + slot), x[source[slot]]));
    }
    return source + num_slots;
  }
  // The time to compile a block grows faster than its size.
  static constexpr Number slots_of_block = 400;
  void go_on_in_new_block() {
    llvm::BasicBlock* next = new_block();
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }

  // --- corrections ---

  void correct(const Operation& o, const Chunk& c, Value* change) {
    store(change, in_work(o.change + c.first), c, c.count);
    store_z(o, c, add(load_z(o, c), change));
  }

  // u0, v0: coefficients 0; du, dv: changes. As in SeriesTable::change.
  Value* change_by_rule(const Operation& o, const Chunk& c) {
    const Place values = known_row(o.u, 0, 0);
    const Place changes = known_row(o.v, 0, 0);
    Value* u0 = gather(values, o.elements_of_u, c);
    Value* du = gather(changes, o.changes_of_u, c);
    Value* z0 = load(known_row(o.z, 0, c.first), c);
    if (o.kind == Kind::correct_square) return mul(mul(splat(2.0, c), u0), du);
    if (o.kind == Kind::correct_power)
      return mul(div(mul(splat(std::bit_cast<double>(o.exponent_bits), c), z0), u0), du);
    Value* v0 = gather(values, o.elements_of_v, c);
    if (o.kind == Kind::correct_function) return mul(v0, du);
    Value* dv = gather(changes, o.changes_of_v, c);
    if (o.kind == Kind::correct_multiply) return add(mul(v0, du), mul(u0, dv));
    return div(sub(du, mul(z0, dv)), v0);
  }

  // --- rules ---

  // What a rule adds up: terms u_j v_{k-j} for j from `first`, `num_terms` of them.
  struct Convolution {
    Rows u, v;
    Number first;
    Value* num_terms;
    bool has_pair;                // at least two terms at every stage
    std::optional<double> power;  // exponent + 1: terms are weighted with (exponent + 1) j - k
  };

  void emit_rule(const Operation& o) {
    const std::vector<Chunk> all = chunks(o.width);
    for (std::size_t first = 0; first < all.size(); first += most_vectors_of_loop) {
      const std::size_t last = std::min(all.size(), first + most_vectors_of_loop);
      emit_rule(o, {all.begin() + static_cast<std::ptrdiff_t>(first),
                    all.begin() + static_cast<std::ptrdiff_t>(last)});
    }
  }

  Convolution convolution_of(const Operation& o) {
    Value* k = order(o.order);
    const Number lowest = o.first_stage + o.order;
    switch (o.kind) {
      case Kind::multiply: return {o.u, o.v, 0, builder_.CreateAdd(k, integer(1)), lowest >= 1, {}};
      case Kind::square:
        return {o.u,         o.u, 0, builder_.CreateLShr(builder_.CreateAdd(k, integer(1)), 1),
                lowest >= 3, {}};
      case Kind::divide: return {o.v, o.own, 1, k, lowest >= 2, {}};
      case Kind::power:
        return {o.u, o.own, 1, k, lowest >= 2, std::bit_cast<double>(o.exponent_bits) + 1};
      default: return {o.u, o.v, 1, k, lowest >= 2, {}};
    }
  }

  void emit_rule(const Operation& o, const std::vector<Chunk>& group) {
    std::vector<Value*> sums = convolution(o, convolution_of(o), group);
    Value* by_k = nullptr;
    if (o.kind == Kind::power || o.kind == Kind::function)
      by_k = div(real(1.0), to_real(order(o.order)));
    if (o.kind == Kind::square) sums = finish_squares(o, group, sums);
    for (std::size_t n = 0; n < group.size(); ++n) {
      const Chunk& c = group[n];
      Value* result = sums[n];
      if (o.kind == Kind::divide) result = sub(source(o, c), result);
      if (o.kind == Kind::divide || o.kind == Kind::power)
        result = mul(result, load(in_work(o.reciprocal + c.first), c));
      if (by_k != nullptr) result = mul(result, splat(by_k, c));
      store_z(o, c, result);
    }
  }

  // 2 sum, plus u_{k/2}^2 where k is even.
  std::vector<Value*> finish_squares(const Operation& o, const std::vector<Chunk>& group,
                                     std::vector<Value*> sums) {
    for (std::size_t n = 0; n < group.size(); ++n) sums[n] = mul(splat(2.0, group[n]), sums[n]);
    Value* k = order(o.order);
    if (known_stage_) {
      if ((*known_stage_ + o.order) % 2 == 0)
        add_middle(group, pointer(known_row(o.u, (*known_stage_ + o.order) / 2, 0)), sums);
      return sums;
    }
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* even = new_block();
    llvm::BasicBlock* after = new_block();
    builder_.CreateCondBr(is_odd(k), after, even);
    builder_.SetInsertPoint(even);
    std::vector<Value*> with_middle = sums;
    add_middle(group, moving_row(o.u, builder_.CreateLShr(k, 1)), with_middle);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    return merge(sums, before, with_middle, even);
  }

  void add_middle(const std::vector<Chunk>& group, Value* middle, std::vector<Value*>& sums) {
    for (std::size_t n = 0; n < group.size(); ++n) {
      Value* u = load(at(middle, group[n].first), group[n].width);
      sums[n] = add(sums[n], mul(u, u));
    }
  }

  Value* is_odd(Value* whole) {
    return builder_.CreateICmpNE(builder_.CreateAnd(whole, integer(1)), integer(0));
  }
  Value* moving_row(const Rows& rows, Value* n) {
    return builder_.CreateGEP(builder_.getInt8Ty(), pointer(known_row(rows, 0, 0)),
                              builder_.CreateMul(n, integer(8 * rows.stride)));
  }
  std::vector<Value*> merge(const std::vector<Value*>& one, llvm::BasicBlock* from_one,
                            const std::vector<Value*>& other, llvm::BasicBlock* from_other) {
    std::vector<Value*> merged;
    for (std::size_t n = 0; n < one.size(); ++n) {
      llvm::PHINode* phi = builder_.CreatePHI(one[n]->getType(), 2);
      phi->addIncoming(one[n], from_one);
      phi->addIncoming(other[n], from_other);
      merged.push_back(phi);
    }
    return merged;
  }

  // Partial sums over j = first, first + 2, ... in the first half, first + 1, ... in the second.
  using Partial = std::vector<Value*>;

  // Two terms at a time, then perhaps one more.
  std::vector<Value*> convolution(const Operation& o, const Convolution& c,
                                  const std::vector<Chunk>& group) {
    Partial sums;
    for (int half = 0; half < 2; ++half)
      for (const Chunk& chunk : group) sums.push_back(zero(chunk.width));
    Value* u = pointer(known_row(c.u, c.first, 0));
    Value* v = pointer(stage_row(c.v, o.order - c.first, 0));
    Value* j = real(static_cast<double>(c.first));
    std::vector<Value*> state = {u, v, j};
    state.insert(state.end(), sums.begin(), sums.end());
    if (known_stage_) return known_convolution(o, c, group, state);
    kept_.clear();  // the loop needs the registers
    Value* num_pairs = builder_.CreateLShr(c.num_terms, 1);
    state = repeat(num_pairs, !c.has_pair, state, [&](std::vector<Value*>& now) {
      add_terms(o, c, group, now, 0);
      add_terms(o, c, group, now, 1);
      now[0] = at(now[0], 2 * c.u.stride);
      now[1] = at(now[1], -2 * c.v.stride);
      if (c.power) now[2] = add(now[2], real(2.0));
    });
    std::vector<Value*> with_last = state;
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* last = new_block();
    llvm::BasicBlock* after = new_block();
    builder_.CreateCondBr(is_odd(c.num_terms), last, after);
    builder_.SetInsertPoint(last);
    add_terms(o, c, group, with_last, 0);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    const auto drop = static_cast<std::ptrdiff_t>(num_state);
    std::vector<Value*> merged = merge({state.begin() + drop, state.end()}, before,
                                       {with_last.begin() + drop, with_last.end()}, last);
    return totals(merged);
  }
  // Straight code: there are few terms.
  std::vector<Value*> known_convolution(const Operation& o, const Convolution& c,
                                        const std::vector<Chunk>& group,
                                        std::vector<Value*>& state) {
    const auto num_terms =
        static_cast<Number>(llvm::cast<llvm::ConstantInt>(c.num_terms)->getZExtValue());
    for (Number term = 0; term < num_terms; ++term) add_terms(o, c, group, state, term);
    return totals({state.begin() + static_cast<std::ptrdiff_t>(num_state), state.end()});
  }
  std::vector<Value*> totals(const Partial& sums) {
    const std::size_t count = sums.size() / 2;
    std::vector<Value*> result;
    for (std::size_t n = 0; n < count; ++n) result.push_back(add(sums[n], sums[n + count]));
    return result;
  }
  static constexpr std::size_t num_state = 3;  // pointers to u and v, j

  // Term j + ahead for each vector of the group.
  void add_terms(const Operation& o, const Convolution& c, const std::vector<Chunk>& group,
                 std::vector<Value*>& state, Number ahead) {
    Value* weight = nullptr;
    if (c.power) {
      Value* j = ahead == 0 ? state[2] : add(state[2], real(static_cast<double>(ahead)));
      weight = sub(mul(real(*c.power), j), to_real(order(o.order)));
    }
    for (std::size_t n = 0; n < group.size(); ++n) {
      const Chunk& chunk = group[n];
      Value* u = load(at(state[0], ahead * c.u.stride + chunk.first), chunk.width);
      Value* v = load(at(state[1], -ahead * c.v.stride + chunk.first), chunk.width);
      Value* term = mul(u, v);
      if (weight != nullptr) term = mul(splat(weight, chunk), term);
      Value*& sum = state[num_state + n + (ahead % 2 == 0 ? 0 : group.size())];
      sum = add(sum, term);
    }
  }

  // A loop that runs `times`; state is what changes in it.
  std::vector<Value*> repeat(Value* times, bool may_be_zero, const std::vector<Value*>& state,
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

  llvm::Module& module_;
  const jit::StageCodeView& code_;
  llvm::IRBuilder<> builder_;
  llvm::Type* real_;
  unsigned vector_width_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_ = nullptr;
  std::optional<Number> known_stage_;  // of a piece that serves no other
  std::map<std::pair<Array, Number>, Value*> stage_rows_;
  std::vector<Kept> kept_;
};

}  // namespace

void emit_piece(llvm::Module& module, const jit::StageCodeView& code, std::size_t number,
                unsigned vector_width) {
  Emitter(module, code, vector_width).run(number);
}

}  // namespace daedal::llvm_backend

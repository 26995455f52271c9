// Products and sums are rounded one by one, in the order of taylor/kernels_body.hpp and
// taylor/series_table.cpp; no instruction carries a fast-math flag. Vectors run along the elements
// of an operation, so that each element sees the same operations whatever the width.
#include "emit_stages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "function_writer.hpp"

namespace daedal::llvm_backend {
namespace {

using jit::Kind;
using jit::Operation;

// Vectors of one loop over orders: two partial sums each, and room for what is loaded.
constexpr unsigned most_vectors_of_loop = 6;

class Emitter : FunctionWriter {
 public:
  Emitter(llvm::Module& module, const jit::StageCodeView& code, std::size_t number,
          unsigned vector_width)
      : FunctionWriter(module, "piece_" + std::to_string(number), code.pieces[number].stage,
                       vector_width),
        code_(code),
        piece_(code.pieces[number]) {}

  void run() {
    for (Number n = piece_.first; n < piece_.last; ++n) emit_guarded(code_.operations[n]);
    finish();
  }

 private:
  // Within the stages of the operation.
  void emit_guarded(const Operation& operation) {
    if (known_stage()) return emit(operation);
    Value* holds = nullptr;
    if (operation.first_stage > 1)
      holds = builder().CreateICmpSGE(stage(), integer(operation.first_stage));
    if (operation.last_stage < code_.last_stage) {
      Value* below = builder().CreateICmpSLE(stage(), integer(operation.last_stage));
      holds = holds == nullptr ? below : builder().CreateAnd(holds, below);
    }
    if (holds == nullptr) return emit(operation);
    if_holds(holds, [&] { emit(operation); });
    forget_kept();
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
    llvm::Type* pointer = builder().getPtrTy();
    Value* context = builder().CreateLoad(pointer, callbacks());
    Value* called = builder().CreateLoad(
        pointer, builder().CreateConstGEP1_64(builder().getInt8Ty(), callbacks(), 8 * member));
    auto* type = llvm::FunctionType::get(
        builder().getVoidTy(), {pointer, builder().getInt64Ty(), builder().getInt64Ty()}, false);
    builder().CreateCall(type, called, {context, integer(o.pack), order(o.order)});
    forget_kept();
  }

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
      result = builder().CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, base);
      if (magnitude == 1.5) result = mul(base, result);
    }
    return exponent < 0 ? div(splat(1.0, c), result) : result;
  }

  // --- what operations read and write ---

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
    if (o.kind == Kind::sum_and_scale) sum = mul(sum, builder().CreateFNeg(factor(o, c)));
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
      builder().CreateAlignedStore(z[i], at(work(), i * code_.num_lanes), llvm::Align(8));
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
      case Kind::multiply:
        return {o.u, o.v, 0, builder().CreateAdd(k, integer(1)), lowest >= 1, {}};
      case Kind::square:
        return {o.u,         o.u, 0, builder().CreateLShr(builder().CreateAdd(k, integer(1)), 1),
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
    if (known_stage()) {
      if ((*known_stage() + o.order) % 2 == 0)
        add_middle(group, pointer(known_row(o.u, (*known_stage() + o.order) / 2, 0)), sums);
      return sums;
    }
    llvm::BasicBlock* before = builder().GetInsertBlock();
    llvm::BasicBlock* even = new_block();
    llvm::BasicBlock* after = new_block();
    builder().CreateCondBr(is_odd(k), after, even);
    builder().SetInsertPoint(even);
    std::vector<Value*> with_middle = sums;
    add_middle(group, moving_row(o.u, builder().CreateLShr(k, 1)), with_middle);
    builder().CreateBr(after);
    builder().SetInsertPoint(after);
    return merge(sums, before, with_middle, even);
  }

  void add_middle(const std::vector<Chunk>& group, Value* middle, std::vector<Value*>& sums) {
    for (std::size_t n = 0; n < group.size(); ++n) {
      Value* u = load(at(middle, group[n].first), group[n].width);
      sums[n] = add(sums[n], mul(u, u));
    }
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
    if (known_stage()) return known_convolution(o, c, group, state);
    forget_kept();  // the loop needs the registers
    Value* num_pairs = builder().CreateLShr(c.num_terms, 1);
    state = repeat(num_pairs, !c.has_pair, state, [&](std::vector<Value*>& now) {
      add_terms(o, c, group, now, 0);
      add_terms(o, c, group, now, 1);
      now[0] = at(now[0], 2 * c.u.stride);
      now[1] = at(now[1], -2 * c.v.stride);
      if (c.power) now[2] = add(now[2], real(2.0));
    });
    std::vector<Value*> with_last = state;
    llvm::BasicBlock* before = builder().GetInsertBlock();
    llvm::BasicBlock* last = new_block();
    llvm::BasicBlock* after = new_block();
    builder().CreateCondBr(is_odd(c.num_terms), last, after);
    builder().SetInsertPoint(last);
    add_terms(o, c, group, with_last, 0);
    builder().CreateBr(after);
    builder().SetInsertPoint(after);
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

  const jit::StageCodeView& code_;
  const jit::Piece& piece_;
};

}  // namespace

void emit_piece(llvm::Module& module, const jit::StageCodeView& code, std::size_t number,
                unsigned vector_width) {
  Emitter(module, code, number, vector_width).run();
}

}  // namespace daedal::llvm_backend

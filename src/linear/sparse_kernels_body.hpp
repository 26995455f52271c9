// The loops of sparse_kernels.hpp; see the head of vectors_body.hpp.
#include <cstdint>

#include "linear/sparse_kernels.hpp"
#include "linear/vectors_body.hpp"

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {
namespace {

// One lane is a number, more are a vector of lanes.
template <int W>
struct Lanes {
  using Value = Values<W>;
  using Integer = Bits<W>;
  DAEDAL_INLINE static Value load_from(const SparseGroup& g, const double* row) {
    if (g.is_contiguous) return load<W>(row + g.lane[0]);
    Value v = {};
    for (int lane = 0; lane < g.count; ++lane) v[lane] = row[g.lane[lane]];
    return v;
  }
  DAEDAL_INLINE static void store_to(const SparseGroup& g, double* row, Value v) {
    if (g.is_contiguous) return store<W>(row + g.lane[0], v);
    for (int lane = 0; lane < g.count; ++lane) row[g.lane[lane]] = v[lane];
  }
  DAEDAL_INLINE static Integer bits_of(Value v) { return bits<W>(v); }
  DAEDAL_INLINE static Value value_of(Integer v) { return values<W>(v); }
  template <typename Number, typename Vector>
  DAEDAL_INLINE static void store_each(const SparseGroup& g, Number* to, Vector v) {
    for (int lane = 0; lane < g.count; ++lane) to[lane] = static_cast<Number>(v[lane]);
  }
};
template <>
struct Lanes<1> {
  using Value = double;
  using Integer = std::int64_t;
  DAEDAL_INLINE static Value load_from(const SparseGroup& g, const double* row) {
    return row[g.lane[0]];
  }
  DAEDAL_INLINE static void store_to(const SparseGroup& g, double* row, Value v) {
    row[g.lane[0]] = v;
  }
  DAEDAL_INLINE static Integer bits_of(Value v) { return __builtin_bit_cast(Integer, v); }
  DAEDAL_INLINE static Value value_of(Integer v) { return __builtin_bit_cast(Value, v); }
  template <typename Number, typename Value>
  DAEDAL_INLINE static void store_each(const SparseGroup&, Number* to, Value v) {
    to[0] = static_cast<Number>(v);
  }
};

template <int W>
struct SparseWork {
  using L = Lanes<W>;
  using Value = typename L::Value;
  using Integer = typename L::Integer;
  const SparseGroup g;  // a copy: its pointers stay in registers
  Value *entry, *factor, *scale, *column_size, *factor_size, *y, *z;
  Integer* row_size;
  Integer unit_exponent = {};  // of loose columns

  DAEDAL_INLINE explicit SparseWork(const SparseGroup& group)
      : g(group),
        entry(reinterpret_cast<Value*>(g.entry)),
        factor(reinterpret_cast<Value*>(g.factor)),
        scale(reinterpret_cast<Value*>(g.scale)),
        column_size(reinterpret_cast<Value*>(g.column_size)),
        factor_size(reinterpret_cast<Value*>(g.factor_size)),
        y(reinterpret_cast<Value*>(g.y)),
        z(reinterpret_cast<Value*>(g.z)),
        row_size(reinterpret_cast<Integer*>(g.row_size)) {}

  DAEDAL_INLINE static Value magnitude_of(Value v) {
    return L::value_of(L::bits_of(v) & magnitude_bits);
  }

  DAEDAL_INLINE void assemble(const double* given) {
    const SparseProgram& p = g.program;
    const auto value = [&](int k) __attribute__((always_inline)) {
      return L::load_from(g, given + std::int64_t{k} * g.lanes);
    };
    for (int k = 0; k < p.num_places; ++k) entry[p.entry_of[k]] = value(k);
    for (int k = 0; k < p.num_repeated; ++k) entry[p.repeated_entry[k]] += value(p.repeated[k]);
  }

  // Rows to largest entry in [1, 2). Infinities and NaN are larger than numbers as integers too.
  DAEDAL_INLINE void scale_rows() {
    const SparseProgram& p = g.program;
    Integer least, most;
    measure_rows(false, least, most);
    L::store_each(g, g.is_proper, (least > 0) & (most < exponent_bits));
    if (p.num_steady > 0) {
      find_unit_of_columns();
      measure_rows(true, least, most);
    }
    for (int i = 0; i < p.size; ++i) {
      Integer exponent = 2046 - (row_size[i] >> 52);
      const Integer low = Integer{} + 23, high = Integer{} + 2023;
      exponent = exponent < low ? low : exponent;
      exponent = exponent > high ? high : exponent;
      scale[i] = L::value_of(exponent << 52);
    }
  }

  DAEDAL_INLINE void measure_rows(bool has_unit, Integer& least, Integer& most) {
    const SparseProgram& p = g.program;
    for (int i = 0; i < p.size; ++i) row_size[i] = Integer{};
    for (int e = 0; e < p.num_entries; ++e) {
      Integer size = L::bits_of(entry[e]) & magnitude_bits;
      if (has_unit && p.is_loose[p.entry_column[e]]) size = in_unit(size);
      Integer& largest = row_size[p.entry_row[e]];
      largest = largest > size ? largest : size;
    }
    least = most = row_size[0];
    for (int i = 0; i < p.size; ++i) {
      least = least < row_size[i] ? least : row_size[i];
      most = most > row_size[i] ? most : row_size[i];
    }
  }

  // See loose_exponent.
  DAEDAL_INLINE void find_unit_of_columns() {
    const SparseProgram& p = g.program;
    Integer steady = {}, loose = {};
    for (int k = 0; k < p.num_steady; ++k) {
      const Integer size = L::bits_of(entry[p.steady[k]]) & magnitude_bits;
      steady = steady > size ? steady : size;
    }
    for (int e = 0; e < p.num_entries; ++e) {
      if (!p.is_loose[p.entry_column[e]]) continue;
      const Integer size = L::bits_of(entry[e]) & magnitude_bits;
      loose = loose > size ? loose : size;
    }
    const Integer zero = {}, limit = Integer{} + 1000;
    Integer exponent = (steady >> 52) - (loose >> 52) + loose_exponent;
    exponent = exponent > limit ? limit : exponent;
    exponent = exponent < -limit ? -limit : exponent;
    unit_exponent = ((steady > 0) & (loose > 0)) ? exponent : zero;
  }
  DAEDAL_INLINE Integer in_unit(Integer size) const {
    const Integer zero = {}, largest = Integer{} + (exponent_bits - 1);
    Integer scaled = size + (unit_exponent << 52);
    scaled = scaled > largest ? largest : scaled;
    return scaled > 0 ? scaled : zero;
  }

  DAEDAL_INLINE void scatter() {
    const SparseProgram& p = g.program;
    for (int k = 0; k < p.num_slots; ++k) factor[k] = Value{};
    for (int j = 0; j < p.size; ++j) column_size[j] = factor_size[j] = Value{};
    for (int e = 0; e < p.num_entries; ++e) {
      const Value v = entry[e] * scale[p.entry_row[e]], size = magnitude_of(v);
      factor[p.target[e]] = v;
      Value& largest = column_size[p.entry_column[e]];
      largest = largest > size ? largest : size;
    }
  }

  DAEDAL_INLINE void note_factor(int column, Value v) {
    const Value size = magnitude_of(v);
    Value& largest = factor_size[column];
    largest = largest > size ? largest : size;
  }

  // Rule S1.
  DAEDAL_INLINE void eliminate() {
    const SparseProgram& p = g.program;
    int update = 0, pivot = 0, slot = 0;
    for (int n = 0; n < p.num_levels; ++n) {
      const LuLevel& level = p.levels[n];
      for (; update < level.end_update; ++update)
        factor[p.to[update]] -= factor[p.left[update]] * factor[p.right[update]];
      for (; pivot < level.end_pivot; ++pivot) {
        const int k = p.pivot_order[pivot];
        note_factor(p.column_of[k], factor[p.diagonal + k]);
        factor[p.diagonal + k] = 1.0 / factor[p.diagonal + k];
      }
      for (; slot < level.end_scaled; ++slot) {
        const int at = p.scaled[slot];
        note_factor(p.scaled_column[slot], factor[at]);
        factor[at] *= factor[p.diagonal + p.scaled_pivot[slot]];
      }
    }
    for (int k = 0; k < p.num_lower; ++k)
      factor[p.lower_slot[k]] *= factor[p.diagonal + p.lower_pivot[k]];
  }

  // Reciprocal growth of the factors [Davis2010] and ratio of the pivots.
  DAEDAL_INLINE void judge() {
    constexpr double harmless = 1e-3;
    const SparseProgram& p = g.program;
    Value least = magnitude_of(factor[p.diagonal]), most = least;
    auto is_harmless = least > 0.0;
    for (int k = 0; k < p.size; ++k) {
      Value size = magnitude_of(factor[p.diagonal + k]);
      if (p.num_steady > 0 && p.is_loose[p.column_of[k]])
        size = size * L::value_of((1023 - unit_exponent) << 52);
      least = size < least ? size : least;
      most = size > most ? size : most;
      is_harmless = is_harmless & (column_size[k] > harmless * factor_size[k]);
    }
    L::store_each(g, g.has_grown, is_harmless == 0);
    L::store_each(g, g.condition, most / least);
  }

  // Rules S2 and S3.
  DAEDAL_INLINE void solve(double* b) const {
    const SparseProgram& p = g.program;
    if (W == 1 && g.lanes == 1)
      for (int i = 0; i < p.size; ++i) y[i] = b[i] * scale[i];
    else
      for (int i = 0; i < p.size; ++i)
        y[i] = L::load_from(g, b + std::int64_t{i} * g.lanes) * scale[i];
    substitute(y, factor, p.lower_row, p.lower_source, p.num_lower_chunks);
    for (int k = 0; k < p.size; ++k) z[p.column_of[k]] = y[p.row_of[k]] * factor[p.diagonal + k];
    substitute(z, factor + 2 * p.num_lower_chunks, p.upper_row, p.upper_source, p.num_upper_chunks);
    for (int i = 0; i < p.size; ++i) L::store_to(g, b + std::int64_t{i} * g.lanes, z[i]);
  }
  DAEDAL_INLINE static void substitute(Value* x, const Value* slots, const std::int32_t* row,
                                       const std::int32_t* source, int num_chunks) {
    for (int k = 0; k < num_chunks; ++k) {
      Value sum = x[row[k]];
      sum -= slots[2 * k] * x[source[2 * k]];
      sum -= slots[2 * k + 1] * x[source[2 * k + 1]];
      x[row[k]] = sum;
    }
  }
};

template <int W>
void factorise_sparse(const SparseGroup& group, const double* given) {
  SparseWork<W> work(group);
  work.assemble(given);
  work.scale_rows();
  work.scatter();
  work.eliminate();
  work.judge();
}
template <int W>
void solve_sparse(const SparseGroup& group, double* b) {
  SparseWork<W>(group).solve(b);
}

}  // namespace

SparseKernels sparse_kernels(int width) {
  if (width == 1) return {factorise_sparse<1>, solve_sparse<1>};
  if (width == 4) return {factorise_sparse<4>, solve_sparse<4>};
  return {factorise_sparse<8>, solve_sparse<8>};
}

}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

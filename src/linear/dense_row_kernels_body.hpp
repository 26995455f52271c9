// Dense LU for one lane: vectors along rows. The rules are in dense_kernels_body.hpp.
#pragma once

#include <cstdint>

#include "linear/dense_kernels.hpp"
#include "linear/vectors_body.hpp"

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {
namespace {

// Sizes up to this have a solve of their own, unrolled; with narrower vectors that would be long.
#if defined(__AVX512F__)
constexpr int largest_unrolled = 24;
#elif defined(__AVX2__)
constexpr int largest_unrolled = 12;
#else
constexpr int largest_unrolled = 4;
#endif

// Numbers along a column: on the stack if their number is known, N > 0; else a part of the scratch
// that the factors bring.
template <typename Number, int N>
struct ColumnOf {
  Number numbers[N] __attribute__((aligned(64)));

  DAEDAL_INLINE ColumnOf(const DenseFactors&, int) {}
  DAEDAL_INLINE Number& operator[](std::int64_t k) { return numbers[k]; }
  DAEDAL_INLINE const Number& operator[](std::int64_t k) const { return numbers[k]; }
};
template <typename Number>
struct ColumnOf<Number, 0> {
  Number* numbers;

  DAEDAL_INLINE ColumnOf(const DenseFactors& f, int part)
      : numbers(reinterpret_cast<Number*>(f.scratch + part * f.stride)) {}
  DAEDAL_INLINE Number& operator[](std::int64_t k) { return numbers[k]; }
  DAEDAL_INLINE const Number& operator[](std::int64_t k) const { return numbers[k]; }
};

// The matrix of one lane during elimination: R vectors of W rows in a column, R = 0: any number.
// Parts of the scratch: 0 and 1 last from step to step, the others are free between functions.
template <int W, int R>
struct RowElimination {
  using Column = ColumnOf<Values<W>, R>;
  using Numbers = ColumnOf<double, W * R>;
  const DenseFactors f;                            // a copy: its pointers stay in registers
  ColumnOf<Bits<W>, R> is_open;                    // rows not yet chosen
  std::int64_t row_bits;                           // of a key
  double smallest_reciprocal, largest_reciprocal;  // of a pivot

  DAEDAL_INLINE explicit RowElimination(const DenseFactors& factors)
      : f(factors),
        is_open(factors, 0),
        row_bits(R > 0 ? row_bits_of(W * R) : row_bits_of(factors.size)),
        smallest_reciprocal(0x1p1023),
        largest_reciprocal(0.0) {}

  DAEDAL_INLINE int vectors() const { return R > 0 ? R : f.stride / W; }
  DAEDAL_INLINE int stride() const { return W * vectors(); }

  DAEDAL_INLINE void assemble(const double* given) {
    const Values<W> zero = {};
    for (int k = 0; k < f.size * vectors(); ++k) store<W>(f.matrix + k * W, zero);
    for (int k = 0; k < f.num_places; ++k) f.matrix[f.target[k]] = given[k];
    for (int k = 0; k < f.num_repeated; ++k) f.matrix[f.repeated_target[k]] += given[f.repeated[k]];
  }

  // False if a row vanishes or an entry is not finite.
  DAEDAL_INLINE bool scale_rows() {
    Column largest(f, 2), zero_if_finite(f, 3);
    for (int r = 0; r < vectors(); ++r) largest[r] = zero_if_finite[r] = Values<W>{};
    for (int j = 0; j < f.size; ++j) {
      for (int r = 0; r < vectors(); ++r) {
        const Values<W> a = load<W>(f.matrix + j * stride() + r * W);
        largest[r] = larger<W>(magnitude<W>(a), largest[r]);
        zero_if_finite[r] += a - a;
      }
    }
    Bits<W> is_bad = {};
    for (int r = 0; r < vectors(); ++r) {
      is_open[r] = counting_from<W>(r * W) < f.size;
      is_bad |= is_open[r] & ((largest[r] == 0.0) | (zero_if_finite[r] != 0.0));
      store<W>(f.scale + r * W, power_of_two_scale<W>(largest[r]));
    }
    if (largest_of(is_bad & 1) != 0) return false;
    scale_columns();
    return true;
  }

  DAEDAL_INLINE void scale_columns() {
    Column sum(f, 2);
    for (int r = 0; r < vectors(); ++r) sum[r] = Values<W>{};
    for (int j = 0; j < f.size; ++j) {
      for (int r = 0; r < vectors(); ++r) {
        double* const at = f.matrix + j * stride() + r * W;
        const Values<W> a = load<W>(at) * load<W>(f.scale + r * W);
        store<W>(at, a);
        sum[r] += magnitude<W>(a);
      }
    }
    Values<W> norm = {};
    for (int r = 0; r < vectors(); ++r) norm = larger<W>(sum[r], norm);
    const Bits<W> order = bits<W>(norm);  // magnitudes are ordered as integers
    f.norm[0] = __builtin_bit_cast(double, largest_of(order));
  }

  DAEDAL_INLINE int pivot_row(const Column& column) const {
    const std::int64_t key_bits = magnitude_bits & ~row_bits;
    Bits<W> best = {};
    for (int r = 0; r < vectors(); ++r) {
      const Bits<W> low = row_bits - counting_from<W>(r * W);
      const Bits<W> key = ((bits<W>(column[r]) & key_bits) | low) & is_open[r];
      best = best > key ? best : key;
    }
    return static_cast<int>(row_bits - (largest_of(best) & row_bits));
  }

  // Step k of rule D1. `column` is column k, and becomes column k + 1; column k of U goes to
  // `work`.
  DAEDAL_INLINE void eliminate(int k, Column& column) {
    double* const a = f.matrix;
    Column l(f, 2), lower(f, 3);
    Numbers reciprocals(f, 4);
    for (int r = 0; r < vectors(); ++r) {
      store<W>(f.work + k * stride() + r * W, column[r]);
      store<W>(&reciprocals[r * W], 1.0 / column[r]);  // while the pivot is being looked for
    }
    const int p = pivot_row(column);
    note_pivot(k, p, reciprocals[p]);
    for (int r = 0; r < vectors(); ++r) {
      const Bits<W> is_chosen = counting_from<W>(r * W) == p;
      is_open[r] &= ~is_chosen;
      l[r] = values<W>(bits<W>(column[r] * f.reciprocal[k]) & is_open[r]);
      lower[r] = values<W>(bits<W>(Values<W>{} + 1.0) & is_chosen) - l[r];
    }
    const double* const next = a + (k + 1 < f.size ? k + 1 : k) * stride();
    for (int r = 0; r < vectors(); ++r) column[r] = load<W>(next + r * W) - l[r] * next[p];
    subtract_from_all(l, p);
    for (int r = 0; r < vectors(); ++r) store<W>(a + k * stride() + r * W, lower[r]);
    invert_column(k);
  }

  DAEDAL_INLINE void note_pivot(int k, int p, double reciprocal) {
    f.row[k] = p;
    f.reciprocal[k] = reciprocal;
    const double size = reciprocal < 0.0 ? -reciprocal : reciprocal;
    smallest_reciprocal = size < smallest_reciprocal ? size : smallest_reciprocal;
    largest_reciprocal = size > largest_reciprocal ? size : largest_reciprocal;
  }

  // From every column, whether its turn is past or to come: loops of equal length are predicted.
  DAEDAL_INLINE void subtract_from_all(const Column& l, int p) const {
    for (int j = 0; j < f.size; ++j) {
      double* const column = f.matrix + j * stride();
      const double factor = column[p];
      for (int r = 0; r < vectors(); ++r)
        store<W>(column + r * W, load<W>(column + r * W) - l[r] * factor);
    }
  }

  // Column j of W, rule D2; its rows are in the order of the pivots. Many are summed column by
  // column, as they lie in memory.
  DAEDAL_INLINE void invert_column(int j) {
    const double* const u = f.work + j * stride();
    const double reciprocal = f.reciprocal[j];
    Column sum(f, 2);
    for (int r = 0; r < vectors(); ++r) sum[r] = Values<W>{};
    if constexpr (R > 0) {
      for (int r = 0; r < R; ++r)
        for (int k = r * W; k < j; ++k)
          sum[r] += load<W>(f.upper + k * stride() + r * W) * u[f.row[k]];
    } else {
      for (int k = 0; k < j; ++k) {
        const double factor = u[f.row[k]];
        for (int r = 0; r * W <= k; ++r) sum[r] += load<W>(f.upper + k * stride() + r * W) * factor;
      }
    }
    for (int r = 0; r < vectors(); ++r) {
      const Bits<W> is_diagonal = counting_from<W>(r * W) == j;
      const Values<W> diagonal = Values<W>{} + reciprocal;
      store<W>(f.upper + j * stride() + r * W, is_diagonal ? diagonal : -sum[r] * reciprocal);
    }
  }

  DAEDAL_INLINE double inverse_norm() const;

  DAEDAL_INLINE void scale_lower() {
    for (int k = 0; k < f.size; ++k) {
      const double scale = f.scale[f.row[k]];
      for (int r = 0; r < vectors(); ++r) {
        double* const at = f.matrix + k * stride() + r * W;
        store<W>(at, load<W>(at) * scale);
      }
    }
  }
};

// Rule D4 for one lane. The rows of sums are where those of L^-1 are, those of weights in the order
// of the pivots.
template <int W, int R>
DAEDAL_INLINE double RowElimination<W, R>::inverse_norm() const {
  Numbers column_of_sums(f, 2), column_of_weights(f, 3);
  double *const sums = &column_of_sums[0], *const weights = &column_of_weights[0];
  for (int r = 0; r < vectors(); ++r) {
    Values<W> sum = Values<W>{} + 1.0;
    for (int j = 0; j < f.size; ++j) {
      const Bits<W> is_diagonal = counting_from<W>(r * W) == f.row[j];
      const Values<W> size = magnitude<W>(load<W>(f.matrix + j * stride() + r * W));
      sum += values<W>(bits<W>(size) & ~is_diagonal);
    }
    store<W>(sums + r * W, sum);
  }
  for (int r = 0; r < vectors(); ++r) {
    Values<W> sum = {};
    for (int j = r * W; j < f.size; ++j)
      sum += magnitude<W>(load<W>(f.upper + j * stride() + r * W)) * sums[f.row[j]];
    store<W>(weights + r * W, sum);
  }
  int worst = 0;
  for (int i = 1; i < f.size; ++i) worst = weights[i] > weights[worst] ? i : worst;
  double norm = 0.0;
  for (int j = 0; j < f.size; ++j) {
    double sum = j < worst ? 0.0 : f.upper[j * stride() + worst];
    for (int i = j < worst ? worst : j + 1; i < f.size; ++i)
      sum += f.upper[i * stride() + worst] * f.matrix[j * stride() + f.row[i]];
    norm += sum < 0.0 ? -sum : sum;
  }
  return norm;
}

// Every pivot below zero, and every pair of rows out of order, turns the sign.
DAEDAL_INLINE bool is_determinant_negative(const DenseFactors& f) {
  std::int64_t turns = 0;
  for (int k = 0; k < f.size; ++k) {
    turns += f.reciprocal[k] < 0.0;
    for (int before = 0; before < k; ++before) turns += f.row[before] > f.row[k];
  }
  return turns % 2 != 0;
}

template <int W, int R>
void factorise_rows(DenseFactors& f, const double* given) {
  RowElimination<W, R> work(f);
  work.assemble(given);
  f.is_regular[0] = work.scale_rows();
  if (!f.is_regular[0]) return;
  typename RowElimination<W, R>::Column column(f, 1);
  for (int r = 0; r < work.vectors(); ++r) column[r] = load<W>(f.matrix + r * W);
  for (int k = 0; k < f.size; ++k) work.eliminate(k, column);
  f.is_regular[0] = work.smallest_reciprocal > smallest_pivot_ratio * work.largest_reciprocal;
  f.condition[0] = f.norm[0] * work.inverse_norm();
  f.is_negative[0] = is_determinant_negative(f);
  work.scale_lower();
}

DAEDAL_INLINE Values<1> half_of(Values<2> v, bool upper) { return Values<1>{upper ? v[1] : v[0]}; }
DAEDAL_INLINE Values<2> half_of(Values<4> v, bool upper) {
  return upper ? __builtin_shufflevector(v, v, 2, 3) : __builtin_shufflevector(v, v, 0, 1);
}
DAEDAL_INLINE Values<4> half_of(Values<8> v, bool upper) {
  return upper ? __builtin_shufflevector(v, v, 4, 5, 6, 7)
               : __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

// The first Count of W values.
template <int W, int Count>
DAEDAL_INLINE void store_first(double* to, Values<W> v) {
  if constexpr (Count == W) {
    store<W>(to, v);
  } else if constexpr (Count > W / 2) {
    store<W / 2>(to, half_of(v, false));
    store_first<W / 2, Count - W / 2>(to + W / 2, half_of(v, true));
  } else {
    store_first<W / 2, Count>(to, half_of(v, false));
  }
}

// Rule D3 for N rows, unrolled: the four parts of each row, by vectors of rows.
template <int N, bool IsUpper>
struct RowProduct {
  static constexpr int W = row_vector(N), R = (N + W - 1) / W, stride = W * R;
  Values<W> part[R][4];

  // All columns from J on.
  template <int J>
  DAEDAL_INLINE void add_columns(const double* columns, const double* b, const std::int64_t* row) {
    if constexpr (J < N) {
      add<J, 0>(columns + J * stride, b[row[J]]);
      add_columns<J + 1>(columns, b, row);
    }
  }
  // Column J, vectors of rows from r on. In W they vanish below the diagonal.
  template <int J, int r>
  DAEDAL_INLINE void add(const double* column, double factor) {
    constexpr int first = IsUpper ? r * W : 0;
    if constexpr (r < R && J >= first) {
      const Values<W> product = load<W>(column + r * W) * factor;
      Values<W>& sum = part[r][J % 4];
      if constexpr (J >= first + 4)
        sum += product;
      else
        sum = J % 4 == 3 && IsUpper ? 0.0 + product : product;
      add<J, r + 1>(column, factor);
    }
  }
  DAEDAL_INLINE Values<W> sum(int r) const {
    return (part[r][0] + part[r][1]) + (part[r][2] + part[r][3]);
  }
};

template <int N>
void solve_rows(const DenseFactors& f, double* b) {
  using Lower = RowProduct<N, false>;
  constexpr int W = Lower::W, R = Lower::R;
  double y[Lower::stride] __attribute__((aligned(64)));
  Lower lower = {};
  lower.template add_columns<0>(f.matrix, b, f.row);
  for (int r = 0; r < R; ++r) store<W>(y + r * W, lower.sum(r));
  RowProduct<N, true> upper = {};
  upper.template add_columns<0>(f.upper, y, f.row);
  for (int r = 0; r + 1 < R; ++r) store<W>(b + r * W, upper.sum(r));
  store_first<W, N - (R - 1) * W>(b + (R - 1) * W, upper.sum(R - 1));
}

// One vector of rows of a product with columns first ... size - 1, first a multiple of 4.
DAEDAL_INLINE Values<8> row_product(const DenseFactors& f, const double* matrix, const double* b,
                                    int first) {
  Values<8> part[4] = {};
  const int whole = f.size - f.size % 4;
  for (int j = first; j < whole; j += 4)
    for (int c = 0; c < 4; ++c) part[c] += load<8>(matrix + (j + c) * f.stride) * b[f.row[j + c]];
  for (int c = 0; whole + c < f.size; ++c)
    part[c] += load<8>(matrix + (whole + c) * f.stride) * b[f.row[whole + c]];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

void solve_many_rows(const DenseFactors& f, double* b) {
  double *const y = f.scratch, *const x = f.scratch + f.stride;
  for (int r = 0; r < f.stride; r += 8) store<8>(y + r, row_product(f, f.matrix + r, b, 0));
  for (int r = 0; r < f.stride; r += 8) store<8>(x + r, row_product(f, f.upper + r, y, r));
  for (int i = 0; i < f.size; ++i) b[i] = x[i];
}

template <int N>
auto solve_of(int size) {
  if constexpr (N > largest_unrolled)
    return solve_many_rows;
  else
    return size <= N ? solve_rows<N> : solve_of<N + 1>(size);
}

DenseKernels row_kernels(int size) {
  const auto solve = solve_of<1>(size);
  if (size <= 2) return {1, factorise_rows<2, 1>, solve};
  if (size <= 4) return {1, factorise_rows<4, 1>, solve};
  if (size <= 8) return {1, factorise_rows<8, 1>, solve};
  if (size <= 16) return {1, factorise_rows<8, 2>, solve};
  if (size <= 24) return {1, factorise_rows<8, 3>, solve};
  return {1, factorise_rows<8, 0>, solve};
}

}  // namespace
}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

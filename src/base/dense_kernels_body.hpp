// The loops of dense_kernels.hpp. Included by one source file for each instruction set, which names
// its namespace DAEDAL_INSTRUCTION_SET. Calls no function of any library: an inline one compiled
// here could be the copy that the linker keeps for machines without these instructions.
//
// Elimination, step k, rule D1: p = the row not yet chosen with the largest |a_ik|, compared
// without the last 8 bits; of equals the first. r = 1/a_pk; for rows i not yet chosen l_i = a_ik r,
//   a_ij -= l_i a_pj  for all j != k, columns j < k holding L^-1;   column k becomes -l, 1 in row
//   p.
// Inverse of U, rule D2: W_jj = r_j, W_ij = -(sum_{k=i..j-1} W_ik u_kj, k ascending) r_j.
// Solve, rule D3: a product's row is the sum over j of X_ij b_j in four parts by j mod 4, each in
// ascending order, put together as (s_0 + s_1) + (s_2 + s_3). Terms known to vanish may be added or
// left out: one part starts from +0, so not even the sign of a zero depends on them.
// Condition, rule D4: of the rows of |W| |L^-1| the first with the largest sum is w; then
// the sum over j of |sum_{i>=j} W_wi (L^-1)_ij|, i ascending. Sums of |L^-1| begin with the
// diagonal.
#include <cstdint>

#include "base/dense_kernels.hpp"

namespace daedal::base::DAEDAL_INSTRUCTION_SET {
namespace {

#define DAEDAL_INLINE inline __attribute__((always_inline))

template <int W>
struct VectorOf {
  typedef double Values __attribute__((vector_size(W * 8)));
  typedef std::int64_t Bits __attribute__((vector_size(W * 8)));
  typedef double Unaligned __attribute__((vector_size(W * 8), aligned(8)));
};
template <int W>
using Values = typename VectorOf<W>::Values;
template <int W>
using Bits = typename VectorOf<W>::Bits;

template <int W>
DAEDAL_INLINE Values<W> load(const double* from) {
  return *reinterpret_cast<const typename VectorOf<W>::Unaligned*>(from);
}
template <int W>
DAEDAL_INLINE void store(double* to, Values<W> v) {
  *reinterpret_cast<typename VectorOf<W>::Unaligned*>(to) = v;
}
template <int W>
DAEDAL_INLINE Bits<W> bits(Values<W> v) {
  return (Bits<W>)v;
}
template <int W>
DAEDAL_INLINE Values<W> values(Bits<W> b) {
  return (Values<W>)b;
}

constexpr std::int64_t magnitude_bits = 0x7fffffffffffffff;
constexpr std::int64_t exponent_bits = 0x7ff0000000000000;
// A key orders by magnitude, then by row: the low bits count rows downwards. Sizes are below 256.
constexpr std::int64_t row_bits = 0xff;
constexpr std::int64_t key_bits = magnitude_bits & ~row_bits;

template <int W>
DAEDAL_INLINE Values<W> magnitude(Values<W> v) {
  return values<W>(bits<W>(v) & magnitude_bits);
}
template <int W>
DAEDAL_INLINE Values<W> larger(Values<W> a, Values<W> b) {
  return a > b ? a : b;
}

// 2^-m for a number in [2^m, 2^(m+1)); m is kept within +-1000, so that neither the scale nor its
// product with an entry of L^-1 overflows.
template <int W>
DAEDAL_INLINE Values<W> power_of_two_scale(Values<W> largest) {
  const Bits<W> exponent = (bits<W>(largest) & exponent_bits) >> 52;
  Bits<W> scale = 2046 - exponent;
  const Bits<W> low = scale ^ scale, least = low + 23, most = low + 2023;
  scale = scale < least ? least : scale;
  scale = scale > most ? most : scale;
  return values<W>(scale << 52);
}

DAEDAL_INLINE std::int64_t larger_of(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
DAEDAL_INLINE std::int64_t largest_of(Bits<2> v) { return larger_of(v[0], v[1]); }
DAEDAL_INLINE std::int64_t largest_of(Bits<4> v) {
  const Bits<2> a = __builtin_shufflevector(v, v, 0, 1), b = __builtin_shufflevector(v, v, 2, 3);
  return largest_of(a > b ? a : b);
}
DAEDAL_INLINE std::int64_t largest_of(Bits<8> v) {
  const Bits<4> a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const Bits<4> b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return largest_of(a > b ? a : b);
}

template <int W>
DAEDAL_INLINE Bits<W> counting_from(std::int64_t first) {
  Bits<W> v = {};
  for (int i = 0; i < W; ++i) v[i] = first + i;
  return v;
}

// --- One lane: vectors along rows ----------------------------------------------------------------

constexpr int most_vectors = 25;  // of 8 rows: size 200
// Sizes up to this have a solve of their own, unrolled; with narrower vectors that would be long.
#if defined(__AVX512F__)
constexpr int largest_unrolled = 24;
#elif defined(__AVX2__)
constexpr int largest_unrolled = 12;
#else
constexpr int largest_unrolled = 4;
#endif

// The matrix of one lane during elimination: R vectors of W rows in a column, R = 0: any number.
template <int W, int R>
struct RowElimination {
  static constexpr int most = R > 0 ? R : most_vectors;
  const DenseFactors f;                            // a copy: its pointers stay in registers
  Bits<W> is_open[most];                           // rows not yet chosen
  double smallest_reciprocal, largest_reciprocal;  // of a pivot

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
    Values<W> largest[most], zero_if_finite[most];
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
    Values<W> sum[most];
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

  DAEDAL_INLINE int pivot_row(const Values<W>* column) const {
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
  DAEDAL_INLINE void eliminate(int k, Values<W>* column) {
    double* const a = f.matrix;
    Values<W> l[most], lower[most];
    double reciprocals[W * most] __attribute__((aligned(64)));
    for (int r = 0; r < vectors(); ++r) {
      store<W>(f.work + k * stride() + r * W, column[r]);
      store<W>(reciprocals + r * W, 1.0 / column[r]);  // while the pivot is being looked for
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
  DAEDAL_INLINE void subtract_from_all(const Values<W>* l, int p) const {
    if constexpr (R > 0) {
      for (int j = 0; j < f.size; ++j) {
        double* const column = f.matrix + j * stride();
        const double factor = column[p];
        for (int r = 0; r < R; ++r)
          store<W>(column + r * W, load<W>(column + r * W) - l[r] * factor);
      }
    } else {
      double factors[W * most];
      for (int j = 0; j < f.size; ++j) factors[j] = f.matrix[j * stride() + p];
      for (int r = 0; r < vectors(); ++r) {
        const Values<W> rows = l[r];
        for (int j = 0; j < f.size; ++j) {
          double* const at = f.matrix + j * stride() + r * W;
          store<W>(at, load<W>(at) - rows * factors[j]);
        }
      }
    }
  }

  // Column j of W, rule D2; its rows are in the order of the pivots.
  DAEDAL_INLINE void invert_column(int j) {
    const double* const u = f.work + j * stride();
    const double reciprocal = f.reciprocal[j];
    for (int r = 0; r < vectors(); ++r) {
      Values<W> sum = {};
      for (int k = r * W; k < j; ++k) sum += load<W>(f.upper + k * stride() + r * W) * u[f.row[k]];
      const Bits<W> is_diagonal = counting_from<W>(r * W) == j;
      const Values<W> diagonal = Values<W>{} + reciprocal;
      store<W>(f.upper + j * stride() + r * W, is_diagonal ? diagonal : -sum * reciprocal);
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
  double sums[W * most] __attribute__((aligned(64))),
      weights[W * most] __attribute__((aligned(64)));
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
  RowElimination<W, R> work{f, {}, 0x1p1023, 0.0};
  work.assemble(given);
  f.is_regular[0] = work.scale_rows();
  if (!f.is_regular[0]) return;
  Values<W> column[work.most];
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
  double y[most_vectors * 8] __attribute__((aligned(64)));
  double x[most_vectors * 8] __attribute__((aligned(64)));
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

// --- More lanes: vectors along lanes
// ---------------------------------------------------------------

// Some lanes of consecutive numbers.
template <int W>
DAEDAL_INLINE Values<W> load_lanes(const double* from, int count) {
  if (count == W) return load<W>(from);
  Values<W> v = {};
  for (int lane = 0; lane < count; ++lane) v[lane] = from[lane];
  return v;
}
template <int W>
DAEDAL_INLINE Values<W> gather(const double* from, const std::int64_t* at) {
  if constexpr (W == 8)
    return Values<8>{from[at[0]], from[at[1]], from[at[2]], from[at[3]],
                     from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
  else
    return Values<4>{from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
}
template <int W>
DAEDAL_INLINE void store_lanes(double* to, Values<W> v, int count) {
  if (count == W) return store<W>(to, v);
  for (int lane = 0; lane < count; ++lane) to[lane] = v[lane];
}

template <int N>
struct Number {
  static constexpr int value = N;
};
// body(Number<0>()), ..., body(Number<N - 1>())
template <int N, typename Body>
DAEDAL_INLINE void unrolled(Body body) {
  if constexpr (N > 0) {
    unrolled<N - 1>(body);
    body(Number<N - 1>());
  }
}

// One group of lanes; every array is of vectors of lanes.
template <int W>
struct LaneGroup {
  using Vector = Values<W>;
  const DenseFactors f;  // a copy: its pointers stay in registers
  int first, count;      // lanes
  Vector *a, *lower_diagonal, *upper_diagonal, *scale;
  Bits<W>* row;

  LaneGroup(const DenseFactors& factors, int group) : f(factors) {
    const std::int64_t n = f.size;
    first = group * W;
    count = f.lanes - first < W ? f.lanes - first : W;
    a = reinterpret_cast<Vector*>(f.matrix) + group * (n * n + 1);
    lower_diagonal = reinterpret_cast<Vector*>(f.upper) + group * n;
    upper_diagonal = reinterpret_cast<Vector*>(f.reciprocal) + group * n;
    scale = reinterpret_cast<Vector*>(f.scale) + group * n;
    row = reinterpret_cast<Bits<W>*>(f.row) + group * n;
  }

  DAEDAL_INLINE void assemble(const double* given) {
    const int n = f.size;
    for (int k = 0; k < n * n; ++k) a[k] = Vector{};
    const auto value = [&](int k) __attribute__((always_inline)) {
      return load_lanes<W>(given + std::int64_t{k} * f.lanes + first, count);
    };
    for (int k = 0; k < f.num_places; ++k) a[f.target[k]] = value(k);
    for (int k = 0; k < f.num_repeated; ++k) a[f.repeated_target[k]] += value(f.repeated[k]);
  }

  // Of lanes in which a row vanishes or an entry is not finite.
  DAEDAL_INLINE Bits<W> scale_rows() {
    const int n = f.size;
    Bits<W> is_bad = {};
    Vector norm = {};
    for (int i = 0; i < n; ++i) {
      Vector largest = {}, zero_if_finite = {}, sum = {};
      for (int j = 0; j < n; ++j) {
        largest = larger<W>(magnitude<W>(a[i * n + j]), largest);
        zero_if_finite += a[i * n + j] - a[i * n + j];
      }
      is_bad |= (largest == 0.0) | (zero_if_finite != 0.0);
      scale[i] = power_of_two_scale<W>(largest);
      for (int j = 0; j < n; ++j) {
        a[i * n + j] *= scale[i];
        sum += magnitude<W>(a[i * n + j]);
      }
      norm = larger<W>(sum, norm);
      row[i] = Bits<W>{} + i;
    }
    store_lanes<W>(f.norm + first, norm, count);
    return is_bad;
  }

  // Where the pivot of step k is, now that rows 0 ... k - 1 are chosen.
  DAEDAL_INLINE Bits<W> pivot_place(int k) const {
    const int n = f.size;
    Bits<W> best = {}, place = Bits<W>{} + k;
    for (int i = k; i < n; ++i) {
      const Bits<W> key = (bits<W>(a[i * n + k]) & key_bits) | (row_bits - row[i]);
      const Bits<W> is_better = key > best;
      best = is_better ? key : best;
      place = is_better ? Bits<W>{} + i : place;
    }
    return place;
  }

  // Exchanges rows k and place[lane] in each lane: once for each different place.
  DAEDAL_INLINE void exchange(int k, Bits<W> place) {
    for (int lane = 0; lane < W; ++lane) {
      const std::int64_t other = place[lane];
      bool is_done = other == k;
      for (int before = 0; before < lane; ++before) is_done = is_done || place[before] == other;
      if (!is_done) exchange_rows(k, static_cast<int>(other), place == other);
    }
  }
  DAEDAL_INLINE void exchange_rows(int k, int other, Bits<W> where) {
    const int n = f.size;
    for (int j = 0; j < n; ++j) exchange_values(a[k * n + j], a[other * n + j], where);
    exchange_values(scale[k], scale[other], where);
    const Bits<W> upper = row[k], lower = row[other];
    row[k] = where ? lower : upper;
    row[other] = where ? upper : lower;
  }
  DAEDAL_INLINE static void exchange_values(Vector& u, Vector& v, Bits<W> where) {
    const Vector upper = u, lower = v;
    u = where ? lower : upper;
    v = where ? upper : lower;
  }

  // Step k of rule D1, rows k + 1 ... n - 1, two at a time.
  DAEDAL_INLINE void eliminate(int k) {
    const int n = f.size;
    upper_diagonal[k] = 1.0 / a[k * n + k];
    lower_diagonal[k] = scale[k];
    int i = k + 1;
    for (; i + 1 < n; i += 2) subtract<2>(i, k);
    if (i < n) subtract<1>(i, k);
  }
  template <int Rows>
  DAEDAL_INLINE void subtract(int i, int k) {
    const int n = f.size;
    Vector l[Rows];
    for (int r = 0; r < Rows; ++r) l[r] = a[(i + r) * n + k] * upper_diagonal[k];
    const auto one_column = [&](int j) __attribute__((always_inline)) {
      const Vector u = a[k * n + j];
      for (int r = 0; r < Rows; ++r) a[(i + r) * n + j] -= l[r] * u;
    };
    for (int j = 0; j < k; ++j) one_column(j);
    for (int j = k + 1; j < n; ++j) one_column(j);
    for (int r = 0; r < Rows; ++r) a[(i + r) * n + k] = -l[r];
  }

  // Rule D2, in place.
  DAEDAL_INLINE void invert_upper() {
    const int n = f.size;
    for (int j = 1; j < n; ++j) {
      for (int i = 0; i < j; ++i) {
        Vector sum = upper_diagonal[i] * a[i * n + j];
        for (int k = i + 1; k < j; ++k) sum += a[i * n + k] * a[k * n + j];
        a[i * n + j] = -sum * upper_diagonal[j];
      }
    }
  }
  DAEDAL_INLINE void scale_lower() {
    const int n = f.size;
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < i; ++j) a[i * n + j] *= lower_diagonal[j];
  }

  DAEDAL_INLINE void note_regular(Bits<W> is_bad) {
    Vector smallest = magnitude<W>(upper_diagonal[0]), largest = smallest;
    for (int k = 1; k < f.size; ++k) {
      const Vector size = magnitude<W>(upper_diagonal[k]);
      smallest = size < smallest ? size : smallest;
      largest = larger<W>(size, largest);
    }
    const Bits<W> is_regular = ~is_bad & (smallest > smallest_pivot_ratio * largest);
    for (int lane = 0; lane < count; ++lane) f.is_regular[first + lane] = is_regular[lane] != 0;
  }

  // Rule D4.
  DAEDAL_INLINE Vector inverse_norm() const {
    const int n = f.size;
    Vector sums[largest_size], row_of_inverse[largest_size];
    for (int i = 0; i < n; ++i) {
      sums[i] = Vector{} + 1.0;
      for (int j = 0; j < i; ++j) sums[i] += magnitude<W>(a[i * n + j]);
      row_of_inverse[i] = Vector{};
    }
    Vector largest = {};
    for (int i = 0; i < n; ++i) {
      Vector sum = sums[i] * magnitude<W>(upper_diagonal[i]);
      for (int j = i + 1; j < n; ++j) sum += magnitude<W>(a[i * n + j]) * sums[j];
      const Bits<W> is_worse = sum > largest;
      largest = is_worse ? sum : largest;
      for (int j = 0; j < i; ++j) row_of_inverse[j] = is_worse ? Vector{} : row_of_inverse[j];
      row_of_inverse[i] = is_worse ? upper_diagonal[i] : row_of_inverse[i];
      for (int j = i + 1; j < n; ++j)
        row_of_inverse[j] = is_worse ? a[i * n + j] : row_of_inverse[j];
    }
    for (int i = 0; i < n; ++i) {
      sums[i] = row_of_inverse[i];
      for (int j = 0; j < i; ++j) sums[j] += row_of_inverse[i] * a[i * n + j];
    }
    Vector norm = {};
    for (int j = 0; j < n; ++j) norm += magnitude<W>(sums[j]);
    return norm;
  }

  DAEDAL_INLINE void note_condition() const {
    const Vector norm = load_lanes<W>(f.norm + first, count);
    store_lanes<W>(f.condition + first, norm * inverse_norm(), count);
  }
  DAEDAL_INLINE void note_sign(Bits<W> is_negative) const {
    for (int k = 0; k < f.size; ++k) is_negative ^= upper_diagonal[k] < 0.0;
    for (int lane = 0; lane < count; ++lane) f.is_negative[first + lane] = is_negative[lane] != 0;
  }

  // P b.
  DAEDAL_INLINE void load_right_side(const double* b, Vector* x) const {
    for (int k = 0; k < f.size; ++k) {
      const std::int64_t* const from = reinterpret_cast<const std::int64_t*>(row + k);
      if (count < W) {
        x[k] = Vector{};
        for (int lane = 0; lane < count; ++lane) x[k][lane] = b[from[lane]];
      } else {
        x[k] = f.is_uniform[first / W * f.size + k] ? load<W>(b + from[0]) : gather<W>(b, from);
      }
    }
  }
  // From the rows of pivots to where their right sides are. Uniform: the same row in all lanes.
  DAEDAL_INLINE void find_right_sides() const {
    for (int k = 0; k < f.size; ++k) {
      row[k] = row[k] * f.lanes + counting_from<W>(first);
      const Bits<W> distance = row[k] - counting_from<W>(row[k][0]);
      f.is_uniform[first / W * f.size + k] =
          largest_of(distance) == 0 && largest_of(-distance) == 0;
    }
  }

  // The four parts of rule D3 for some rows of a product: First ... First + Rows - 1 of the four
  // that begin at `start`, a multiple of 4. Columns come in fours, too, so that parts are known
  // when this is compiled: no index into registers.
  template <int First, int Rows>
  struct Products {
    Vector part[Rows][4];
    const Vector* entries;  // row `start + First`
    int size;

    DAEDAL_INLINE Products(const LaneGroup& group, int start)
        : entries(group.a + (start + First) * group.f.size), size(group.f.size) {
      unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
        unrolled<4>([&](auto c)
                        __attribute__((always_inline)) { part[r.value][c.value] = Vector{}; });
      });
    }

    // Column j, which is in part c, of row r.
    template <int r, int c>
    DAEDAL_INLINE void add(const Vector* x, int j) {
      part[r][c] += entries[r * size + j] * x[j];
    }
    template <int c>
    DAEDAL_INLINE void add_column(const Vector* x, int j) {
      unrolled<Rows>([&](auto r) __attribute__((always_inline)) { add<r.value, c>(x, j); });
    }
    DAEDAL_INLINE void add_four(const Vector* x, int j) {
      unrolled<4>([&](auto c)
                      __attribute__((always_inline)) { add_column<c.value>(x, j + c.value); });
    }
    DAEDAL_INLINE void add_rest(const Vector* x, int j) {
      unrolled<3>([&](auto c) __attribute__((always_inline)) {
        if (j + c.value < size) add_column<c.value>(x, j + c.value);
      });
    }
    template <int r>
    DAEDAL_INLINE Vector sum() const {
      return (part[r][0] + part[r][1]) + (part[r][2] + part[r][3]);
    }
  };

  // Rows of y = T x.
  template <int First, int Rows>
  DAEDAL_INLINE void multiply_lower(int start, const Vector* x, Vector* y) const {
    Products<First, Rows> products(*this, start);
    for (int j = 0; j < start; j += 4) products.add_four(x, j);
    unrolled<Rows>([&](auto row_number) __attribute__((always_inline)) {
      constexpr int r = row_number.value;
      const int i = start + First + r;
      unrolled<First + r>([&](auto c) __attribute__((always_inline)) {
        products.template add<r, c.value>(x, start + c.value);
      });
      products.part[r][First + r] += lower_diagonal[i] * x[i];
      y[i] = products.template sum<r>();
    });
  }
  // Rows of b = W x.
  template <int First, int Rows>
  DAEDAL_INLINE void multiply_upper(int start, const Vector* x, double* b) const {
    const int n = f.size;
    Products<First, Rows> products(*this, start);
    unrolled<Rows>([&](auto row_number) __attribute__((always_inline)) {
      constexpr int r = row_number.value;
      const int i = start + First + r;
      products.part[r][First + r] += upper_diagonal[i] * x[i];
      unrolled<4>([&](auto c) __attribute__((always_inline)) {
        if (c.value > First + r && start + c.value < n)
          products.template add<r, c.value>(x, start + c.value);
      });
    });
    int j = start + 4;
    for (; j + 4 <= n; j += 4) products.add_four(x, j);
    products.add_rest(x, j);
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      store_lanes<W>(b + std::int64_t{start + First + r.value} * f.lanes + first,
                     products.template sum<r.value>(), count);
    });
  }

  // Calls rows(First, Rows) for `count` rows of four, as many at once as registers can hold.
  template <typename Rows>
  DAEDAL_INLINE static void for_rows(int count, Rows rows) {
    if (count == 1) return rows(Number<0>(), Number<1>());
#ifdef __AVX512F__
    if (count == 4) return rows(Number<0>(), Number<4>());
#endif
    rows(Number<0>(), Number<2>());
    if (count == 3) rows(Number<2>(), Number<1>());
    if (count == 4) rows(Number<2>(), Number<2>());
  }

  DAEDAL_INLINE void solve(double* b) const {
    const int n = f.size;
    Vector x[largest_size], y[largest_size];
    load_right_side(b, x);
    for (int start = 0; start < n; start += 4)
      for_rows(
          n - start < 4 ? n - start : 4, [&](auto begin, auto rows) __attribute__((always_inline)) {
            multiply_lower<begin.value, rows.value>(start, x, y);
          });
    for (int start = 0; start < n; start += 4)
      for_rows(
          n - start < 4 ? n - start : 4, [&](auto begin, auto rows) __attribute__((always_inline)) {
            multiply_upper<begin.value, rows.value>(start, y, b);
          });
  }
};

template <int W>
void factorise_lanes(DenseFactors& f, const double* given) {
  for (int group = 0; group * W < f.lanes; ++group) {
    LaneGroup<W> work(f, group);
    work.assemble(given);
    const Bits<W> is_bad = work.scale_rows();
    Bits<W> is_odd = {};  // the number of exchanges
    for (int k = 0; k < f.size; ++k) {
      const Bits<W> place = work.pivot_place(k);
      is_odd ^= place != k;
      work.exchange(k, place);
      work.eliminate(k);
    }
    work.invert_upper();
    work.note_condition();
    work.note_sign(is_odd);
    work.scale_lower();
    work.note_regular(is_bad);
    work.find_right_sides();
  }
}

template <int W>
void solve_lanes(const DenseFactors& f, double* b) {
  for (int group = 0; group * W < f.lanes; ++group) LaneGroup<W>(f, group).solve(b);
}

}  // namespace

DenseKernels dense_kernels(int size, int lanes) {
  if (lanes == 1) return row_kernels(size);
#ifdef __AVX512F__
  if (lanes > 4) return {8, factorise_lanes<8>, solve_lanes<8>};
#endif
  return {4, factorise_lanes<4>, solve_lanes<4>};
}

}  // namespace daedal::base::DAEDAL_INSTRUCTION_SET

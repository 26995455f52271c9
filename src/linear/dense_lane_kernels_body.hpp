// Dense LU for more lanes: vectors along lanes. The rules are in dense_kernels_body.hpp.
#pragma once

#include <cstdint>

#include "linear/dense_kernels.hpp"
#include "linear/vectors_body.hpp"

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {
namespace {

template <int W>
DAEDAL_INLINE Values<W> gather(const double* from, const std::int64_t* at) {
  if constexpr (W == 8)
    return Values<8>{from[at[0]], from[at[1]], from[at[2]], from[at[3]],
                     from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
  else
    return Values<4>{from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
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

  // Returns the lanes in which a row vanishes or an entry is not finite.
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
    const std::int64_t row_bits = row_bits_of(n), key_bits = magnitude_bits & ~row_bits;
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
    Vector *const sums = reinterpret_cast<Vector*>(f.scratch), *const row_of_inverse = sums + n;
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
    Vector *const x = reinterpret_cast<Vector*>(f.scratch), *const y = x + n;
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
}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

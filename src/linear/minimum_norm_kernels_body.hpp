// The loops of minimum_norm_kernels.hpp; see the head of vectors_body.hpp.
//
// Factors, rule Q1, row k = 0, 1, ...: d_k = q_k.q_k, r_k = 1/d_k; for rows i > k
//   p = q_k.q_i,   L_ik = p r_k,   q_i -= L_ik q_k.
// Solve, rule Q2: y_i = s_i b_i - sum_{k<i} L_ik y_k, k ascending; then from the last row to the
// first x += r_k (y_k - q_k.x) q_k, beginning with x = r_k y_k q_k.
// A product u.v, rule Q3, is a sum in four parts by j mod 4, each ascending from +0, put together
// as (s_0 + s_1) + (s_2 + s_3).
#include <cstdint>

#include "linear/dense_kernels.hpp"
#include "linear/minimum_norm_kernels.hpp"
#include "linear/vectors_body.hpp"

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {
namespace {

// Between these magnitudes squares are in range, and rows need no scale: 2^-400, 2^400.
constexpr std::int64_t least_square_bits = std::int64_t{1023 - 400} << 52;
constexpr std::int64_t most_square_bits = std::int64_t{1023 + 400} << 52;

// One lane: a row is a sequence of vectors of 4 columns, V of them; V = 0: any number.
template <int V>
struct RowsAlone {
  using Number = double;
  using Verdict = bool;
  const MinimumNormFactors& f;
  double *lower = f.lower, *scale = f.scale, *reciprocal = f.reciprocal, *removed = f.removed,
         *y = f.y;

  RowsAlone(const MinimumNormFactors& factors, int /*group*/) : f(factors) {}

  DAEDAL_INLINE int stride() const { return V > 0 ? 4 * V : f.stride; }
  DAEDAL_INLINE double* row(int i) const { return f.q + i * stride(); }
  DAEDAL_INLINE double* solution() const { return f.x; }

  DAEDAL_INLINE void assemble(const double* given) const {
    for (int k = 0; k < f.num_rows * stride(); k += 4) store<4>(f.q + k, Values<4>{});
    for (int k = 0; k < f.num_places; ++k) f.q[f.target[k]] = given[k];
    for (int k = 0; k < f.num_repeated; ++k) f.q[f.repeated_target[k]] += given[f.repeated[k]];
  }
  // False if the row vanishes or an entry is not finite.
  DAEDAL_INLINE bool scale_row(int i) const {
    Bits<4> largest = {};  // magnitudes are ordered as integers
    for (int j = 0; j < stride(); j += 4) {
      const Bits<4> size = bits<4>(load<4>(row(i) + j)) & magnitude_bits;
      largest = size > largest ? size : largest;
    }
    const std::int64_t order = largest_of(largest);
    scale[i] = 1.0;
    if (order > least_square_bits && order < most_square_bits) return true;
    const Values<4> factor = power_of_two_scale<4>(values<4>(Bits<4>{} + order));
    for (int j = 0; j < stride(); j += 4) store<4>(row(i) + j, load<4>(row(i) + j) * factor);
    scale[i] = factor[0];
    return order != 0 && order < exponent_bits;
  }

  DAEDAL_INLINE double product(const double* u, const double* v) const {
    Values<4> part = {};
    for (int j = 0; j < stride(); j += 4) part += load<4>(u + j) * load<4>(v + j);
    return (part[0] + part[1]) + (part[2] + part[3]);
  }
  DAEDAL_INLINE void multiply(double* to, double factor, const double* v) const {
    for (int j = 0; j < stride(); j += 4) store<4>(to + j, factor * load<4>(v + j));
  }
  DAEDAL_INLINE void add(double* to, double factor, const double* v) const {
    for (int j = 0; j < stride(); j += 4)
      store<4>(to + j, load<4>(to + j) + factor * load<4>(v + j));
  }

  DAEDAL_INLINE void note(bool is_regular) const { f.is_regular[0] = is_regular; }
  DAEDAL_INLINE double given(const double* b, int i) const { return b[i]; }
  DAEDAL_INLINE void give(double* x) const {
    for (int j = 0; j < f.num_columns; ++j) x[j] = f.x[j];
  }
};

// More lanes: every number is a vector of lanes.
template <int W>
struct RowsOfLanes {
  using Number = Values<W>;
  using Verdict = Bits<W>;
  const MinimumNormFactors& f;
  int first, count;  // lanes
  Number *q, *lower, *scale, *reciprocal, *removed, *y, *x;

  RowsOfLanes(const MinimumNormFactors& factors, int group) : f(factors) {
    const std::int64_t m = f.num_rows, n = f.num_columns;
    first = group * W;
    count = f.lanes - first < W ? f.lanes - first : W;
    const auto part = [&](double* all, std::int64_t size) __attribute__((always_inline)) {
      return reinterpret_cast<Number*>(all) + group * size;
    };
    q = part(f.q, m * n + 1);
    lower = part(f.lower, m * m);
    scale = part(f.scale, m);
    reciprocal = part(f.reciprocal, m);
    removed = part(f.removed, m);
    y = part(f.y, m);
    x = part(f.x, n);
  }

  DAEDAL_INLINE Number* row(int i) const { return q + i * f.num_columns; }
  DAEDAL_INLINE Number* solution() const { return x; }

  DAEDAL_INLINE void assemble(const double* values) const {
    for (int k = 0; k < f.num_rows * f.num_columns; ++k) q[k] = Number{};
    for (int k = 0; k < f.num_places; ++k) q[f.target[k]] = given(values, k);
    for (int k = 0; k < f.num_repeated; ++k)
      q[f.repeated_target[k]] += given(values, f.repeated[k]);
  }
  DAEDAL_INLINE Verdict scale_row(int i) const {
    Number largest = {}, zero_if_finite = {};
    for (int j = 0; j < f.num_columns; ++j) {
      largest = larger<W>(magnitude<W>(row(i)[j]), largest);
      zero_if_finite += row(i)[j] - row(i)[j];
    }
    const Bits<W> order = bits<W>(largest);
    const Bits<W> is_extreme = (order <= least_square_bits) | (order >= most_square_bits);
    scale[i] = is_extreme ? power_of_two_scale<W>(largest) : Number{} + 1.0;
    for (int j = 0; j < f.num_columns; ++j) row(i)[j] *= scale[i];
    return (largest != 0.0) & (zero_if_finite == 0.0);
  }

  DAEDAL_INLINE Number product(const Number* u, const Number* v) const {
    Number part[4] = {};
    int j = 0;
    for (; j + 4 <= f.num_columns; j += 4)
      for (int c = 0; c < 4; ++c) part[c] += u[j + c] * v[j + c];
    if (j < f.num_columns) part[0] += u[j] * v[j];
    if (j + 1 < f.num_columns) part[1] += u[j + 1] * v[j + 1];
    if (j + 2 < f.num_columns) part[2] += u[j + 2] * v[j + 2];
    return (part[0] + part[1]) + (part[2] + part[3]);
  }
  DAEDAL_INLINE void multiply(Number* to, Number factor, const Number* v) const {
    for (int j = 0; j < f.num_columns; ++j) to[j] = factor * v[j];
  }
  DAEDAL_INLINE void add(Number* to, Number factor, const Number* v) const {
    for (int j = 0; j < f.num_columns; ++j) to[j] += factor * v[j];
  }

  DAEDAL_INLINE void note(Verdict is_regular) const {
    for (int lane = 0; lane < count; ++lane) f.is_regular[first + lane] = is_regular[lane] != 0;
  }
  DAEDAL_INLINE Number given(const double* numbers, int k) const {
    return load_lanes<W>(numbers + std::int64_t{k} * f.lanes + first, count);
  }
  DAEDAL_INLINE void give(double* to) const {
    for (int j = 0; j < f.num_columns; ++j)
      store_lanes<W>(to + std::int64_t{j} * f.lanes + first, x[j], count);
  }
};

// Rule Q1. A row of which nothing but rounding error is left makes the matrix singular.
template <typename Rows>
void orthogonalise(const MinimumNormFactors& f, const double* given) {
  constexpr double smallest_ratio = smallest_pivot_ratio * smallest_pivot_ratio;
  using Number = typename Rows::Number;
  for (int group = 0; group * f.group_width < f.lanes; ++group) {
    const Rows a(f, group);
    const int m = f.num_rows;
    a.assemble(given);
    typename Rows::Verdict is_regular = a.scale_row(0);
    for (int i = 1; i < m; ++i) is_regular &= a.scale_row(i);
    for (int i = 0; i < m; ++i) a.removed[i] = Number{};
    for (int k = 0; k < m; ++k) {
      const Number d = a.product(a.row(k), a.row(k));
      is_regular &= d > smallest_ratio * (a.removed[k] + d);
      const Number r = a.reciprocal[k] = 1.0 / d;
      for (int i = k + 1; i < m; ++i) {
        const Number p = a.product(a.row(k), a.row(i)), l = p * r;
        a.lower[k * m + i] = l;
        a.removed[i] += l * p;
        a.add(a.row(i), -l, a.row(k));
      }
    }
    a.note(is_regular);
  }
}

// Rule Q2.
template <typename Rows>
void solve_least_norm(const MinimumNormFactors& f, const double* b, double* x) {
  using Number = typename Rows::Number;
  for (int group = 0; group * f.group_width < f.lanes; ++group) {
    const Rows a(f, group);
    const int m = f.num_rows;
    Number *const y = a.y, *const sum = a.solution();
    for (int i = 0; i < m; ++i) y[i] = a.given(b, i) * a.scale[i];
    for (int k = 0; k < m; ++k)
      for (int i = k + 1; i < m; ++i) y[i] -= a.lower[k * m + i] * y[k];
    a.multiply(sum, y[m - 1] * a.reciprocal[m - 1], a.row(m - 1));
    for (int k = m - 2; k >= 0; --k)
      a.add(sum, (y[k] - a.product(a.row(k), sum)) * a.reciprocal[k], a.row(k));
    a.give(x);
  }
}

template <typename Rows>
MinimumNormKernels kernels_of(int group_width) {
  return {group_width, orthogonalise<Rows>, solve_least_norm<Rows>};
}

}  // namespace

MinimumNormKernels minimum_norm_kernels(int num_columns, int lanes) {
  if (lanes == 1 && num_columns <= 4) return kernels_of<RowsAlone<1>>(1);
  if (lanes == 1 && num_columns <= 8) return kernels_of<RowsAlone<2>>(1);
  if (lanes == 1) return kernels_of<RowsAlone<0>>(1);
#ifdef __AVX512F__
  if (lanes > 4) return kernels_of<RowsOfLanes<8>>(8);
#endif
  return kernels_of<RowsOfLanes<4>>(4);
}

}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

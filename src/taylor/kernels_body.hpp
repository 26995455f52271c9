// The kernels, for vectors of `widest` doubles; included once per instruction set by a source file
// that defines DAEDAL_KERNEL_SET and DAEDAL_VECTOR_DOUBLES. Nothing else may be included by those
// files: an inline function compiled for a newer processor must not be shared with other files.

#include "taylor/kernels.hpp"

namespace daedal::taylor::DAEDAL_KERNEL_SET {
namespace {

constexpr std::size_t widest = DAEDAL_VECTOR_DOUBLES;

typedef double Vector
    __attribute__((vector_size(DAEDAL_VECTOR_DOUBLES * sizeof(double)), aligned(sizeof(double))));

inline Vector kernel_load(const double* from) { return *reinterpret_cast<const Vector*>(from); }
inline void kernel_store(double* to, Vector value) { *reinterpret_cast<Vector*>(to) = value; }

// Stores the first `count` of a vector's numbers.
inline void store_some(double* to, Vector value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = value[i];
}

// Calls operation.run<Vectors>(at, count) for pieces of the row of `count` numbers, which need so
// many vectors. The last vector may reach over the end of the row: what is read there is not used,
// and arrays are padded for it.
template <typename Operation>
inline void for_pieces(const Operation& operation, std::size_t width) {
  constexpr std::size_t most = 4 * widest;
  std::size_t at = 0;
  for (; at + most <= width; at += most) operation.template run<4>(at, most);
  const std::size_t rest = width - at;
  if (rest == 0) return;
  if (rest <= widest) return operation.template run<1>(at, rest);
  if (rest <= 2 * widest) return operation.template run<2>(at, rest);
  if (rest <= 3 * widest) return operation.template run<3>(at, rest);
  operation.template run<4>(at, rest);
}

// Some vectors side by side.
template <int Vectors>
struct Piece {
  Vector part[Vectors];

  static Piece load(const double* from) {
    Piece piece;
    for (int n = 0; n < Vectors; ++n) piece.part[n] = kernel_load(from + n * widest);
    return piece;
  }
  static Piece zero() {
    Piece piece;
    for (int n = 0; n < Vectors; ++n) piece.part[n] = Vector{};
    return piece;
  }
  void store(double* to, std::size_t count) const {
    for (int n = 0; n < Vectors - 1; ++n) kernel_store(to + n * widest, part[n]);
    constexpr std::size_t last = (Vectors - 1) * widest;
    if (count == last + widest)
      kernel_store(to + last, part[Vectors - 1]);
    else
      store_some(to + last, part[Vectors - 1], count - last);
  }
  // += u v
  void add_product(const double* u, const double* v) {
    for (int n = 0; n < Vectors; ++n)
      part[n] += kernel_load(u + n * widest) * kernel_load(v + n * widest);
  }
  // += factor (u v)
  void add_product(double factor, const double* u, const double* v) {
    for (int n = 0; n < Vectors; ++n)
      part[n] += factor * (kernel_load(u + n * widest) * kernel_load(v + n * widest));
  }
  friend Piece operator+(Piece a, const Piece& b) {
    for (int n = 0; n < Vectors; ++n) a.part[n] += b.part[n];
    return a;
  }
  friend Piece operator-(Piece a, const Piece& b) {
    for (int n = 0; n < Vectors; ++n) a.part[n] -= b.part[n];
    return a;
  }
  friend Piece operator*(Piece a, const Piece& b) {
    for (int n = 0; n < Vectors; ++n) a.part[n] *= b.part[n];
    return a;
  }
  friend Piece operator*(double a, Piece b) {
    for (int n = 0; n < Vectors; ++n) b.part[n] *= a;
    return b;
  }
};

// sum_{j=first..last} u_j v_{k-j}, even and odd j apart; u points to u_first, v to v_{k-first}.
template <int Vectors>
inline Piece<Vectors> convolution(int first, int last, const double* u, std::size_t u_stride,
                                  const double* v, std::size_t v_stride) {
  // first, first + 2, ... and first + 1, first + 3, ...
  auto one = Piece<Vectors>::zero(), other = Piece<Vectors>::zero();
  int j = first;
  for (; j < last; j += 2) {
    one.add_product(u, v);
    other.add_product(u + u_stride, v - v_stride);
    u += 2 * u_stride;
    v -= 2 * v_stride;
  }
  if (j == last) one.add_product(u, v);
  return one + other;
}

struct Multiply {
  int k;
  Rows u, v;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    convolution<Vectors>(0, k, u.first + at, u.stride, v.row(k) + at, v.stride)
        .store(z + at, count);
  }
};

struct Square {
  int k;
  Rows u;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    const int last = (k + 1) / 2 - 1;
    auto sum = 2.0 * convolution<Vectors>(0, last, u.first + at, u.stride, u.row(k) + at, u.stride);
    if (k % 2 == 0) sum.add_product(u.row(k / 2) + at, u.row(k / 2) + at);
    sum.store(z + at, count);
  }
};

struct Divide {
  int k;
  Rows v, quotient;
  const double* reciprocal;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    using P = Piece<Vectors>;
    const P sum = convolution<Vectors>(1, k, v.row(1) + at, v.stride, quotient.row(k - 1) + at,
                                       quotient.stride);
    ((P::load(z + at) - sum) * P::load(reciprocal + at)).store(z + at, count);
  }
};

struct Function {
  int k;
  Rows weighted, partner;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    ((1.0 / k) * convolution<Vectors>(1, k, weighted.row(1) + at, weighted.stride,
                                      partner.row(k - 1) + at, partner.stride))
        .store(z + at, count);
  }
};

struct Power {
  int k;
  double exponent;
  Rows u, result;
  const double* reciprocal;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    using P = Piece<Vectors>;
    P even = P::zero(), odd = P::zero();
    const double* a = u.row(1) + at;
    const double* b = result.row(k - 1) + at;
    int j = 1;
    for (; j < k; j += 2) {
      odd.add_product((exponent + 1) * j - k, a, b);
      even.add_product((exponent + 1) * (j + 1) - k, a + u.stride, b - result.stride);
      a += 2 * u.stride;
      b -= 2 * result.stride;
    }
    if (j == k) odd.add_product((exponent + 1) * j - k, a, b);
    ((1.0 / k) * ((even + odd) * P::load(reciprocal + at))).store(z + at, count);
  }
};

void multiply(int k, Rows u, Rows v, double* z, std::size_t width) {
  for_pieces(Multiply{k, u, v, z}, width);
}
void square(int k, Rows u, double* z, std::size_t width) { for_pieces(Square{k, u, z}, width); }
void divide(int k, Rows v, Rows quotient, const double* reciprocal, double* z, std::size_t width) {
  for_pieces(Divide{k, v, quotient, reciprocal, z}, width);
}
void power(int k, double exponent, Rows u, Rows result, const double* reciprocal, double* z,
           std::size_t width) {
  for_pieces(Power{k, exponent, u, result, reciprocal, z}, width);
}
void function(int k, Rows weighted, Rows partner, double* z, std::size_t width) {
  for_pieces(Function{k, weighted, partner, z}, width);
}

struct Horner {
  Rows x;
  int first, last;
  const double* s;
  const double* weights;
  double* sum;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    using P = Piece<Vectors>;
    const P by = P::load(s + at);
    P value = P::zero();
    for (int k = last; k >= first; --k) value = weights[k] * P::load(x.row(k) + at) + by * value;
    value.store(sum + at, count);
  }
};
void horner(Rows x, int first, int last, const double* s, const double* weights, double* sum,
            std::size_t width) {
  for_pieces(Horner{x, first, last, s, weights, sum}, width);
}

typedef long long Bits __attribute__((vector_size(DAEDAL_VECTOR_DOUBLES * sizeof(double))));
inline Vector magnitude_of(Vector v) { return (Vector)((Bits)v & 0x7fffffffffffffff); }
inline Vector larger_of(Vector a, Vector b) { return a > b ? a : b; }

// a + b = sum + lost, exactly (Knuth's TwoSum).
struct Predict {
  const Prediction& p;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    Piece<Vectors> predicted, lost, magnitude;
    for (int n = 0; n < Vectors; ++n) {
      const std::size_t i = at + n * widest;
      const Vector a = kernel_load(p.x + i), factor = kernel_load(p.factor + i);
      const Vector change = kernel_load(p.s + i) * kernel_load(p.rest + i);
      const Vector b = change + kernel_load(p.lost + i);
      const Vector sum = a + b, part = sum - a;
      predicted.part[n] = factor * sum;
      lost.part[n] = factor * ((a - (sum - part)) + (b - part));
      magnitude.part[n] = factor * (magnitude_of(a) + magnitude_of(change));
    }
    predicted.store(p.predicted + at, count);
    lost.store(p.lost_now + at, count);
    magnitude.store(p.magnitude + at, count);
  }
};
void predict(const Prediction& prediction, std::size_t width) {
  for_pieces(Predict{prediction}, width);
}

// The largest of quotients by lane: Quotients::at<Vector or double>(column and lane, lane) gives
// them. One lane: vectors run along columns, what is left over is done one by one.
template <typename Quotients>
inline void largest_of_lane(const Quotients& quotients, std::size_t columns, double* largest) {
  double result = *largest;
  const auto take = [&](double value) { result = value > result ? value : result; };
  std::size_t c = 0;
  if (columns >= widest) {
    Vector most = Vector{} + result;
    for (; c + widest <= columns; c += widest)
      most = larger_of(quotients.template at<Vector>(c, 0), most);
    for (std::size_t i = 0; i < widest; ++i) take(most[i]);
  }
  for (; c < columns; ++c) take(quotients.template at<double>(c, 0));
  *largest = result;
}
template <typename Quotients>
struct LargestOfLanes {
  const Quotients& quotients;
  std::size_t columns, lanes;
  double* largest;
  template <int Vectors>
  void run(std::size_t lane, std::size_t count) const {
    using P = Piece<Vectors>;
    P most = P::load(largest + lane);
    for (std::size_t c = 0; c < columns; ++c)
      for (int n = 0; n < Vectors; ++n) {
        const std::size_t first = lane + n * widest;
        most.part[n] =
            larger_of(quotients.template at<Vector>(c * lanes + first, first), most.part[n]);
      }
    most.store(largest + lane, count);
  }
};
template <typename Quotients>
inline void find_largest(const Quotients& quotients, std::size_t columns, std::size_t lanes,
                         double* largest) {
  if (lanes == 1) return largest_of_lane(quotients, columns, largest);
  for_pieces(LargestOfLanes<Quotients>{quotients, columns, lanes, largest}, lanes);
}

template <typename Value>
inline Value load_one_or_many(const double* from) {
  if constexpr (sizeof(Value) == sizeof(double))
    return *from;
  else
    return kernel_load(from);
}
inline double magnitude_of(double v) { return __builtin_fabs(v); }

struct Ratios {
  const double *x, *scale;
  template <typename Value>
  Value at(std::size_t i, std::size_t) const {
    return magnitude_of(load_one_or_many<Value>(x + i)) / load_one_or_many<Value>(scale + i);
  }
};
void largest_ratio(const double* x, const double* scale, std::size_t columns, std::size_t lanes,
                   double* largest) {
  find_largest(Ratios{x, scale}, columns, lanes, largest);
}

// What is not finite becomes infinite, which stays the largest.
struct Errors {
  const Comparison& c;
  bool is_one_lane;
  template <typename Value>
  Value by_lane(const double* values, std::size_t lane) const {
    return is_one_lane ? Value{} + *values : load_one_or_many<Value>(values + lane);
  }
  template <typename Value>
  Value at(std::size_t i, std::size_t lane) const {
    const auto load = [&](const double* from) { return load_one_or_many<Value>(from + i); };
    const Value difference =
        by_lane<Value>(c.power, lane) * magnitude_of(load(c.found) - load(c.predicted));
    const Value allowance =
        by_lane<Value>(c.allowed, lane) * load(c.scale) + load(c.noise) * load(c.magnitude);
    const Value error = difference / allowance, infinite = Value{} + __builtin_inf();
    return error - error == Value{} ? error : infinite;
  }
};
void largest_error(const Comparison& comparison, std::size_t columns, std::size_t lanes,
                   double* largest) {
  find_largest(Errors{comparison, lanes == 1}, columns, lanes, largest);
}

// x - x is 0 if x is finite, else not a number.
struct Finite {
  Rows x;
  int last;
  double* verdict;
  template <int Vectors>
  void run(std::size_t at, std::size_t) const {
    using P = Piece<Vectors>;
    P sum = P::zero();
    for (int k = 0; k <= last; ++k) {
      const P row = P::load(x.row(k) + at);
      sum = sum + (row - row);
    }
    for (int n = 0; n < Vectors; ++n)
      for (std::size_t i = 0; i < widest; ++i) *verdict += sum.part[n][i];
  }
};
bool are_finite(Rows x, int last, std::size_t width) {
  double verdict = 0.0;
  for_pieces(Finite{x, last, &verdict}, width);
  return verdict == 0.0;
}

struct CopyLanes {
  const double* from;
  double weight;
  double* to;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    (weight * Piece<Vectors>::load(from + at)).store(to + at, count);
  }
};

__attribute__((noinline)) void gather_one_lane(const double* __restrict row,
                                               const std::uint32_t* __restrict slots,
                                               std::size_t count, double weight,
                                               double* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = weight * row[slots[i]];
}

void gather(const double* row, const std::uint32_t* slots, std::size_t count, std::size_t lanes,
            double weight, double* to) {
  if (lanes == 1) return gather_one_lane(row, slots, count, weight, to);
  for (std::size_t i = 0; i < count; ++i)
    for_pieces(CopyLanes{row + slots[i] * lanes, weight, to + i * lanes}, lanes);
}

// Excess computes several series that stand side by side.
struct Excess {
  Rows x;
  int last;
  const double* edges;
  double part, s;
  double* excess;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    auto sum = Piece<Vectors>::zero();
    const double* row = x.row(last) + at;
    for (int k = last; k > 0; --k, row -= x.stride)
      for (int n = 0; n < Vectors; ++n)
        sum.part[n] = s * (sum.part[n] + magnitude_of(kernel_load(row + n * widest)));
    const auto distance = Piece<Vectors>::load(row) - Piece<Vectors>::load(edges + at);
    for (int n = 0; n < Vectors; ++n) sum.part[n] -= part * magnitude_of(distance.part[n]);
    sum.store(excess + at, count);
  }
};

// Series that stand apart are taken `Count` at a time, so that their chains overlap.
template <int Count>
void excess_of(const Approaches& a, std::size_t first, double s, double* excess) {
  const double* series[Count];
  double sum[Count];
  for (int n = 0; n < Count; ++n) {
    series[n] = a.x.first + a.places[first + n];
    sum[n] = 0.0;
  }
  for (std::size_t at = a.x.stride * static_cast<std::size_t>(a.last); at > 0; at -= a.x.stride)
    for (int n = 0; n < Count; ++n) sum[n] = s * (sum[n] + magnitude_of(series[n][at]));
  for (int n = 0; n < Count; ++n)
    excess[first + n] = sum[n] - a.part * magnitude_of(*series[n] - a.edges[first + n]);
}

void excess(const Approaches& a, std::size_t count, double s, double* excess) {
  const auto is_followed = [&](std::size_t n) {
    return n + 1 < count && a.places[n + 1] == a.places[n] + 1;
  };
  for (std::size_t first = 0, number = 0; first < count; first += number) {
    number = 1;
    while (is_followed(first + number - 1)) ++number;
    std::size_t num_apart = 0;
    while (number == 1 && num_apart < 4 && first + num_apart < count &&
           !is_followed(first + num_apart))
      ++num_apart;
    if (num_apart == 4) {
      number = 4;
      excess_of<4>(a, first, s, excess);
    } else {
      const Rows rows{a.x.first + a.places[first], a.x.stride};
      for_pieces(Excess{rows, a.last, a.edges + first, a.part, s, excess + first}, number);
    }
  }
}

struct Settle {
  Rows x;
  int last;
  double part, still, s;
  double late;  // s^k of the first of the last terms
  double* measures;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    const int first_late = first_of_last(last);
    auto measure = Piece<Vectors>::zero();
    for (int n = 0; n < Vectors; ++n) {
      const auto size = [&](int k) {
        return magnitude_of(kernel_load(x.row(k) + at + n * widest));
      };
      const Vector begin = size(0);
      Vector motion{}, end{};
      for (int k = last < 2 ? last : 2; k > 0; --k) motion = s * (motion + size(k));
      for (int k = last; k > first_late; --k) end = s * (end + size(k));
      if (last >= first_late) end = late * (end + size(first_late));
      const Vector excess = end - part * motion, stillness = still * begin - motion;
      measure.part[n] = excess > stillness ? excess : stillness;
    }
    measure.store(measures + at, count);
  }
  static int first_of_last(int last) { return last < 5 ? 3 : last - 2; }
};

bool settle(const Endings& a, std::size_t count, double s, double* measures) {
  double late = 1.0;
  for (int k = Settle::first_of_last(a.last); k > 0; --k) late *= s;
  for (std::size_t first = 0, number = 0; first < count; first += number) {
    number = 1;
    while (first + number < count && a.places[first + number] == a.places[first] + number) ++number;
    const Rows rows{a.x.first + a.places[first], a.x.stride};
    for_pieces(Settle{rows, a.last, a.part, a.still, s, late, measures + first}, number);
  }
  bool are_settled = true;
  for (std::size_t n = 0; n < count; ++n) are_settled &= measures[n] < 0.0;
  return are_settled;
}

struct SumLanes {
  const Sums& sums;
  std::uint32_t first, last;
  const double* row;
  std::size_t lanes;
  double* z;
  template <int Vectors>
  void run(std::size_t at, std::size_t count) const {
    const auto term = [&](std::uint32_t a) {
      return Piece<Vectors>::load(sums.coefficients + a * lanes + at) *
             Piece<Vectors>::load(row + sums.slots[a] * lanes + at);
    };
    auto sum = first < last ? term(first) : Piece<Vectors>::zero();
    for (std::uint32_t a = first + 1; a < last; ++a) sum = sum + term(a);
    sum.store(z + at, count);
  }
};

// All sums have Terms terms.
template <std::uint32_t Terms>
__attribute__((noinline)) void sum_of_few(const std::uint32_t* __restrict slots,
                                          const double* __restrict coefficients,
                                          const double* __restrict row, double* __restrict z,
                                          std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    double sum = coefficients[0] * row[slots[0]];
    for (std::uint32_t a = 1; a < Terms; ++a) sum += coefficients[a] * row[slots[a]];
    z[i] = sum;
    slots += Terms;
    coefficients += Terms;
  }
}

__attribute__((noinline)) void sum_of_many(const Sums& sums, const double* __restrict row,
                                           double* __restrict z, std::size_t count) {
  const std::uint32_t* slots = sums.slots;
  const double* coefficients = sums.coefficients;
  std::uint32_t a = sums.starts[0];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t last = sums.starts[i + 1];
    double sum = a < last ? coefficients[a] * row[slots[a]] : 0.0;
    for (++a; a < last; ++a) sum += coefficients[a] * row[slots[a]];
    z[i] = sum;
    a = last;
  }
}

// The z are in no row that is read.
void sum(const Sums& sums, const double* row, double* z, std::size_t count, std::size_t lanes) {
  if (lanes == 1) {
    const std::uint32_t* slots = sums.slots + sums.starts[0];
    const double* coefficients = sums.coefficients + sums.starts[0];
    switch (sums.terms_of_all) {
      case 1: return sum_of_few<1>(slots, coefficients, row, z, count);
      case 2: return sum_of_few<2>(slots, coefficients, row, z, count);
      case 3: return sum_of_few<3>(slots, coefficients, row, z, count);
      case 4: return sum_of_few<4>(slots, coefficients, row, z, count);
      default: return sum_of_many(sums, row, z, count);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    for_pieces(SumLanes{sums, sums.starts[i], sums.starts[i + 1], row, lanes, z + i * lanes},
               lanes);
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels = {
#define DAEDAL_TEXT_OF(name) #name
#define DAEDAL_TEXT(name) DAEDAL_TEXT_OF(name)
    DAEDAL_TEXT(DAEDAL_KERNEL_SET),
    multiply,
    square,
    divide,
    power,
    function,
    gather,
    horner,
    predict,
    largest_ratio,
    largest_error,
    are_finite,
    excess,
    settle,
    sum};

}  // namespace daedal::taylor::DAEDAL_KERNEL_SET

// The kernels, for vectors of `widest` doubles; included once per instruction set by a source file
// that defines DAEDAL_KERNEL_SET and DAEDAL_VECTOR_DOUBLES. Nothing else may be included by those
// files: an inline function compiled for a newer processor must not be shared with other files.

#include "taylor/kernels.hpp"

namespace daedal::taylor::DAEDAL_KERNEL_SET {
namespace {

constexpr std::size_t widest = DAEDAL_VECTOR_DOUBLES;

template <std::size_t Width>
struct VectorOf {
  typedef double Type __attribute__((vector_size(Width * sizeof(double)), aligned(sizeof(double))));
};
template <>
struct VectorOf<1> {
  typedef double Type;
};
template <std::size_t Width>
using Vector = typename VectorOf<Width>::Type;

template <std::size_t Width>
inline Vector<Width> load(const double* from) {
  return *reinterpret_cast<const Vector<Width>*>(from);
}
template <std::size_t Width>
inline void store(double* to, Vector<Width> value) {
  *reinterpret_cast<Vector<Width>*>(to) = value;
}

// Calls operation.run<Width>(at) for pieces of the row: as many of the widest as fit, then halves.
template <std::size_t Width, typename Operation>
inline void for_rest(const Operation& operation, std::size_t at, std::size_t width) {
  if (width - at >= Width) {
    operation.template run<Width>(at);
    at += Width;
  }
  if constexpr (Width > 1) for_rest<Width / 2>(operation, at, width);
}
template <typename Operation>
inline void for_pieces(const Operation& operation, std::size_t width) {
  std::size_t at = 0;
  for (; at + widest <= width; at += widest) operation.template run<widest>(at);
  if constexpr (widest > 1) for_rest<widest / 2>(operation, at, width);
}

// sum_{j=first..last} u_j v_{k-j}, even and odd j apart; u points to u_first, v to v_{k-first}.
template <std::size_t Width>
inline Vector<Width> convolution(int first, int last, const double* u, std::size_t u_stride,
                                 const double* v, std::size_t v_stride) {
  Vector<Width> one{}, other{};  // first, first + 2, ... and first + 1, first + 3, ...
  int j = first;
  for (; j < last; j += 2) {
    one += load<Width>(u) * load<Width>(v);
    other += load<Width>(u + u_stride) * load<Width>(v - v_stride);
    u += 2 * u_stride;
    v -= 2 * v_stride;
  }
  if (j == last) one += load<Width>(u) * load<Width>(v);
  return first % 2 == 0 ? one + other : other + one;
}

struct Multiply {
  int k;
  Rows u, v;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    store<Width>(z + at, convolution<Width>(0, k, u.first + at, u.stride, v.row(k) + at, v.stride));
  }
};

struct Square {
  int k;
  Rows u;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    const int last = (k + 1) / 2 - 1;
    Vector<Width> sum =
        convolution<Width>(0, last, u.first + at, u.stride, u.row(k) + at, u.stride);
    sum = 2.0 * sum;
    if (k % 2 == 0) {
      const Vector<Width> middle = load<Width>(u.row(k / 2) + at);
      sum = sum + middle * middle;
    }
    store<Width>(z + at, sum);
  }
};

struct Divide {
  int k;
  Rows v, quotient;
  const double* reciprocal;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    const Vector<Width> sum = convolution<Width>(1, k, v.row(1) + at, v.stride,
                                                 quotient.row(k - 1) + at, quotient.stride);
    store<Width>(z + at, (load<Width>(z + at) - sum) * load<Width>(reciprocal + at));
  }
};

struct Function {
  int k;
  Rows weighted, partner;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    const Vector<Width> sum = convolution<Width>(1, k, weighted.row(1) + at, weighted.stride,
                                                 partner.row(k - 1) + at, partner.stride);
    store<Width>(z + at, sum * (1.0 / k));
  }
};

struct Power {
  int k;
  double exponent;
  Rows u, result;
  const double* reciprocal;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    Vector<Width> even{}, odd{};
    const double* a = u.row(1) + at;
    const double* b = result.row(k - 1) + at;
    int j = 1;
    for (; j < k; j += 2) {
      odd += ((exponent + 1) * j - k) * (load<Width>(a) * load<Width>(b));
      even += ((exponent + 1) * (j + 1) - k) *
              (load<Width>(a + u.stride) * load<Width>(b - result.stride));
      a += 2 * u.stride;
      b -= 2 * result.stride;
    }
    if (j == k) odd += ((exponent + 1) * j - k) * (load<Width>(a) * load<Width>(b));
    store<Width>(z + at, (even + odd) * load<Width>(reciprocal + at) * (1.0 / k));
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

struct CopyLanes {
  const double* from;
  double weight;
  double* to;
  template <std::size_t Width>
  void run(std::size_t at) const {
    store<Width>(to + at, weight * load<Width>(from + at));
  }
};

void gather(const double* row, const std::uint32_t* slots, std::size_t count, std::size_t lanes,
            double weight, double* to) {
  if (lanes == 1) {
    for (std::size_t i = 0; i < count; ++i) to[i] = weight * row[slots[i]];
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    for_pieces(CopyLanes{row + slots[i] * lanes, weight, to + i * lanes}, lanes);
}

struct SumLanes {
  const Sums& sums;
  std::uint32_t first, last;
  const double* row;
  std::size_t lanes;
  double* z;
  template <std::size_t Width>
  void run(std::size_t at) const {
    Vector<Width> sum{};
    for (std::uint32_t a = first; a < last; ++a)
      sum += load<Width>(sums.coefficients + a * lanes + at) *
             load<Width>(row + sums.slots[a] * lanes + at);
    store<Width>(z + at, sum);
  }
};

void sum(const Sums& sums, const double* row, double* z, std::size_t count, std::size_t lanes) {
  for (std::size_t i = 0; i < count; ++i) {
    const SumLanes one{sums, sums.starts[i], sums.starts[i + 1], row, lanes, z + i * lanes};
    if (lanes == 1)
      one.run<1>(0);
    else
      for_pieces(one, lanes);
  }
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels = {
#define DAEDAL_TEXT_OF(name) #name
#define DAEDAL_TEXT(name) DAEDAL_TEXT_OF(name)
    DAEDAL_TEXT(DAEDAL_KERNEL_SET), multiply, square, divide, power, function, gather, sum};

}  // namespace daedal::taylor::DAEDAL_KERNEL_SET

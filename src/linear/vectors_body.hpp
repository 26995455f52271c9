// Vectors of numbers: what the loops of this room share. As every *_body.hpp here, this is included
// by one source file for each instruction set, which names its namespace DAEDAL_INSTRUCTION_SET.
// Calls no function of any library: an inline one compiled here could be the copy that the linker
// keeps for machines without these instructions.
#pragma once

#include <cstdint>

namespace daedal::linear::DAEDAL_INSTRUCTION_SET {
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
// A key orders by magnitude, then by row: the low bits count rows downwards.
constexpr std::int64_t row_bits_of(int size) { return size < 256 ? 0xff : 0xffffff; }

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

// Some lanes of consecutive numbers.
template <int W>
DAEDAL_INLINE Values<W> load_lanes(const double* from, int count) {
  if (count == W) return load<W>(from);
  Values<W> v = {};
  for (int lane = 0; lane < count; ++lane) v[lane] = from[lane];
  return v;
}
template <int W>
DAEDAL_INLINE void store_lanes(double* to, Values<W> v, int count) {
  if (count == W) return store<W>(to, v);
  for (int lane = 0; lane < count; ++lane) to[lane] = v[lane];
}

}  // namespace
}  // namespace daedal::linear::DAEDAL_INSTRUCTION_SET

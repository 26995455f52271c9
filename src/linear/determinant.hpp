// A determinant as a number that neither overflows nor vanishes: with a few hundred pivots the
// product leaves the range of doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace daedal::linear {

// mantissa * 2^exponent.
struct Determinant {
  double mantissa = 1.0;
  std::int64_t exponent = 0;

  int sign() const { return mantissa < 0.0 ? -1 : 1; }

  // Precondition: the factor is finite and not 0. Afterwards |mantissa| is in [1, 2).
  void multiply(double factor) {
    exponent += exponent_of(factor);
    const double product = mantissa * without_exponent(factor);
    exponent += exponent_of(product);
    mantissa = without_exponent(product);
  }
  // Multiplies by factor(k) scale(k), k = 0 ... count - 1, where the scales are powers of two. The
  // mantissas of the factors, each below 2, are multiplied `most_at_once` at a time: far from
  // overflow.
  template <typename Factor, typename Scale>
  void multiply_all(int count, Factor factor, Scale scale) {
    constexpr int most_at_once = 512;
    for (int first = 0; first < count; first += most_at_once) {
      const int last = count < first + most_at_once ? count : first + most_at_once;
      double product = mantissa;
      std::int64_t sum = 0;
      for (int k = first; k < last; ++k) {
        const double next = factor(k);
        sum += biased_exponent_of(next) + biased_exponent_of(scale(k));
        product *= without_exponent(next);
      }
      exponent += sum - std::int64_t{2} * bias * (last - first) + exponent_of(product);
      mantissa = without_exponent(product);
    }
  }

  Determinant inverse() const {
    Determinant result{.mantissa = 1.0, .exponent = -exponent};
    result.multiply(1.0 / mantissa);
    return result;
  }

  // |this| / |other|, for numbers of similar size; 0 or infinite where the exponents are far apart.
  double ratio_to(const Determinant& other) const {
    constexpr std::int64_t far = 2000;
    const std::int64_t difference = exponent - other.exponent;
    const int shift = static_cast<int>(difference > far    ? far
                                       : difference < -far ? -far
                                                           : difference);
    return std::ldexp(std::abs(mantissa / other.mantissa), shift);
  }

 private:
  static constexpr std::uint64_t exponent_bits = 0x7ff0000000000000;
  static constexpr std::uint64_t bits_of_one = 0x3ff0000000000000;
  static constexpr int fraction_bits = 52, bias = 1023;

  static std::int64_t biased_exponent_of(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x) & exponent_bits;
    return static_cast<std::int64_t>(bits >> fraction_bits);
  }
  static std::int64_t exponent_of(double x) { return biased_exponent_of(x) - bias; }
  static double without_exponent(double x) {
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & ~exponent_bits) | bits_of_one);
  }
};

}  // namespace daedal::linear

#include "report/packed_numbers.hpp"

#include <bit>
#include <cstdint>
#include <string>

namespace daedal::report {
namespace {

// RFC 4648, section 4.
std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = (group << 8) | (i < count ? bytes[k + i] : std::uint8_t{0});
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[(group >> (18 - 6 * i)) & 63] : '=';
  }
  return text;
}

template <typename Number, typename Bits>
std::vector<std::uint8_t> bytes_of(std::span<const double> numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(numbers.size() * sizeof(Bits));
  for (const double number : numbers) {
    const auto bits = std::bit_cast<Bits>(static_cast<Number>(number));
    for (std::size_t k = 0; k < sizeof(Bits); ++k)
      bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
  }
  return bytes;
}

}  // namespace

Json packed(std::span<const double> numbers, Precision precision) {
  if (precision == Precision::full)
    return {{"f64", base64(bytes_of<double, std::uint64_t>(numbers))}};
  return {{"f32", base64(bytes_of<float, std::uint32_t>(numbers))}};
}

}  // namespace daedal::report
